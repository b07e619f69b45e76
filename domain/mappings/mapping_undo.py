"""Undo an import of mappings: created ones are deleted, changed ones get their old contents. Nothing here draws."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from client import NotFound, TimedOut, UndecodableAnswer
from client.models.lookup_mappings import LookupMapping, LookupMappingRequest
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Parsed
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import ALREADY_DELETED
from domain.file_import.job_undo import Undo, UndoSummary, find_undos, summarize_undos
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Outgoing, Sending
from domain.mappings.mapping_file import (
    CREATED,
    GONE,
    MAPPING_FILE,
    MOST_NAMED,
    SAME,
    WIDTH,
    parse_attributes,
    parse_groups,
    send_in_parallel,
)
from domain.mappings.mapping_query import LIST_KEY, has_same_attributes, has_same_groups
from domain.mappings.mapping_text import attributes_of, attributes_text, groups_text
from domain.runtime.server import server
from domain.text.plain_text import count, names
from journal import Item, ItemStatus

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import JournalContext
    from journal import Job

CHANGED_SINCE: Final = "The mapping has changed since the import. Nothing was undone."
NOT_UNDONE: Final = "The mapping is still as the import left it."


def plan_undo(desk: JournalContext, job: Job) -> Undo:
    """Return what can be undone of an import. Raises JournalError."""
    items = desk.journal.ledger.items(job.id)
    find_undone = {
        each.payload["item"] for each in desk.journal.ledger_history.list_done(desk.actor, [MAPPING_UNDO.kind])
    }
    made = [item for item in items if item.status.state == "done" and item.note is not None]
    left = [item for item in made if _item_name(job, item) not in find_undone]
    is_same = [item for item in items if item.status.state == "done" and SAME in item.status.reasons.values()]
    unproven = sum(item.status.state == "done" for item in items) - len(made) - len(is_same)
    unknown = sum(item.status.state == "unknown" for item in items)
    leaves = {
        "already undone": len(made) - len(left),
        "with status Unknown": unknown,
        "found after a lost response, so the previous values are unknown": unproven,
    }
    rows = [_row(job, item) for item in left]
    named = names([item.label for item in left], at_most=MOST_NAMED)
    return Undo(
        rows, named, [f"{count(number, 'mapping', 'mappings')} {why}." for why, number in leaves.items() if number]
    )


def find_undone(desk: JournalContext, jobs: Sequence[Job]) -> dict[int, UndoSummary]:
    """Return what was undone of these imports, by ID. Imports without an undo are left out. Raises JournalError."""
    undos = find_undos(desk, MAPPING_UNDO.kind, jobs)
    found = {}
    for job in jobs:
        if job.id in undos:
            items = desk.journal.ledger.items(job.id, ["done"])
            not_undoable = sum(item.note is None for item in items)
            found[job.id] = summarize_undos(job, undos[job.id], not_undoable=not_undoable)
    return found


def _item_name(job: Job, item: Item) -> str:
    return f"{job.id}/{item.position}"


def _row(job: Job, item: Item) -> dict[str, str]:
    sent = LookupMappingRequest.model_validate(item.payload["mapping"])
    row = {
        "item": _item_name(job, item),
        "id": str(item.status.result_id),
        "attributes": attributes_text(attributes_of(sent)),
        "groups": _groups_text(sent),
    }
    if item.note != CREATED:
        before = LookupMappingRequest.model_validate(json.loads(str(item.note)))
        row |= {"attributes_before": attributes_text(attributes_of(before)), "groups_before": _groups_text(before)}
    return row


def _groups_text(mapping: LookupMappingRequest) -> str:
    return groups_text((each.id, each.name) for each in mapping.target_groups)


def _items(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        sent = LookupMappingRequest(attributes=record["attributes"], target_groups=record["groups"])
        before = record.get("attributes_before")
        payload = {
            "item": record["item"],
            "id": record["id"],
            "mapping": sent.to_wire(),
            "before": LookupMappingRequest(attributes=before, target_groups=record["groups_before"]).to_wire()
            if before
            else None,
        }
        yield Outgoing([place], payload, attributes_text(attributes_of(sent)))


def _has_contents(stored: LookupMapping, payload: Mapping[str, Any] | None) -> bool:
    wanted = LookupMappingRequest.model_validate(payload)
    return has_same_attributes(stored, wanted) and has_same_groups(stored, wanted)


def _undo_one(client: ServiceClient, item: Item) -> ItemStatus:
    mapping_id, before = item.payload["id"], item.payload["before"]
    try:
        stored = client.lookup_mappings.retrieve(mapping_id)
    except NotFound:
        is_gone = before is None
        return (
            ItemStatus("done", mapping_id, {"": ALREADY_DELETED})
            if is_gone
            else ItemStatus("failed", reasons={"id": GONE})
        )
    except (TimedOut, UndecodableAnswer):  # of a read: nothing was sent
        return ItemStatus("waiting")
    if not _has_contents(stored, item.payload["mapping"]):
        return ItemStatus("failed", reasons={"": CHANGED_SINCE})
    if before is None:
        client.lookup_mappings.delete(mapping_id)
    else:
        client.lookup_mappings.update(mapping_id, LookupMappingRequest.model_validate(before))
    return ItemStatus("done", mapping_id)


def _reconcile(client: ServiceClient, items: Sequence[Item]) -> dict[int, ItemStatus]:
    """Check whether the items were undone. Raises ServiceError."""
    found: dict[int, ItemStatus] = {}
    for item in items:
        mapping_id, before = item.payload["id"], item.payload["before"]
        try:
            stored = client.lookup_mappings.retrieve(mapping_id)
        except NotFound:
            is_undone = before is None
        else:
            is_undone = before is not None and _has_contents(stored, before)
        found[item.position] = (
            ItemStatus("done", mapping_id) if is_undone else ItemStatus("failed", reasons={"": NOT_UNDONE})
        )
    return found


MAPPING_UNDO: Final = ImportDeclaration(
    kind="lookup_mapping_undo",
    noun=MAPPING_FILE.noun,
    columns=(
        Column("item", "Item", required=True),
        Column("id", "Id", required=True),
        Column("attributes", "Attributes", Parsed(parse_attributes), required=True),
        Column("groups", "Groups", Parsed(parse_groups), required=True),
        Column("attributes_before", "Attributes before", Parsed(parse_attributes)),
        Column("groups_before", "Groups before", Parsed(parse_groups)),
    ),
    sending=Sending(
        verb="Undo",
        done_verb="undone",
        build_items=_items,
        # Deletions first: a created mapping may have the attributes that a changed one gets back.
        send=lambda client, items: send_in_parallel(
            lambda _: partial(_undo_one, client), items, first=lambda item: item.payload["before"] is None
        ),
        reconcile=_reconcile,
        max_batch_size=4 * WIDTH,
        invalidate=lambda: server().reads.invalidate(LIST_KEY),
    ),
)
