"""Everything Muster knows of a trip: what Muster sent, from the journal, and what the service returns now."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from client import NotFound, ServiceError
from client.models.itineraries import ExpectedLocation, Itinerary
from domain.tables.status import DELETED, UNKNOWN, Status
from domain.text.plain_text import LONGEST_NAME, in_short, plain
from domain.trips.checks import traveler_name
from domain.trips.trip_format import clock, day
from journal import locator_spellings, normalize_locator

if TYPE_CHECKING:
    from domain.file_import.row_sending import JournalContext
    from domain.runtime.workspace import Workspace
    from journal import Entry, Sent, Traveler


CREATE, UPDATE, CANCEL, DELETE = "itinerary.create", "itinerary.update", "itinerary.cancel", "itinerary.delete"
SENDS = frozenset({CREATE, UPDATE})
REMOVES = frozenset({CANCEL, DELETE})
IMPORT, REMOVAL = "trip", "trip_cancel"
"""The job types of the ledger that send many trips, and that cancel many trips."""

ACTIONS = {CREATE: "added", UPDATE: "changed", CANCEL: "canceled", DELETE: "deleted"}
STATUS_LABELS = {
    "succeeded": "Sent",
    "refused": "Failed",
    "not sent": "Not sent",
    "unknown": "Unknown",
    "started": "Sending",
}
"""The status word of each state in the journal."""


class TripStatus(StrEnum):
    """The status of a trip, as far as Muster and the service know."""

    EXPECTED = "expected"  # the service has expected locations
    NO_LOCATIONS = "no locations"  # the service may have the trip, but expects no one anywhere
    CANCELED = "canceled"
    DELETED = "deleted"
    NOT_FOUND = "not found"  # the service does not have the trip, and Muster did not remove it
    UNAVAILABLE = "unavailable"  # the service could not be read


@dataclass(frozen=True)
class TripChange:
    """A request that Muster sent about a trip, and its result.

    `state` is the journal's: "succeeded", "refused", "not sent", "unknown", or "started". `itinerary` is None if
    nothing readable was sent.
    """

    at: datetime
    by: str
    action: str
    state: str
    itinerary: Itinerary | None
    subject_id: str | None
    locator: str | None
    message: str | None

    @property
    def succeeded(self) -> bool:
        """Return whether the service accepted the change."""
        return self.state == "succeeded"

    @property
    def is_unknown(self) -> bool:
        """Return whether the result is unknown."""
        return self.state == "unknown"

    @property
    def removes(self) -> bool:
        """Return whether the change cancels or deletes the trip."""
        return self.action in REMOVES or (self.itinerary is not None and self.itinerary.is_canceled)


@dataclass(frozen=True)
class KnownTrip:
    """Everything Muster knows of one trip.

    `changes` are Muster's requests, newest first. `locations` are the service's as of `read_at`. `is_found` says
    whether the service has the trip; None if the service could not be read.
    """

    itinerary_id: int
    locator: str | None
    changes: tuple[TripChange, ...]
    locations: tuple[ExpectedLocation, ...]
    is_found: bool | None
    error: ServiceError | None
    read_at: datetime

    @property
    def last_sent(self) -> TripChange | None:
        """The latest version that Muster sent and the service accepted.

        The service cannot return trips, so a later change made outside Muster is not included.
        """
        return summarize_changes(self.changes)[0]

    @property
    def itinerary(self) -> Itinerary | None:
        """The itinerary of that version; None if Muster sent none."""
        return self.last_sent.itinerary if self.last_sent else None

    @property
    def removal(self) -> TripChange | None:
        """The removal in Muster; None if there was none, or if the trip was sent again."""
        return summarize_changes(self.changes)[1]

    @property
    def unknown_changes(self) -> tuple[TripChange, ...]:
        """The changes with status Unknown since the last known one."""
        return summarize_changes(self.changes)[2]

    @property
    def status(self) -> TripStatus:
        """The status of the trip. What the service returns now takes precedence: a canceled trip with expected
        locations was created again outside Muster.
        """
        if self.locations:
            return TripStatus.EXPECTED
        if self.removal is not None and self.is_found is not True:
            return TripStatus.DELETED if self.removal.action == DELETE else TripStatus.CANCELED
        if self.error is not None:
            return TripStatus.UNAVAILABLE
        return TripStatus.NOT_FOUND if self.is_found is False else TripStatus.NO_LOCATIONS

    @property
    def is_removed(self) -> bool:
        """Return whether nothing is left to change, cancel, or delete, as far as known."""
        return self.status in {TripStatus.CANCELED, TripStatus.DELETED, TripStatus.NOT_FOUND}

    @property
    def title(self) -> str:
        """The record locator; without one, the itinerary ID."""
        return self.locator or f"Itinerary {self.itinerary_id}"


def load_known_trip(workspace: "Workspace", *, itinerary_id: int, locator: str | None = None) -> KnownTrip:
    """Read the journal, and the trip from the service.

    Makes at most two requests: for expected locations and, if there are none, for the record locator, to find out
    whether the trip exists. A `ServiceError` is returned in `error`.
    """
    changes = load_trip_changes(workspace, itinerary_id, locator)
    sent_as = next((change.locator for change in changes if change.locator and change.subject_id), None)
    locations: tuple[ExpectedLocation, ...] = ()
    found: bool | None = None
    error: ServiceError | None = None
    try:
        locations = tuple(workspace.client.itineraries.list_expected_locations(itinerary_id))
        found = bool(locations) or sent_as is None
        if not found and sent_as is not None:
            # Some services answer for a trip that does not exist with an empty page.
            references = workspace.client.itineraries.search(field_name="pnr", values=locator_spellings(sent_as))
            found = any(reference.id == itinerary_id for reference in references)
    except NotFound:
        found = False
    except ServiceError as problem:
        found, error = None, problem
    return KnownTrip(itinerary_id, locator or sent_as, changes, locations, found, error, datetime.now(UTC))


def find_journaled_id(context: "JournalContext", locator: str) -> int | None:
    """Return the ID of the trip that Muster last changed under a record locator. Raise JournalError."""
    changes = load_trip_changes(context, None, locator)
    return next((int(change.subject_id) for change in changes if change.subject_id), None)


def load_trip_changes(
    context: "JournalContext", itinerary_id: int | None, locator: str | None
) -> tuple[TripChange, ...]:
    """Return everything that Muster sent about a trip, singly or in jobs, newest first. Raise JournalError.

    Without an ID, return this for all trips that had the record locator.
    """
    subject_id = None if itinerary_id is None else str(itinerary_id)
    spellings = locator_spellings(locator) if locator else ()
    entries = context.journal.audit.history(
        context.actor.service,
        context.actor.organization_id,
        subject_kind="itinerary",
        subject_id=subject_id,
        subject_names=spellings,
    )
    labels = [*([] if subject_id is None else [f"id {subject_id}"]), *spellings]
    sent = context.journal.ledger_history.list_sent(
        context.actor, [IMPORT, REMOVAL], labels=labels, result_id=subject_id
    )
    one_by_one = changes_from_entries(entries, itinerary_id=itinerary_id, locator=locator)
    among_many = changes_from_jobs(sent, itinerary_id=itinerary_id)
    return tuple(sorted((*one_by_one, *among_many), key=lambda change: change.at, reverse=True))


def load_changes_of_trips(context: "JournalContext", trips: Mapping[int, str]) -> dict[int, tuple[TripChange, ...]]:
    """Return what Muster sent about each of these trips, newest first, by ID. Raise JournalError.

    `trips` are record locators by ID. Unlike `load_trip_changes`, this finds no change under an earlier record locator.
    """
    spellings = {spelling for locator in trips.values() for spelling in locator_spellings(locator)}
    service, organization = context.actor.service, context.actor.organization_id
    entries = context.journal.audit.history(
        service, organization, subject_kind="itinerary", subject_names=sorted(spellings)
    )
    sent = context.journal.ledger_history.list_sent(context.actor, [IMPORT, REMOVAL], labels=sorted(spellings))
    changes = {}
    for itinerary_id, locator in trips.items():
        same_label = [each for each in sent if normalize_locator(each.item.label) == normalize_locator(locator)]
        one_by_one = changes_from_entries(entries, itinerary_id=itinerary_id, locator=locator)
        among_many = changes_from_jobs(same_label, itinerary_id=itinerary_id)
        changes[itinerary_id] = tuple(sorted((*one_by_one, *among_many), key=lambda change: change.at, reverse=True))
    return changes


def changes_from_jobs(sent_items: "Iterable[Sent]", *, itinerary_id: int | None) -> list[TripChange]:
    """Convert items of jobs (newest first) to changes of this trip. Other trips with its record locator are left
    out.
    """
    states = {"done": "succeeded", "failed": "refused", "not sent": "not sent", "unknown": "unknown"}
    changes = []
    for each in sent_items:
        item = each.item
        subject_id = str(item.payload["id"]) if each.kind == REMOVAL else item.status.result_id
        if itinerary_id is not None and subject_id not in (None, str(itinerary_id)):
            continue
        itinerary = _parse_itinerary(item.payload) if each.kind == IMPORT else None
        is_sent = itinerary is not None and not itinerary.is_canceled
        changes.append(
            TripChange(
                at=each.at,
                by=each.by,
                action=CREATE if is_sent else CANCEL,
                state=states[item.status.state],
                itinerary=itinerary,
                subject_id=subject_id,
                locator=str(item.payload.get("pnr") or item.payload.get("locator") or "") or None,
                message=item.status.reasons.get("") if item.status.state == "failed" else None,
            )
        )
    return changes


def changes_from_entries(
    entries: "Iterable[Entry]", *, itinerary_id: int | None, locator: str | None
) -> tuple[TripChange, ...]:
    """Convert journal entries (newest first) to changes of this trip. Other trips with its record locator are left out.

    An entry without an ID (the trip was refused, or the response was lost) counts if it has this record locator.
    """
    changes = []
    for entry in entries:
        if entry.action not in SENDS | REMOVES:
            continue
        if entry.subject_id is not None:
            if itinerary_id is not None and entry.subject_id != str(itinerary_id):
                continue
        elif locator is None or normalize_locator(entry.subject_name or "") != normalize_locator(locator):
            continue
        changes.append(
            TripChange(
                at=entry.at,
                by=entry.actor.username,
                action=entry.action,
                state=entry.state,
                itinerary=_itinerary_in(entry.request),
                subject_id=entry.subject_id,
                locator=entry.subject_name,
                message=entry.message,
            )
        )
    return tuple(changes)


def summarize_changes(
    changes: Sequence[TripChange],
) -> tuple[TripChange | None, TripChange | None, tuple[TripChange, ...]]:
    """Return the latest version sent, the removal if it came last, and the changes with status Unknown since."""
    done = [change for change in changes if change.succeeded]
    versions = (change for change in done if change.action in SENDS and change.itinerary and not change.removes)
    removed = done[0] if done and done[0].removes else None
    last = changes.index(done[0]) if done else len(changes)
    return next(versions, None), removed, tuple(change for change in changes[:last] if change.is_unknown)


def _itinerary_in(request: object) -> Itinerary | None:
    return _parse_itinerary(request.get("itinerary")) if isinstance(request, dict) else None


def _parse_itinerary(payload: object) -> Itinerary | None:
    if not isinstance(payload, dict):
        return None
    try:
        return Itinerary.model_validate(payload)
    except ValidationError:
        return None


STATUSES: Final[dict[TripStatus, Status]] = {
    TripStatus.EXPECTED: Status("Active", "check_circle", "green"),
    TripStatus.NO_LOCATIONS: Status("No expected locations", "location_off", "orange"),
    TripStatus.CANCELED: Status("Canceled", "event_busy", "gray"),
    TripStatus.DELETED: DELETED,
    TripStatus.NOT_FOUND: Status("Not found", "search_off", "orange"),
    TripStatus.UNAVAILABLE: Status("Service unavailable", "cloud_off", "orange"),
}


@dataclass(frozen=True)
class TripNote:
    """What a list shows about a trip. Texts are empty, and the status is None, if Muster does not know."""

    locator: str
    status: Status | None
    sent_text: str
    travelers: tuple[str, ...]


def build_note(changes: Sequence[TripChange], locator: str | None, rosters: Mapping[str, Sequence[str]]) -> TripNote:
    """Build the note from the changes (newest first) and the travelers in rosters, by record locator."""
    locator = locator or next((change.locator for change in changes if change.locator), None) or ""
    sent, removal, unknown = summarize_changes(changes)
    itinerary = sent.itinerary if sent else None
    known = tuple(traveler_names(itinerary)) if itinerary else tuple(rosters.get(normalize_locator(locator), ()))
    return TripNote(
        locator=locator,
        status=_status(itinerary, removal, unknown),
        sent_text=sent_text(sent) if sent else "",
        travelers=known,
    )


def traveler_names(itinerary: Itinerary) -> list[str]:
    """Return the names of the travelers as ``First Last``; for one without a name, the employee ID or an email
    address.
    """
    return [
        traveler_name(each) or each.employee_id or next(iter(each.email_addresses or []), "unnamed")
        for each in itinerary.passengers
    ]


def removal_status(removal: TripChange) -> Status:
    """Return the status of a trip that was removed in Muster."""
    if removal.action == DELETE:
        return Status("Deleted in Muster", DELETED.icon, DELETED.color)
    return Status("Canceled in Muster", "event_busy", "gray")


def sent_text(change: TripChange) -> str:
    """Say when and by whom a version was sent: ``sent from Muster Fri, Nov 20 by ana``."""
    return f"sent from Muster {day(change.at.date())} by {change.by}"


def describe_change(change: TripChange) -> str:
    """Describe a change in one line: when, by whom, what, and its result."""
    action = ACTIONS.get(change.action, change.action).capitalize()
    status = STATUS_LABELS.get(change.state, change.state)
    reason = f": {change.message}" if change.message and not change.succeeded else ""
    return f"{clock(change.at)} UTC · {change.by} · {action} · {status}{reason}"


def short_names(travelers: Sequence[str]) -> str:
    """Return the first traveler and the number of others: ``Ana Silva +1``."""
    if not travelers:
        return ""
    first = in_short(travelers[0], LONGEST_NAME)
    return first if len(travelers) == 1 else f"{first} +{len(travelers) - 1:,}"


def roster_travelers(workspace: "Workspace") -> dict[str, tuple[str, ...]]:
    """Return the names of the travelers in the organization's rosters, by normalized record locator."""
    found: dict[str, dict[str, None]] = {}
    for roster in workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id):
        for entry in roster.entries():
            if entry.travelers:
                found.setdefault(normalize_locator(entry.record_locator), {}).update(
                    dict.fromkeys(_names(entry.travelers))
                )
    return {locator: tuple(names) for locator, names in found.items()}


