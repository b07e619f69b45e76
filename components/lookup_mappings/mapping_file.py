"""Lookup mappings taken in from a file: what each row would do, and how one is sent without making a second one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np

from client import NotFound, ServiceError, TimedOut, UndecodableAnswer, fan_out
from client.models.lookup_mappings import (
    LookupMapping,
    LookupMappingRequest,
    MappingAttribute,
    TargetGroup,
    lookup_mapping_problems,
)
from components.intake.checking import Intake, Outgoing, Problem, Rows, Sending
from components.intake.column_matching import Column, Parsed
from components.intake.job import judge_error
from components.lookup_mappings.mapping_change import held_under
from components.lookup_mappings.mapping_query import LIST_KEY, elements_of, same_attributes, same_groups
from components.lookup_mappings.mapping_text import attributes_of, attributes_text, read_attributes, read_groups
from components.shell.server import server
from journal import Fate, Item

if TYPE_CHECKING:
    from client import ServiceClient

Plan: TypeAlias = Literal["created", "changed", "the same already", "refused"]

WIDTH: Final = 8
"""So many mappings of a file are under way at once."""
SAME: Final = "It was so already: nothing was changed."
TAKEN: Final = "Another mapping has exactly these attributes already: {}."
SEVERAL: Final = "Several mappings have exactly these attributes. Give the id of the one that is meant."
GONE: Final = "The service has no mapping with this id. Leave the id out to create one."


def request_of(record: Mapping[str, Any]) -> LookupMappingRequest:
    """What a row's values ask for."""
    return LookupMappingRequest(attributes=record["attributes"], target_groups=record["groups"])


def plan_of(stored: LookupMapping | None, others: Sequence[LookupMapping], request: LookupMappingRequest) -> Plan:
    """What is done with a row: `stored` is the one that its id names, `others` have its attributes."""
    if stored is None:
        if not others:
            return "created"
        if len(others) > 1:
            return "refused"
        stored = others[0]
    elif any(each.id != stored.id for each in others):
        return "refused"
    is_same = same_attributes(stored, request) and same_groups(stored, request)
    return "the same already" if is_same else "changed"


def planned(known: Iterable[LookupMapping], records: Iterable[Mapping[str, Any]]) -> list[Plan]:
    """What each row would do, as far as the mappings are known."""
    by_id = {each.id: each for each in known}
    by_attributes: defaultdict[Any, list[LookupMapping]] = defaultdict(list)
    for each in by_id.values():
        by_attributes[elements_of(each)].append(each)
    plans: list[Plan] = []
    for record in records:
        request, named = request_of(record), record.get("id")
        others = by_attributes[elements_of(request)]
        is_gone = named is not None and named not in by_id
        plans.append("refused" if is_gone else plan_of(by_id.get(named or ""), others, request))
    return plans


def _attributes(text: str) -> list[MappingAttribute]:
    found = read_attributes(text)
    _refuse(LookupMappingRequest(attributes=found, target_groups=[TargetGroup(id=1)]))
    return found


def _groups(text: str) -> list[TargetGroup]:
    found = read_groups(text)
    _refuse(LookupMappingRequest(attributes=[MappingAttribute(name="a", values=["b"])], target_groups=found))
    return found


def _refuse(request: LookupMappingRequest) -> None:
    problems = lookup_mapping_problems(request)
    if problems:
        raise ValueError(problems[0].message)


def _repeats(rows: Rows) -> Iterator[Problem]:
    """Rows that speak of a mapping of which a row above them speaks: which of them is meant?"""
    first = {column: np.arange(len(rows)) for column in ("id", "attributes")}
    seen: dict[tuple[str, Any], int] = {}
    for place, record in enumerate(rows.records()):
        request = LookupMappingRequest(attributes=record.get("attributes", []))
        for name, said in (("id", record.get("id")), ("attributes", elements_of(request))):
            if said:
                first[name][place] = seen.setdefault((name, said), place)
    words = "Another row is of the same mapping: which of them is meant?"
    for column, places in first.items():
        yield Problem(places != np.arange(len(rows)), column, words, against=rows.numbers[places])


