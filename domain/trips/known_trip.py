"""What can be known of a trip, and in words: what this desk sent (from the journal) beside what the service answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from client import NotFound, ServiceError
from client.models.itineraries import ExpectedLocation, Itinerary
from domain.text.plain_text import LONGEST_NAME, in_short, plain
from domain.trips.checks import traveller_name
from domain.trips.trip_words import clock, day
from journal import locator_spellings, normalize_locator

if TYPE_CHECKING:
    from domain.file_import.row_sending import JournalContext
    from domain.runtime.workspace import Workspace
    from journal import Entry, Sent, Traveller


CREATE, UPDATE, CANCEL, DELETE = "itinerary.create", "itinerary.update", "itinerary.cancel", "itinerary.delete"
SENDS = frozenset({CREATE, UPDATE})
REMOVES = frozenset({CANCEL, DELETE})
IMPORT, REMOVAL = "trip", "trip_cancel"
"""The kinds of jobs of the ledger that send many trips, and that cancel many."""

ACTIONS = {CREATE: "added", UPDATE: "changed", CANCEL: "canceled", DELETE: "deleted"}
Badge = tuple[str, str, Literal["green", "orange", "gray", "red"]]


class Standing(StrEnum):
    """Where a trip stands, as far as this desk and the service can tell."""

    EXPECTED = "expected"  # the service has expected locations for it
    NO_LOCATIONS = "no locations"  # the service knows the trip (or may), and expects nobody anywhere
    CANCELED_HERE = "canceled here"
    DELETED_HERE = "deleted here"
    GONE = "gone"  # the service can not find it, and nothing here removed it
    NOT_ASKED = "not asked"  # the service could not be asked


@dataclass(frozen=True)
class DeskChange:
    """One thing this desk asked of the service about the trip, and how it ended.

    `state` is the journal's: "succeeded", "refused", "not sent", "unknown", or "started" while it is under way.
    `itinerary` is what was sent, None where nothing readable was.
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
        """True when the service said yes."""
        return self.state == "succeeded"

    @property
    def is_unknown(self) -> bool:
        """True when nobody here knows whether it was done."""
        return self.state == "unknown"

    @property
    def removes(self) -> bool:
        """True where the trip was to go."""
        return self.action in REMOVES or (self.itinerary is not None and self.itinerary.is_canceled)


@dataclass(frozen=True)
class KnownTrip:
    """All that can be known of one trip, each part from where it comes.

    `changes` is everything this desk asked about the trip, newest first. `locations` are the service's answer at
    `asked_at`; `found` is False when it said it can not find the trip, True when it knows it, None when it could not
    tell.
    """

    itinerary_id: int
    locator: str | None
    changes: tuple[DeskChange, ...]
    locations: tuple[ExpectedLocation, ...]
    found: bool | None
    error: ServiceError | None
    asked_at: datetime

    @property
    def sent(self) -> DeskChange | None:
        """The latest version that this desk sent and the service accepted, kept in the journal.

        The service has no way to read a trip back, so a later change made elsewhere does not show in it.
        """
        return settled(self.changes)[0]

    @property
    def itinerary(self) -> Itinerary | None:
        """What was sent as that version; None where this desk holds none."""
        return self.sent.itinerary if self.sent else None

    @property
    def removed(self) -> DeskChange | None:
        """The removal, where it was done from here and nothing was sent since."""
        return settled(self.changes)[1]

    @property
    def unknown(self) -> tuple[DeskChange, ...]:
        """The changes newer than `sent` (or than the removal) whose outcome nobody knows."""
        return settled(self.changes)[2]

    @property
    def standing(self) -> Standing:
        """Where the trip stands. What the service says now outweighs what was done here: a trip that was canceled here
        and has locations again has been made anew elsewhere.
        """
        if self.locations:
            return Standing.EXPECTED
        if self.removed is not None and self.found is not True:
            return Standing.DELETED_HERE if self.removed.action == DELETE else Standing.CANCELED_HERE
        if self.error is not None:
            return Standing.NOT_ASKED
        return Standing.GONE if self.found is False else Standing.NO_LOCATIONS

    @property
    def is_removed(self) -> bool:
        """True when there is nothing left to change, cancel or delete, as far as can be told."""
        return self.standing in {Standing.CANCELED_HERE, Standing.DELETED_HERE, Standing.GONE}

    @property
    def title(self) -> str:
        """The record locator, or the id where no locator is known."""
        return self.locator or f"Itinerary {self.itinerary_id}"


