"""One draft in two tabs: what was changed in the other one is taken over, and what was typed here stays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from components.public_alerts.alert_form import LABELS
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import zip_flag_is_offered
from components.widgets.number_text import names

_TOGETHER: Final = (("category", "event"), ("jurisdiction", "regions"))
"""Fields of which one says little without the other: they are taken over together, or stay together."""
_UNITS: Final = (*_TOGETHER, *((name,) for name in LABELS if not any(name in unit for unit in _TOGETHER)))


@dataclass(frozen=True)
class Joined:
    """A draft with what another tab made of it: the fields taken over from there, and those changed in both tabs."""

    draft: AlertDraft
    taken: tuple[str, ...] = ()
    kept_here: tuple[str, ...] = ()


def joined(here: AlertDraft, seen: AlertDraft, stored: AlertDraft) -> Joined:
    """The draft as it stands here with what is stored since: `seen` is what both tabs began with."""
    taken: list[str] = []
    kept_here: list[str] = []
    for unit in _UNITS:
        there = [name for name in unit if getattr(stored, name) != getattr(seen, name)]
        differing = [name for name in unit if getattr(stored, name) != getattr(here, name)]
        if there and differing:
            is_changed_here = any(getattr(here, name) != getattr(seen, name) for name in unit)
            (kept_here if is_changed_here else taken).extend(differing)
    draft = here.model_copy(update={name: getattr(stored, name) for name in taken})
    if draft.zip_to_groups and not zip_flag_is_offered(draft):
        draft.zip_to_groups = False
    return Joined(draft, tuple(taken), tuple(kept_here))


def words(both: Joined) -> str:
    """What became of the changes made elsewhere; "" where there were none."""
    said = []
    if both.taken:
        said.append(f"Changed in another tab and taken over here: {_labels(both.taken)}.")
    if both.kept_here:
        said.append(f"Changed in another tab too: {_labels(both.kept_here)}. What stands here is kept.")
    return " ".join(said)


def _labels(fields: Sequence[str]) -> str:
    return names([LABELS[name] for name in fields])
