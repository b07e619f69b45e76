"""What can be known of a trip: what this desk sent (from the journal) beside what the service answers now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from pydantic import ValidationError

from client import NotFound, ServiceError
from client.models.itineraries import ExpectedLocation, Itinerary

if TYPE_CHECKING:
    from components.intake.checking import Desk
    from components.shell.workspace import Workspace
    from journal import Entry, Sent

CREATE, UPDATE, CANCEL, DELETE = "itinerary.create", "itinerary.update", "itinerary.cancel", "itinerary.delete"
SENDS = frozenset({CREATE, UPDATE})
REMOVES = frozenset({CANCEL, DELETE})
IMPORT, REMOVAL = "trip", "trip_cancel"
"""The kinds of jobs of the ledger that send many trips, and that cancel many."""


class Standing(StrEnum):
    """Where a trip stands, as far as this desk and the service can tell."""

    EXPECTED = "expected"  # the service has expected locations for it
    NO_LOCATIONS = "no locations"  # the service knows the trip (or may), and expects nobody anywhere
    CANCELED_HERE = "canceled here"
    DELETED_HERE = "deleted here"
    GONE = "gone"  # the service can not find it, and nothing here removed it
    NOT_ASKED = "not asked"  # the service could not be asked


@dataclass(frozen=True)
class Change:
    """One thing this desk asked of the service about the trip, and how it ended.

    `state` is the journal's: "succeeded", "refused", "not sent", "unknown", or "started" when the desk stopped.
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
        return self.state in {"unknown", "started"}

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
    changes: tuple[Change, ...]
    locations: tuple[ExpectedLocation, ...]
    found: bool | None
    error: ServiceError | None
    asked_at: datetime

    @property
    def sent(self) -> Change | None:
        """The latest version that this desk sent and the service accepted, kept in the journal.

        The service has no way to read a trip back, so a later change made elsewhere does not show in it.
        """
        return settled(self.changes)[0]

    @property
    def itinerary(self) -> Itinerary | None:
        """What was sent as that version; None where this desk holds none."""
        return self.sent.itinerary if self.sent else None

    @property
    def removed(self) -> Change | None:
        """The removal, where it was done from here and nothing was sent since."""
        return settled(self.changes)[1]

    @property
    def unknown(self) -> tuple[Change, ...]:
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
            references = workspace.client.itineraries.search(field_name="pnr", values=[sent_as])
            found = any(reference.id == itinerary_id for reference in references)
    except NotFound:
        found = False
    except ServiceError as problem:
        found, error = None, problem
    return KnownTrip(itinerary_id, locator or sent_as, changes, locations, found, error, datetime.now(UTC))


def desk_changes(desk: "Desk", itinerary_id: int, locator: str | None) -> tuple[Change, ...]:
    """Everything that this desk did with a trip, one by one or among many, newest first. Raises JournalError."""
    entries = desk.journal.audit.history(
        desk.actor.service,
        desk.actor.organization_id,
        subject_kind="itinerary",
        subject_id=str(itinerary_id),
        subject_name=locator,
    )
    labels = [f"id {itinerary_id}", *filter(None, [locator])]
    sent = desk.journal.ledger.sent(desk.actor, [IMPORT, REMOVAL], labels=labels, result_id=str(itinerary_id))
    one_by_one = changes_of(entries, itinerary_id=itinerary_id, locator=locator)
    among_many = changes_among_many(sent, itinerary_id=itinerary_id)
    return tuple(sorted((*one_by_one, *among_many), key=lambda change: change.at, reverse=True))


def changes_among_many(sent: "Iterable[Sent]", *, itinerary_id: int) -> list[Change]:
    """Turn what jobs sent (newest first) into this trip's changes, other trips of the same locator left out."""
    states = {"done": "succeeded", "failed": "refused", "unknown": "unknown"}
    changes = []
    for each in sent:
        item = each.item
        subject_id = str(item.payload["id"]) if each.kind == REMOVAL else item.fate.result_id
        if subject_id not in (None, str(itinerary_id)):
            continue
        itinerary = _itinerary_of(item.payload) if each.kind == IMPORT else None
        is_sent = itinerary is not None and not itinerary.is_canceled
        changes.append(
            Change(
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


def changes_of(entries: "Iterable[Entry]", *, itinerary_id: int | None, locator: str | None) -> tuple[Change, ...]:
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
        elif locator is None or entry.subject_name != locator:
            continue
        changes.append(
            Change(
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


def settled(changes: Sequence[Change]) -> tuple[Change | None, Change | None, tuple[Change, ...]]:
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
