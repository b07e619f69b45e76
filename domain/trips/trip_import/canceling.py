"""Cancel many trips at once: find them by record locator, external ID, or ID, and delete them in batches."""

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
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import build_statuses, treat_missing_as_done
from domain.file_import.row_problems import Problem, Rows, find_repeats
from domain.file_import.row_sending import Outgoing, Sending, list_names
from domain.runtime.server import server
from domain.text.plain_text import LONGEST_NAME, in_short
from domain.trips.known_trip import REMOVAL, roster_travelers, short_names, traveler_names
from domain.trips.lookup import LOOKUP_CACHE, LookupBy, LookupResult, look_up_all, parse_values
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import Item, ItemStatus, locator_spellings, normalize_locator

if TYPE_CHECKING:
    from client import ServiceClient
    from domain.runtime.workspace import Workspace
    from domain.tables.loaded_records import ReportProgress

NAMED: Final = 8
STILL_THERE: Final = "The response was lost, and the service still has the trip. You can cancel it again."
MOST: Final = 100_000
_BY: Final = {"locator": LookupBy.LOCATOR, "external": LookupBy.EXTERNAL_ID}


def describe_travelers(payload: Mapping[str, Any]) -> str:
    """Return the travelers of an itinerary's payload: "Ana Silva +1"."""
    return short_names(traveler_names(Itinerary.model_validate({"passengers": payload.get("passengers", [])})))


def _read_list(text: str) -> Table | None:
    """Read a list of only record locators or IDs, with any separator. Return None for a table."""
    first, delimiter = first_row(text)
    if count_known_headings(first, TRIPS_TO_CANCEL.columns) or not any(first):
        return None
    lines = [line for line in split_lines(text) if line.strip()]
    if len(lines) > 1 and len({line.count(delimiter) for line in lines}) == 1 and delimiter in lines[0]:
        return None
    values = parse_values(text, limit=MOST).values
    heading = "id" if all(value.isascii() and value.isdigit() for value in values) else "locator"
    return Table(delimiter, [[heading], *([value] for value in values)], list(range(len(values) + 1)))


def _require_identifier(rows: Rows) -> Iterator[Problem]:
    none = (rows.texts[["locator", "external", "id"]] == "").all(axis=1).to_numpy(dtype=bool)
    yield Problem(none, "locator", "Enter a record locator, an external ID, or an ID.")


_COLUMNS: Final = (
    Column(
        "locator",
        "Record locator",
        Text(max_length=255),
        aliases=("pnr", "recloc", "booking reference"),
        key=normalize_locator,
        is_code=True,
    ),
    Column(
        "external",
        "External ID",
        Text(max_length=255),
        aliases=("external itinerary id", "external trip id"),
        is_code=True,
    ),
    Column(
        "id",
        "Trip ID",
        Text(pattern="0*[1-9][0-9]*", message="The ID must be a whole number above 0."),
        aliases=("itinerary id", "itinerary"),
        help="The ID of the trip in the service.",
    ),
)
TRIPS_TO_CANCEL: Final = ImportDeclaration(
    kind="trips_to_cancel",
    noun=("trip", "trips"),
    columns=_COLUMNS,
    rules=(
        _require_identifier,
        find_repeats("locator", "external", "id", message="Another row has the same trip.", is_error=False),
    ),
    most_rows=MOST,
    custom_reader=_read_list,
    help="One row per trip, with a record locator, external ID, or ID. A list of record locators or IDs works too.",
    placeholder="WSVM7K, QX2R9T …\nor rows with headings: Record locator, External ID, Trip ID",
)


@dataclass(frozen=True)
class FoundTrips:
    """The trips at the service: rows for `CANCELING`, and the values that were not found."""

    rows: list[dict[str, str]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)


