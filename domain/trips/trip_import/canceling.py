"""Many trips canceled at once: found by record locator, external id or id, and deleted in batches. No drawing here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from client import NotFound
from client.models.itineraries import Itinerary
from client.vocabulary.limits import BATCH_DELETE
from domain.file_import.column_matching import Column, count_known_headings
from domain.file_import.column_types import Text
from domain.file_import.delimited import Table, first_row, split_lines
from domain.file_import.import_declaration import Intake
from domain.file_import.job import build_statuses, treat_missing_as_done
from domain.file_import.row_problems import Problem, Rows, find_repeats
from domain.file_import.row_sending import Outgoing, Sending, name_all_rows
from domain.runtime.server import server
from domain.text.plain_text import LONGEST_NAME, in_short
from domain.trips.known_trip import REMOVAL, roster_travelers, short_names, traveler_names
from domain.trips.lookup import LOOKUP_CACHE, LookupBy, LookupResult, look_up_all, parse_values
from domain.trips.trip_import.trip_intake import TRIPS
from journal import Fate, Item, locator_spellings, normalize_locator

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

NAMED: Final = 8
STILL_THERE: Final = "Its answer was lost, and the service still has it: it can be canceled again."
MOST: Final = 100_000
_BY: Final = {"locator": LookupBy.LOCATOR, "external": LookupBy.EXTERNAL_ID}


def who_of(payload: Mapping[str, Any]) -> str:
    """Who travels, as far as an itinerary on the wire says: "Ana Silva +1"."""
    return short_names(traveler_names(Itinerary.model_validate({"passengers": payload.get("passengers", [])})))


def _list(text: str) -> Table | None:
    """Record locators or ids alone, however they are parted; None for what is a table."""
    first, delimiter = first_row(text)
    if count_known_headings(first, ASKED_FOR.columns) or not any(first):
        return None
    lines = [line for line in split_lines(text) if line.strip()]
    if len(lines) > 1 and len({line.count(delimiter) for line in lines}) == 1 and delimiter in lines[0]:
        return None
    values = parse_values(text, limit=MOST).values
    heading = "id" if all(value.isascii() and value.isdigit() for value in values) else "locator"
    return Table(delimiter, [[heading], *([value] for value in values)], list(range(len(values) + 1)))


def _names_one(rows: Rows) -> Iterator[Problem]:
    none = (rows.texts[["locator", "external", "id"]] == "").all(axis=1).to_numpy(dtype=bool)
    yield Problem(none, "locator", "Say which trip: its record locator, its external id or its id.")


_COLUMNS: Final = (
    Column(
        "locator",
        "Record locator",
        Text(longest=255),
        aliases=("pnr", "recloc", "booking reference"),
        key=normalize_locator,
    ),
    Column("external", "External id", Text(longest=255), aliases=("external itinerary id", "external trip id")),
    Column(
        "id",
        "Itinerary id",
        Text(pattern="0*[1-9][0-9]*", words="An id is a whole number above 0."),
        aliases=("trip id", "itinerary"),
        help="The service's own number of the trip.",
    ),
)
ASKED_FOR: Final = Intake(
    kind="trips_to_cancel",
    noun=("trip", "trips"),
    columns=_COLUMNS,
    rules=(
        _names_one,
        find_repeats("locator", "external", "id", words="Another row names this trip, too.", is_error=False),
    ),
    most_rows=MOST,
    custom_reader=_list,
    help="A row a trip, by record locator, external id or id; or a list of locators or of ids.",
    placeholder="WSVM7K, QX2R9T …\nor rows with a heading: Record locator, External id, Itinerary id",
)


@dataclass(frozen=True)
class Found:
    """What the service has of the trips that were asked for: rows as `CANCELING` takes them in, and what is missing."""

    rows: list[dict[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)


def find(workspace: Workspace, records: Sequence[Mapping[str, str]], tell: ReportProgress, *, width: int) -> Found:
    """Ask the service for each trip by its id as it stands, else by locator and external id: where both are, by both.

    Reads only; what a trip's id alone says is not looked up. Raises JournalError.
    """
    known = {
        each.result_id: (str(each.payload.get("pnr", "")), who_of(each.payload))
        for each in workspace.journal.ledger_history.list_done(workspace.actor, [TRIPS.kind])
        if each.result_id is not None
    }
    found = Found()
    ids: dict[str, str] = {str(int(record["id"])): "" for record in records if record.get("id")}
    rest = [record for record in records if not record.get("id")]
    looked: dict[tuple[str, str], LookupResult] = {}
    for name, by in _BY.items():
        # Of several spellings the first is asked for.
        written = {_key(name, record[name]): record[name] for record in reversed(rest) if record.get(name)}
        all_of_it = look_up_all(workspace.client, list(written.values()), by, tell, width=width)
        looked |= {(name, key): outcome for key, outcome in zip(written, all_of_it, strict=True)}
    for record in rest:
        outcomes = [looked[name, _key(name, record[name])] for name in _BY if record.get(name)]
        matches = [{str(match.itinerary_id): match for match in outcome.matches} for outcome in outcomes]
        both = [match for itinerary_id, match in matches[0].items() if all(itinerary_id in each for each in matches)]
        for match in both:
            ids.setdefault(str(match.itinerary_id), match.spelling if match.field == "pnr" else "")
        if both:
            continue
        if any(outcome.error is not None for outcome in outcomes):
            into = found.unasked
        else:
            into = found.unclear if any(matches) else found.missing
        into.append("; ".join(outcome.value for outcome in outcomes))
    for values in (found.missing, found.unclear, found.unasked):
        values[:] = dict.fromkeys(values)
    rosters = roster_travelers(workspace)
    for itinerary_id, locator in ids.items():
        said, who = known.get(itinerary_id, ("", ""))
        locator = locator or said
        who = who or short_names(rosters.get(normalize_locator(locator), ()))
        found.rows.append({"id": itinerary_id, "locator": locator, "who": who})
    return found


def _key(name: str, value: str) -> str:
    return normalize_locator(value) if name == "locator" else value


def title_of(row: Mapping[str, str]) -> str:
    """What a trip is called before it goes: "WSVM7K (Ana Silva)"."""
    name = row.get("locator") or f"id {row['id']}"
    return f"{name} ({in_short(row['who'], LONGEST_NAME)})" if row.get("who") else name


def _items(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        payload = {"id": record["id"], "locator": record.get("locator", "")}
        yield Outgoing([place], payload, record.get("locator") or f"id {record['id']}")


def _send(client: ServiceClient, items: Sequence[Item]) -> list[Fate]:
    outcome = client.itineraries.delete_batch([int(item.payload["id"]) for item in items])
    return treat_missing_as_done(build_statuses(outcome, len(items)))


def _look(client: ServiceClient, items: Sequence[Item]) -> dict[int, Fate]:
    """Whether trips whose answer was lost are gone. Raises ServiceError."""
    fates: dict[int, Fate] = {}
    for item in items:
        itinerary_id = int(item.payload["id"])
        try:
            is_there = bool(list(client.itineraries.list_expected_locations(itinerary_id)))
        except NotFound:
            fates[item.position] = Fate("done", str(itinerary_id))
            continue
        if not is_there and (locator := item.payload["locator"]):
            # Some services answer for a trip that is gone with an empty page.
            references = client.itineraries.search(field_name="pnr", values=locator_spellings(locator))
            is_there = any(reference.id == itinerary_id for reference in references)
            if not is_there:
                fates[item.position] = Fate("done", str(itinerary_id))
        if is_there:
            fates[item.position] = Fate("failed", reasons={"": STILL_THERE})
    return fates


CANCELING: Final = Intake(
    kind=REMOVAL,
    noun=("trip", "trips"),
    columns=(*_COLUMNS[:1], Column("id", "Itinerary id", _COLUMNS[2].kind, required=True), Column("who", "Travelers")),
    sending=Sending(
        verb="Cancel",
        done="canceled",
        items=_items,
        send=_send,
        reconcile=_look,
        size=BATCH_DELETE,
        confirmation_lines=name_all_rows("locator", "id"),
        invalidate=lambda: server().reads.invalidate(LOOKUP_CACHE),
        follow_up=lambda desk, done: desk.journal.rosters.remove_imported(
            desk.actor, [int(item.payload["id"]) for item, _ in done], []
        ),
    ),
)
