"""The three things done with assets in batches, each an intake: add, change and delete."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from client import ServiceClient
from client.models.assets import AssetBatchOutcome, AssetFailure
from client.vocabulary.limits import ASSET_BATCH
from components.assets.asset_rows import COLUMNS, ID, POSITION, column_of, place_rule, time_rule, wire_of
from components.intake.checking import Intake, Outgoing, Rows, Sending, all_named, each_row, repeated
from components.intake.column_matching import Column
from components.intake.job import fates_of
from journal import Fate, Item

_PLACEHOLDER: Final = "Name;External id;Asset type;Latitude;Longitude\nZurich depot;D-1;depot;47.38;8.54"


def _reasons(failure: AssetFailure) -> dict[str, str]:
    """Why a row was refused, by the column that is to be mended."""
    reasons: dict[str, str] = {}
    for error in failure.field_errors:
        name = column_of(error.field)
        reasons[name] = f"{reasons[name]} {error.message}" if name in reasons else error.message
    return reasons or {"": failure.message}


def _send(
    call: Callable[[ServiceClient, Sequence[Item]], AssetBatchOutcome],
) -> Callable[[ServiceClient, Sequence[Item]], Sequence[Fate]]:
    return lambda client, items: fates_of(call(client, items), len(items), _reasons)


def _deleted(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        yield Outgoing([place], {"id": record["id"]}, record.get("name") or record["id"])


ADD: Final = Intake(
    kind="asset_add",
    noun=("asset", "assets"),
    columns=COLUMNS,
    rules=(
        place_rule,
        time_rule,
        # ASSUMPTION A139
        repeated("externalId", words="A row above has this external id: the service may refuse it.", is_error=False),
    ),
    sending=Sending(
        verb="Add",
        done="added",
        items=each_row(wire_of, label="name"),
        send=_send(lambda client, items: client.assets.create_batch([item.payload_text for item in items])),
        size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="A row an asset: name, external id and type, and where it is.",
    placeholder=_PLACEHOLDER,
)
CHANGE: Final = Intake(
    kind="asset_change",
    noun=("asset", "assets"),
    columns=(ID, *COLUMNS),
    rules=(repeated("id", words="A row above has this id, too: which of them is meant?"), place_rule, time_rule),
    sending=Sending(
        verb="Change",
        done="changed",
        items=each_row(wire_of, label="name"),
        send=_send(lambda client, items: client.assets.update_batch([item.payload_text for item in items])),
        size=ASSET_BATCH,
        width=4,
    ),
    position=POSITION,
    help="A row an asset, with its id and everything it is to be: what a row leaves out is emptied.",
    placeholder="Asset id;" + _PLACEHOLDER.replace("\n", "\n5f1c…;"),
)
DELETE: Final = Intake(
    kind="asset_delete",
    noun=("asset", "assets"),
    columns=(ID, Column("name", "Name", aliases=("asset name", "title"))),
    rules=(repeated("id", words="A row above has this id, too."),),
    sending=Sending(
        verb="Delete",
        done="deleted",
        items=_deleted,
        send=_send(lambda client, items: client.assets.delete_batch([item.payload["id"] for item in items])),
        size=ASSET_BATCH,
        width=4,
        asks=all_named("name", "id"),
    ),
    help="A row an asset, by its id.",
    placeholder="Asset id;Name\n5f1c…;Zurich depot",
)
