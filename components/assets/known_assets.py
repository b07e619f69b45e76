"""The assets that this desk knows: the service lists none, so it is those that its own jobs added or changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from client.models.assets import Asset
from components.assets.asset_rows import ADD, CHANGE, DELETE
from components.records.declared import Listed
from journal import Done

if TYPE_CHECKING:
    from components.records.declared import Tell
    from components.shell.workspace import Workspace

KINDS: Final = (ADD.kind, CHANGE.kind, DELETE.kind)


@dataclass(frozen=True)
class KnownAsset:
    """An asset as this desk sent it last: by whom, when, and whether it was a change."""

    id: str
    wire: dict[str, Any]
    by: str
    at: datetime

    @cached_property
    def asset(self) -> Asset:
        """What it is, with its id."""
        return Asset.model_validate(self.wire | {"id": self.id})

    @property
    def place(self) -> str:
        """Where it is, in words."""
        address = self.wire.get("address", {})
        return ", ".join(address[part] for part in ("city", "state", "country") if address.get(part))


def known_of(done: Iterable[Done]) -> list[KnownAsset]:
    """What is known after all that was done, in that order; what the service gave no id is not among it."""
    known: dict[str, KnownAsset] = {}
    for each in done:
        asset_id = each.result_id or each.payload.get("id")
        if asset_id is None:
            continue
        if each.kind == DELETE.kind:
            known.pop(asset_id, None)
        else:
            known[asset_id] = KnownAsset(asset_id, each.payload, each.by, each.at)
    return list(known.values())


def read_known(workspace: Workspace, _: Tell) -> Listed[KnownAsset]:
    """Read what is known. Raises JournalError."""
    return Listed(known_of(workspace.journal.ledger.done(workspace.actor, KINDS)))


def names_of(assets: Sequence[KnownAsset]) -> list[str]:
    """What assets are called."""
    return [str(each.wire.get("name") or each.id) for each in assets]