def describe_source(trip: KnownTrip, *, is_reconstructed: bool) -> str:
    """Say which information about the trip comes from Muster and which from the service, and what is unknown.

    `is_reconstructed` says that the timeline of a trip made outside Muster comes from its expected locations.
    """
    return f"{_describe_status(trip)} {_describe_itinerary(trip, is_reconstructed)}".strip()


def unknown_text(trip: KnownTrip) -> str:
    """Say which changes have status Unknown, and what to do."""
    change, earlier = trip.unknown_changes[0], len(trip.unknown_changes) - 1
    result = {
        CREATE: "This trip may or may not have been added.",
        UPDATE: "This trip may or may not have been changed.",
        CANCEL: "This trip may or may not have been canceled.",
        DELETE: "This trip may or may not have been deleted.",
    }[change.action]
    more = f" Earlier changes with status Unknown: {earlier:,}." if earlier else ""
    return (
        f"**The change by {plain(change.by)} ({clock(change.at)} UTC) has status Unknown.** {result}{more} "
        "Compare the expected locations below before you send it again."
    )


def _names(travelers: "Iterable[Traveler]") -> list[str]:
    return [f"{each.first_name} {each.last_name}".strip() or each.external_id for each in travelers]


def _status(itinerary: Itinerary | None, removed: TripChange | None, unknown: Sequence[TripChange]) -> Status | None:
    if unknown:
        return UNKNOWN
    if removed:
        return removal_status(removed)
    if itinerary is None:
        return None
    status, active = (itinerary.itinerary_status or "").strip().capitalize(), STATUSES[TripStatus.EXPECTED]
    return Status(status, "info", "gray") if status not in ("", active) else active