def known_trip(workspace: "Workspace", *, itinerary_id: int, locator: str | None = None) -> KnownTrip:
    """Read the journal and ask the service about one itinerary.

    Two calls at most: its expected locations, and, where there are none, a search for the record locator it was sent
    with, to tell a trip without locations from one that is gone. A `ServiceError` does not leave: it is in `error`.
    """
    changes = desk_changes(workspace, itinerary_id, locator)
    sent_as = next((change.locator for change in changes if change.locator and change.subject_id), None)
    locations: tuple[ExpectedLocation, ...] = ()
    found: bool | None = None
    error: ServiceError | None = None
    try:
        locations = tuple(workspace.client.itineraries.list_expected_locations(itinerary_id))
        found = bool(locations) or sent_as is None
        if not found and sent_as is not None:
            # Some services answer for a trip that is gone with an empty page.
            references = workspace.client.itineraries.search(field_name="pnr", values=locator_spellings(sent_as))
            found = any(reference.id == itinerary_id for reference in references)
    except NotFound:
        found = False
    except ServiceError as problem:
        found, error = None, problem
    return KnownTrip(itinerary_id, locator or sent_as, changes, locations, found, error, datetime.now(UTC))


def id_known_here(desk: "JournalContext", locator: str) -> int | None:
    """The id of the trip with which this desk did something last under a record locator. Raises JournalError."""
    changes = desk_changes(desk, None, locator)
    return next((int(change.subject_id) for change in changes if change.subject_id), None)


def desk_changes(desk: "JournalContext", itinerary_id: int | None, locator: str | None) -> tuple[DeskChange, ...]:
    """Everything that this desk did with a trip, one by one or among many, newest first. Raises JournalError.

    Without an id, with every trip that had this record locator.
    """
    subject_id = None if itinerary_id is None else str(itinerary_id)
    spellings = locator_spellings(locator) if locator else ()
    entries = desk.journal.audit.history(
        desk.actor.service,
        desk.actor.organization_id,
        subject_kind="itinerary",
        subject_id=subject_id,
        subject_names=spellings,
    )
    labels = [*([] if subject_id is None else [f"id {subject_id}"]), *spellings]
    sent = desk.journal.ledger_history.list_sent(desk.actor, [IMPORT, REMOVAL], labels=labels, result_id=subject_id)
    one_by_one = changes_of(entries, itinerary_id=itinerary_id, locator=locator)
    among_many = changes_among_many(sent, itinerary_id=itinerary_id)
    return tuple(sorted((*one_by_one, *among_many), key=lambda change: change.at, reverse=True))


def changes_among_many(sent: "Iterable[Sent]", *, itinerary_id: int | None) -> list[DeskChange]:
    """Turn what jobs sent (newest first) into this trip's changes, other trips of the same locator left out."""
    states = {"done": "succeeded", "failed": "refused", "not sent": "not sent", "unknown": "unknown"}
    changes = []
    for each in sent:
        item = each.item
        subject_id = str(item.payload["id"]) if each.kind == REMOVAL else item.fate.result_id
        if itinerary_id is not None and subject_id not in (None, str(itinerary_id)):
            continue
        itinerary = _itinerary_of(item.payload) if each.kind == IMPORT else None
        is_sent = itinerary is not None and not itinerary.is_canceled
        changes.append(
            DeskChange(
                at=each.at,
                by=each.by,
                action=CREATE if is_sent else CANCEL,
                state=states[item.fate.state],
                itinerary=itinerary,
                subject_id=subject_id,
                locator=str(item.payload.get("pnr") or item.payload.get("locator") or "") or None,
                message=item.fate.reasons.get("") if item.fate.state == "failed" else None,
            )
        )
    return changes