def _items(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        request = request_of(record)
        payload = {"id": record.get("id"), "mapping": request.to_wire()}
        yield Outgoing([place], payload, attributes_text(attributes_of(request)))


def _send(client: ServiceClient, items: Sequence[Item]) -> list[Fate]:
    """Look up what there is, and create, change, or leave it. Raises ServiceError where that stopped every call.

    Those that name an id go first: a new mapping may have the attributes that one of them gives up.
    """
    fates: dict[int, Fate] = {}
    errors: list[ServiceError] = []
    for is_named in (True, False):
        part = [item for item in items if (item.payload["id"] is not None) is is_named]
        for outcome in fan_out(partial(_send_one, client), part, width=WIDTH):
            if outcome.value is not None:
                fates[outcome.item.position] = outcome.value
            elif isinstance(outcome.error, ServiceError):
                errors.append(outcome.error)
                fates[outcome.item.position] = judge_error(outcome.error)[0]
    if len(errors) == len(items):
        raise errors[0]
    return [fates.get(item.position, Fate("unknown")) for item in items]


def _send_one(client: ServiceClient, item: Item) -> Fate:
    request = LookupMappingRequest.model_validate(item.payload["mapping"])
    stored, mapping_id = None, item.payload["id"]
    try:
        if mapping_id is not None:
            stored = client.lookup_mappings.retrieve(mapping_id)
        others = held_under(client, request)
    except NotFound:
        return Fate("failed", reasons={"id": GONE})
    except (TimedOut, UndecodableAnswer):  # of a read: nothing was sent
        return Fate("waiting")
    plan = plan_of(stored, others, request)
    if plan == "refused":
        ids = ", ".join(each.id for each in others if each.id != mapping_id)
        return Fate("failed", reasons={"attributes": TAKEN.format(ids) if mapping_id else SEVERAL})
    if plan == "created":
        return Fate("done", client.lookup_mappings.create(request).id)
    stored = stored or others[0]
    if plan == "changed":
        names = {group.id: group.name for group in stored.target_groups}
        groups = [TargetGroup(id=each.id, name=each.name or names.get(each.id)) for each in request.target_groups]
        client.lookup_mappings.update(stored.id, request.model_copy(update={"target_groups": groups}))
        return Fate("done", stored.id)
    return Fate("done", stored.id, {"": SAME})


def _look(client: ServiceClient, items: Sequence[Item]) -> dict[int, Fate]:
    """Whether what was sent is there now. Raises ServiceError."""
    found: dict[int, Fate] = {}
    for item in items:
        request = LookupMappingRequest.model_validate(item.payload["mapping"])
        there = [each for each in held_under(client, request) if same_groups(each, request)]
        if item.payload["id"] is not None:
            there = [each for each in there if each.id == item.payload["id"]]
        found[item.position] = (
            Fate("done", there[0].id) if there else Fate("failed", reasons={"": "The service does not have it so."})
        )
    return found


MAPPING_FILE: Final = Intake(
    kind="lookup_mapping_file",
    noun=("mapping", "mappings"),
    columns=(
        Column("id", "Id", aliases=("mapping id",), help="Of a mapping that is to be changed. None for a new one."),
        Column(
            "attributes",
            "Attributes",
            Parsed(_attributes),
            aliases=("attribute",),
            required=True,
            help="department = Sales | Legal; site = BER",
        ),
        Column(
            "groups",
            "Groups",
            Parsed(_groups),
            aliases=("group", "target groups", "group ids"),
            required=True,
            help="88011 = Berlin office; 88012",
        ),
    ),
    rules=(_repeats,),
    # No two rows of a file are of one mapping: so many are under way at once.
    sending=Sending(
        verb="Save",
        done="saved",
        items=_items,
        send=_send,
        look=_look,
        size=4 * WIDTH,
        forget=lambda: server().reads.outdate(LIST_KEY),
    ),
    help="The file that the list gives, or one with the columns Attributes and Groups.",
    placeholder="Attributes,Groups\ndepartment = Sales | Legal; site = BER,88011 = Berlin office; 88012",
)
