"""Import lookup mappings from a file: what each row would do, and how a row is sent without creating a duplicate."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast

import numpy as np

from client import NotFound, ServiceError, TimedOut, UndecodableAnswer, fan_out
from client.models.lookup_mappings import (
    LookupMapping,
    LookupMappingRequest,
    MappingAttribute,
    TargetGroup,
    lookup_mapping_problems,
)
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Parsed
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import classify_error
from domain.file_import.row_problems import Problem, Rows
from domain.file_import.row_sending import Outgoing, Sending
from domain.mappings.mapping_change import find_duplicates, search_similar
from domain.mappings.mapping_query import (
    LIST_KEY,
    attribute_key,
    has_same_attributes,
    has_same_groups,
    read_all_mappings,
)
from domain.mappings.mapping_text import Attributes, attributes_of, attributes_text, read_attributes, read_groups
from domain.runtime.server import server
from domain.text.plain_text import names
from journal import Item, ItemStatus
from journal.ledger_records import NOTE

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.file_import.row_sending import JournalContext
    from domain.runtime.workspace import Workspace

Plan: TypeAlias = Literal["created", "changed", "unchanged", "rejected"]
_LABELS: Final[Mapping[Plan, str]] = {
    "changed": "Changed",
    "unchanged": "Unchanged, because the mapping already has these contents",
    "rejected": "Not possible",
}
"""What a confirmation says about the rows that are named in it."""

WIDTH: Final = 8
"""How many mappings are sent at the same time."""
MOST_NAMED: Final = 8
SAME: Final = "The mapping already has these contents."
TAKEN: Final = "Another mapping already has exactly these attributes: {}."
CREATED: Final = "created"
"""The note of an item that created a mapping. The note of an item that changed one is its old contents, as JSON."""
SEVERAL: Final = "Several mappings have exactly these attributes. Enter the ID of the right one."
GONE: Final = "The service has no mapping with this ID. Leave the ID empty to create a mapping."


def request_of(record: Mapping[str, Any]) -> LookupMappingRequest:
    """Build the request of a row."""
    return LookupMappingRequest(attributes=record["attributes"], target_groups=record["groups"])


def attributes_in(record: Mapping[str, Any]) -> Attributes:
    """Return the attributes of a row."""
    return attributes_of(request_of(record))


def plan_of(stored: LookupMapping | None, others: Sequence[LookupMapping], request: LookupMappingRequest) -> Plan:
    """Decide what a row does: `stored` is the mapping with its ID, `others` are those with the same attributes."""
    if stored is None:
        if not others:
            return "created"
        if len(others) > 1:
            return "rejected"
        stored = others[0]
    elif any(each.id != stored.id for each in others):
        return "rejected"
    is_same = has_same_attributes(stored, request) and has_same_groups(stored, request)
    return "unchanged" if is_same else "changed"


def plan_rows(mappings: Iterable[LookupMapping], records: Iterable[Mapping[str, Any]]) -> list[Plan]:
    """Return what each row would do, compared with these mappings."""
    by_id = {each.id: each for each in mappings}
    by_attributes: defaultdict[Any, list[LookupMapping]] = defaultdict(list)
    for each in by_id.values():
        by_attributes[attribute_key(each)].append(each)
    plans: list[Plan] = []
    for record in records:
        request, named = request_of(record), record.get("id")
        others = by_attributes[attribute_key(request)]
        is_gone = named is not None and named not in by_id
        plans.append("rejected" if is_gone else plan_of(by_id.get(named or ""), others, request))
    return plans


def describe_plans(plans: Sequence[Plan]) -> str:
    """Count the rows by what they do: "1 created · 2 changed"."""
    number = Counter(plans)
    order: tuple[Plan, ...] = ("created", "changed", "unchanged", "rejected")
    return " · ".join(f"{number[plan]:,} {plan}" for plan in order if number[plan])


def parse_attributes(text: str) -> list[MappingAttribute]:
    """Read the attributes of a row. Raises ValueError with a message if the service would reject them."""
    found = read_attributes(text)
    _refuse(LookupMappingRequest(attributes=found, target_groups=[TargetGroup(id=1)]))
    return found


def parse_groups(text: str) -> list[TargetGroup]:
    """Read the groups of a row. Raises ValueError with a message if the service would reject them."""
    found = read_groups(text)
    _refuse(LookupMappingRequest(attributes=[MappingAttribute(name="a", values=["b"])], target_groups=found))
    return found


def _refuse(request: LookupMappingRequest) -> None:
    problems = lookup_mapping_problems(request)
    if problems:
        raise ValueError(problems[0].message)


def _find_repeats(rows: Rows) -> Iterator[Problem]:
    """Find rows with the same ID or attributes as a row above them: it is unclear which one is meant."""
    first = {column: np.arange(len(rows)) for column in ("id", "attributes")}
    seen: dict[tuple[str, Any], int] = {}
    for place, record in enumerate(rows.records()):
        request = LookupMappingRequest(attributes=record.get("attributes", []))
        for name, value in (("id", record.get("id")), ("attributes", attribute_key(request))):
            if value:
                first[name][place] = seen.setdefault((name, value), place)
    words = "Another row has the same mapping. Keep one of them."
    for column, places in first.items():
        yield Problem(places != np.arange(len(rows)), column, words, compared_rows=rows.numbers[places])


def _confirmation_lines(rows: Rows, desk: JournalContext) -> list[str]:
    """Return the lines of the confirmation: how many rows do what, which ones, and values that differ only in case."""
    # On a screen, the context is the workspace.
    known = read_all_mappings(cast("Workspace", desk)).value
    if known is None:
        return ["Muster has not loaded all mappings yet. Muster looks up each one before it sends a row."]
    records = list(rows.records())
    plans = plan_rows(known.mappings, records)
    by_plan: defaultdict[Plan, list[str]] = defaultdict(list)
    for record, plan in zip(records, plans, strict=True):
        by_plan[plan].append(attributes_text(attributes_in(record)))
    lines = [f"Mappings: {describe_plans(plans)}."]
    lines += [
        f"{label}: {names(by_plan[plan], at_most=MOST_NAMED)}." for plan, label in _LABELS.items() if by_plan[plan]
    ]
    variants = dict.fromkeys(filter(None, known.find_case_variants(map(attributes_in, records))))
    return [*lines, *list(variants)[:MOST_NAMED]]


def _items(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        request = request_of(record)
        payload = {"id": record.get("id"), "mapping": request.to_wire()}
        yield Outgoing([place], payload, attributes_text(attributes_of(request)))


def _send(client: ServiceClient, items: Sequence[Item]) -> list[ItemStatus]:
    """Look up the mappings, then create, change, or leave each. Raises ServiceError if every call failed.

    Rows with an ID go first, because a new mapping may have the attributes that one of them gives up.
    """
    return send_in_parallel(partial(_sender, client), items, first=lambda item: item.payload["id"] is not None)


def send_in_parallel(
    sender: Callable[[Sequence[Item]], Callable[[Item], ItemStatus]],
    items: Sequence[Item],
    *,
    first: Callable[[Item], bool],
) -> list[ItemStatus]:
    """Send items, `WIDTH` at the same time, and return their statuses in order. Items for which `first` is true go
    first.

    `sender` gets a group of items and returns the function that sends one of them. Raises ServiceError if every call
    failed.
    """
    statuses: dict[int, ItemStatus] = {}
    errors: list[ServiceError] = []
    for is_first in (True, False):
        part = [item for item in items if first(item) is is_first]
        for outcome in fan_out(sender(part), part, width=WIDTH):
            if outcome.value is not None:
                statuses[outcome.item.position] = outcome.value
            elif isinstance(outcome.error, ServiceError):
                errors.append(outcome.error)
                statuses[outcome.item.position] = classify_error(outcome.error)[0]
    if len(errors) == len(items):
        raise errors[0]
    return [statuses.get(item.position, ItemStatus("unknown")) for item in items]


def _sender(client: ServiceClient, items: Sequence[Item]) -> Callable[[Item], ItemStatus]:
    """Search for the mappings of all items at once. If the search fails, each item is searched for separately."""
    try:
        known = search_similar(client, [_request(item) for item in items])
    except ServiceError:
        return partial(_send_one, client, None)
    by_attributes: defaultdict[Any, list[LookupMapping]] = defaultdict(list)
    for each in known:
        by_attributes[attribute_key(each)].append(each)
    return partial(_send_one, client, by_attributes)


def _request(item: Item) -> LookupMappingRequest:
    return LookupMappingRequest.model_validate(item.payload["mapping"])


def _send_one(client: ServiceClient, existing: Mapping[Any, list[LookupMapping]] | None, item: Item) -> ItemStatus:
    request = _request(item)
    stored, mapping_id = None, item.payload["id"]
    try:
        if mapping_id is not None:
            stored = client.lookup_mappings.retrieve(mapping_id)
        others = find_duplicates(client, request) if existing is None else existing.get(attribute_key(request), [])
    except NotFound:
        return ItemStatus("failed", reasons={"id": GONE})
    except (TimedOut, UndecodableAnswer):  # of a read: nothing was sent
        return ItemStatus("waiting")
    plan = plan_of(stored, others, request)
    if plan == "rejected":
        ids = ", ".join(each.id for each in others if each.id != mapping_id)
        return ItemStatus("failed", reasons={"attributes": TAKEN.format(ids) if mapping_id else SEVERAL})
    if plan == "created":
        return ItemStatus("done", client.lookup_mappings.create(request).id, {NOTE: CREATED})
    stored = stored or others[0]
    if plan == "changed":
        names = {group.id: group.name for group in stored.target_groups}
        groups = [TargetGroup(id=each.id, name=each.name or names.get(each.id)) for each in request.target_groups]
        client.lookup_mappings.update(stored.id, request.model_copy(update={"target_groups": groups}))
        return ItemStatus("done", stored.id, {NOTE: json.dumps(stored.as_request().to_wire())})
    return ItemStatus("done", stored.id, {"": SAME})


def _reconcile(client: ServiceClient, items: Sequence[Item]) -> dict[int, ItemStatus]:
    """Check whether what was sent is in the service. Raises ServiceError."""
    found: dict[int, ItemStatus] = {}
    for item in items:
        request = _request(item)
        there = [each for each in find_duplicates(client, request) if has_same_groups(each, request)]
        if item.payload["id"] is not None:
            there = [each for each in there if each.id == item.payload["id"]]
        found[item.position] = (
            ItemStatus("done", there[0].id)
            if there
            else ItemStatus("failed", reasons={"": "The service does not have a mapping with these values."})
        )
    return found


MAPPING_FILE: Final = ImportDeclaration(
    kind="lookup_mapping_file",
    noun=("mapping", "mappings"),
    columns=(
        Column("id", "Id", aliases=("mapping ID",), help="ID of the mapping to change. Empty for a new mapping."),
        Column(
            "attributes",
            "Attributes",
            Parsed(parse_attributes),
            aliases=("attribute",),
            required=True,
            help="department = Sales | Legal; site = BER",
        ),
        Column(
            "groups",
            "Groups",
            Parsed(parse_groups),
            aliases=("group", "target groups", "group IDs"),
            required=True,
            help="88011 = Berlin office; 88012",
        ),
    ),
    rules=(_find_repeats,),
    # Rows are independent, because no two of them have the same mapping.
    sending=Sending(
        verb="Save",
        done_verb="saved",
        build_items=_items,
        send=_send,
        reconcile=_reconcile,
        confirmation_lines=_confirmation_lines,
        last_line="You can undo the import afterward.",
        max_batch_size=12 * WIDTH,
        invalidate=lambda: server().reads.invalidate(LIST_KEY),
    ),
    help="A file downloaded from the list, or a file with the columns Attributes and Groups.",
    placeholder="Attributes,Groups\ndepartment = Sales | Legal; site = BER,88011 = Berlin office; 88012",
)