def changes_of(entries: "Iterable[Entry]", *, itinerary_id: int | None, locator: str | None) -> tuple[DeskChange, ...]:
    """Turn journal entries (newest first) into this trip's changes, other trips of the same locator left out.

    An entry that names another itinerary id is another trip's. One that names none (a creation whose answer was lost,
    or that was refused) counts when its record locator is this trip's.
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
            DeskChange(
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


def settled(changes: Sequence[DeskChange]) -> tuple[DeskChange | None, DeskChange | None, tuple[DeskChange, ...]]:
    """Out of changes, newest first: the latest version sent, the removal if that was last, the unknown ones since."""
    done = [change for change in changes if change.succeeded]
    versions = (change for change in done if change.action in SENDS and change.itinerary and not change.removes)
    removed = done[0] if done and done[0].removes else None
    last = changes.index(done[0]) if done else len(changes)
    return next(versions, None), removed, tuple(change for change in changes[:last] if change.is_unknown)


def _itinerary_in(request: object) -> Itinerary | None:
    return _itinerary_of(request.get("itinerary")) if isinstance(request, dict) else None


def _itinerary_of(wire: object) -> Itinerary | None:
    if not isinstance(wire, dict):
        return None
    try:
        return Itinerary.model_validate(wire)
    except ValidationError:
        return None


BADGES: dict[Standing, Badge] = {
    Standing.EXPECTED: ("Active", ":material/check_circle:", "green"),
    Standing.NO_LOCATIONS: ("No expected locations", ":material/location_off:", "orange"),
    Standing.CANCELED_HERE: ("Canceled", ":material/event_busy:", "gray"),
    Standing.DELETED_HERE: ("Deleted", ":material/delete_forever:", "gray"),
    Standing.GONE: ("Not found", ":material/search_off:", "orange"),
    Standing.NOT_ASKED: ("The service could not be asked", ":material/cloud_off:", "orange"),
}


@dataclass(frozen=True)
class DeskNote:
    """What stands beside an itinerary's id in a list; empty texts where this desk knows nothing."""

    locator: str
    status: str
    sent: str
    travellers: tuple[str, ...]


def note_of(changes: Sequence[DeskChange], locator: str | None, rosters: Mapping[str, Sequence[str]]) -> DeskNote:
    """Say what the journal's changes (newest first) and the rosters, as `roster_travellers`, tell of a trip."""
    locator = locator or next((change.locator for change in changes if change.locator), None) or ""
    sent, removed, unknown = settled(changes)
    itinerary = sent.itinerary if sent else None
    known = tuple(travellers_of(itinerary)) if itinerary else tuple(rosters.get(normalize_locator(locator), ()))
    return DeskNote(
        locator=locator,
        status=_status(itinerary, removed, unknown),
        sent=sent_words(sent) if sent else "",
        travellers=known,
    )


def travellers_of(itinerary: Itinerary) -> list[str]:
    """The names of who travels, as ``First Last``; of one without, the employee id or an e-mail address."""
    return [
        traveller_name(each) or each.employee_id or next(iter(each.email_addresses or []), "unnamed")
        for each in itinerary.passengers
    ]


def removed_words(removal: DeskChange) -> str:
    """Say that a trip was removed by this desk, and how."""
    return "Deleted in Muster" if removal.action == DELETE else "Canceled in Muster"


def sent_words(sent: DeskChange) -> str:
    """Say when and by whom the latest version was sent: ``sent from here Fri, Nov 20 by ana``."""
    return f"sent from Muster {day(sent.at.date())} by {sent.by}"


def change_words(change: DeskChange) -> str:
    """Say what was asked of the service, when, by whom and how it ended, in one line."""
    action, told = ACTIONS.get(change.action, change.action), f"{clock(change.at)} UTC · {change.by} ·"
    if change.is_unknown:
        return f"{told} may have {action} it: the answer was lost"
    if change.state == "started":
        return f"{told} is having it {action}: there is no answer yet"
    if change.succeeded:
        return f"{told} {action} it"
    reason = f": {change.message}" if change.message else ""
    return f"{told} wanted to have it {action}, {change.state}{reason}"