def find_trips(
    workspace: Workspace, records: Sequence[Mapping[str, str]], tell: ReportProgress, *, width: int
) -> FoundTrips:
    """Find each trip by its ID, or by record locator and external ID. If a row has both, the trip must match both.

    Reads only. A trip with an ID is not looked up. Raises JournalError.
    """
    names_by_id = {
        each.result_id: (str(each.payload.get("pnr", "")), describe_travelers(each.payload))
        for each in workspace.journal.ledger_history.list_done(workspace.actor, [TRIPS.kind])
        if each.result_id is not None
    }
    found = FoundTrips()
    ids: dict[str, str] = {str(int(record["id"])): "" for record in records if record.get("id")}
    without_id = [record for record in records if not record.get("id")]
    results: dict[tuple[str, str], LookupResult] = {}
    for name, by in _BY.items():
        # Of several spellings, the first is searched for.
        spellings = {_key(name, record[name]): record[name] for record in reversed(without_id) if record.get(name)}
        lookups = look_up_all(workspace.client, list(spellings.values()), by, tell, width=width)
        results |= {(name, key): lookup for key, lookup in zip(spellings, lookups, strict=True)}
    for record in without_id:
        outcomes = [results[name, _key(name, record[name])] for name in _BY if record.get(name)]
        matches = [{str(match.itinerary_id): match for match in outcome.matches} for outcome in outcomes]
        both = [match for itinerary_id, match in matches[0].items() if all(itinerary_id in each for each in matches)]
        for match in both:
            ids.setdefault(str(match.itinerary_id), match.spelling if match.field == "pnr" else "")
        if both:
            continue
        if any(outcome.error is not None for outcome in outcomes):
            group = found.unread
        else:
            group = found.unclear if any(matches) else found.missing
        group.append("; ".join(outcome.value for outcome in outcomes))
    for values in (found.missing, found.unclear, found.unread):
        values[:] = dict.fromkeys(values)
    rosters = roster_travelers(workspace)
    for itinerary_id, locator in ids.items():
        known_locator, who = names_by_id.get(itinerary_id, ("", ""))
        locator = locator or known_locator
        who = who or short_names(rosters.get(normalize_locator(locator), ()))
        found.rows.append({"id": itinerary_id, "locator": locator, "who": who})
    return found


def _key(name: str, value: str) -> str:
    return normalize_locator(value) if name == "locator" else value


def trip_title(row: Mapping[str, str]) -> str:
    """Return the name of a trip in a confirmation: "WSVM7K (Ana Silva)"."""
    name = row.get("locator") or f"ID {row['id']}"
    return f"{name} ({in_short(row['who'], LONGEST_NAME)})" if row.get("who") else name


def _build_items(rows: Rows) -> Iterator[Outgoing]:
    for place, record in enumerate(rows.records()):
        payload = {"id": record["id"], "locator": record.get("locator", "")}
        yield Outgoing([place], payload, record.get("locator") or f"ID {record['id']}")


def _send(client: ServiceClient, items: Sequence[Item]) -> list[ItemStatus]:
    outcome = client.itineraries.delete_batch([int(item.payload["id"]) for item in items])
    return treat_missing_as_done(build_statuses(outcome, len(items)))


def _reconcile(client: ServiceClient, items: Sequence[Item]) -> dict[int, ItemStatus]:
    """Find out whether trips with a lost response were deleted. Raises ServiceError."""
    statuses: dict[int, ItemStatus] = {}
    for item in items:
        itinerary_id = int(item.payload["id"])
        try:
            is_there = bool(list(client.itineraries.list_expected_locations(itinerary_id)))
        except NotFound:
            statuses[item.position] = ItemStatus("done", str(itinerary_id))
            continue
        if not is_there and (locator := item.payload["locator"]):
            # Some services respond with an empty page for a deleted trip.
            references = client.itineraries.search(field_name="pnr", values=locator_spellings(locator))
            is_there = any(reference.id == itinerary_id for reference in references)
            if not is_there:
                statuses[item.position] = ItemStatus("done", str(itinerary_id))
        if is_there:
            statuses[item.position] = ItemStatus("failed", reasons={"": STILL_THERE})
    return statuses


CANCELING: Final = ImportDeclaration(
    kind=REMOVAL,
    noun=("trip", "trips"),
    columns=(*_COLUMNS[:1], Column("id", "Trip ID", _COLUMNS[2].kind, required=True), Column("who", "Travelers")),
    sending=Sending(
        verb="Cancel",
        done_verb="canceled",
        build_items=_build_items,
        send=_send,
        reconcile=_reconcile,
        max_batch_size=BATCH_DELETE,
        confirmation_lines=list_names("locator", "id"),
        invalidate=lambda: server().reads.invalidate(LOOKUP_CACHE),
        follow_up=lambda context, done: context.journal.rosters.remove_imported(
            context.actor, [int(item.payload["id"]) for item, _ in done], []
        ),
    ),
)