def _describe_status(known: KnownTrip) -> str:
    removed = known.removal
    when = f"{clock(removed.at)} UTC by {plain(removed.by)}" if removed else ""
    match known.status:
        case TripStatus.CANCELED:
            return (
                f"This trip was canceled in Muster {when}. The service has removed the trip and its expected locations."
            )
        case TripStatus.DELETED:
            return f"This trip was deleted in Muster {when}. The trip has no expected locations."
        case TripStatus.NOT_FOUND if any(change.removes for change in known.unknown_changes):
            return "The service cannot find this trip. It was removed as requested in Muster."
        case TripStatus.NOT_FOUND:
            return (
                "The service cannot find this trip, and Muster did not remove it. It was canceled or deleted outside "
                "Muster, or never belonged to this organization."
            )
        case TripStatus.NO_LOCATIONS:
            return "This trip has no expected locations."
        case _:
            if removed:
                return (
                    f"This trip was removed in Muster {when} and created again. The trip has expected locations again."
                )
            return ""


def _describe_itinerary(known: KnownTrip, is_reconstructed: bool) -> str:
    if known.itinerary is None:
        if known.status in {TripStatus.NOT_FOUND, TripStatus.CANCELED, TripStatus.DELETED}:
            return "Its flights, stays, and travelers were never sent from Muster, so Muster cannot show them."
        elsewhere = "**This trip was created outside Muster**, and the service cannot return trips."
        if is_reconstructed:
            return (
                f"{elsewhere} Its timeline, map, and travelers come from the expected locations. Flight numbers, "
                "carriers, and travelers without a contact are unknown."
            )
        return f"{elsewhere} Muster knows only the expected locations below."
    if known.is_removed:
        return "The version last sent from Muster is shown below."
    return (
        "The segments and travelers are those last sent from Muster, as stored in the journal. The service cannot "
        "return trips, so changes made outside Muster are not shown. The expected locations are those of "
        "the service now."
    )