def head_words(travellers: Sequence[str]) -> str:
    """Write who travels in short: ``Ana Silva +1``."""
    if not travellers:
        return ""
    first = in_short(travellers[0], LONGEST_NAME)
    return first if len(travellers) == 1 else f"{first} +{len(travellers) - 1:,}"


def roster_travellers(workspace: "Workspace") -> dict[str, tuple[str, ...]]:
    """The travellers that the organization's rosters name, by normalized record locator."""
    found: dict[str, dict[str, None]] = {}
    for roster in workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id):
        for entry in roster.entries():
            if entry.travellers:
                found.setdefault(normalize_locator(entry.record_locator), {}).update(
                    dict.fromkeys(_names(entry.travellers))
                )
    return {locator: tuple(names) for locator, names in found.items()}


def source_words(known: KnownTrip, *, worked_out: bool) -> str:
    """Say what of the trip is this desk's memory, what the service's answer, and what can not be known.

    `worked_out` says that the timeline of a trip made elsewhere is worked out from its expected locations.
    """
    return f"{_standing(known)} {_itinerary(known, worked_out)}".strip()


def unknown_words(known: KnownTrip) -> str:
    """Say which changes may or may not have been done, and what to do."""
    change = known.unknown[0]
    action = {CREATE: "add", UPDATE: "change", CANCEL: "cancel", DELETE: "delete"}[change.action]
    more = f", and {len(known.unknown) - 1:,} before it," if len(known.unknown) > 1 else ""
    return (
        f"**It is not known whether the last change was done.** {plain(change.by)} asked the service to {action} this "
        f"trip ({clock(change.at)} UTC){more} and the answer was lost. Compare the expected locations below with "
        "what was meant before sending it again."
    )


def _names(travellers: "Iterable[Traveller]") -> list[str]:
    return [f"{each.first_name} {each.last_name}".strip() or each.external_id for each in travellers]


def _status(itinerary: Itinerary | None, removed: DeskChange | None, unknown: Sequence[DeskChange]) -> str:
    if unknown:
        return "Outcome of a change unknown"
    if removed:
        return removed_words(removed)
    return (itinerary.itinerary_status or "Active").strip().capitalize() if itinerary else ""


def _standing(known: KnownTrip) -> str:
    removed = known.removed
    when = f"{clock(removed.at)} UTC by {plain(removed.by)}" if removed else ""
    match known.standing:
        case Standing.CANCELED_HERE:
            return f"This trip was canceled in Muster {when}. The service has removed it and expects no one for it."
        case Standing.DELETED_HERE:
            return f"This trip was deleted in Muster {when}. The service expects no one for it."
        case Standing.GONE if any(change.removes for change in known.unknown):
            return "The service cannot find this trip. It was removed as requested in Muster."
        case Standing.GONE:
            return (
                "The service cannot find this trip, and nothing in Muster's journal removed it. It was canceled or "
                "deleted elsewhere, or never belonged to this organization."
            )
        case Standing.NO_LOCATIONS:
            return "The service expects no one anywhere for this trip."
        case _:
            if removed:
                return f"The trip was removed in Muster {when} and created again: the service expects people for it."
            return ""


def _itinerary(known: KnownTrip, worked_out: bool) -> str:
    if known.itinerary is None:
        if known.standing in {Standing.GONE, Standing.CANCELED_HERE, Standing.DELETED_HERE}:
            return "Its flights, stays, and travelers were never sent from Muster. Nothing else is known of it."
        elsewhere = "**This trip was created outside Muster**, and the service has no way to read a trip back."
        if worked_out:
            return (
                f"{elsewhere} Its timeline, map, and travelers are worked out from where the service expects people. "
                "Flight numbers, carriers, and travelers without a contact are not known."
            )
        return f"{elsewhere} What can be known is where the service expects its people, below."
    if known.is_removed:
        return "What was last sent from Muster is in the journal and shown below."
    return (
        "The segments and travelers are those last sent from Muster, as stored in the journal. The service has no "
        "way to read a trip back, so a change made outside Muster does not show in them. The expected locations are "
        "those of the service now."
    )
