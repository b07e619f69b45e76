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


@dataclass(frozen=True)
class KnownTrip:
    """All that can be known of one trip, each part from where it comes.

    `itinerary` and `sent` are the latest version that this desk sent and the service accepted, kept in the journal; the
    service has no way to read a trip back, so a later change made elsewhere does not show in them. `locations` are the
    service's answer at `asked_at`. `changes` is everything this desk asked about the trip, newest first; `unknown` are
    those newer than `sent` (or than the removal) whose outcome nobody knows.
    """

    itinerary_id: int | None
    locator: str | None
    itinerary: Itinerary | None
    sent: Change | None
    removed: Change | None
    changes: tuple[Change, ...]
    unknown: tuple[Change, ...]
    locations: tuple[ExpectedLocation, ...]
    standing: Standing
    error: ServiceError | None
    asked_at: datetime

    @property
    def sent_from_here(self) -> bool:
        """True when this desk holds a version that the service accepted."""
        return self.itinerary is not None

    @property
    def is_removed(self) -> bool:
        """True when there is nothing left to change, cancel or delete, as far as can be told."""
        return self.standing in {Standing.CANCELED_HERE, Standing.DELETED_HERE, Standing.GONE}

    @property
    def title(self) -> str:
        """The record locator, or the id where no locator is known."""
        return self.locator or (f"Itinerary {self.itinerary_id}" if self.itinerary_id is not None else "A trip")


def known_trip(workspace: "Workspace", *, itinerary_id: int, locator: str | None = None) -> KnownTrip:
    """Read the journal and ask the service about one itinerary.

    Two calls at most: its expected locations, and, where there are none, a search for the record locator it was sent
    with, to tell a trip without locations from one that is gone. A `ServiceError` does not leave: it is in `error`.
    """
    changes = desk_changes(workspace, itinerary_id, locator)
    sent_as = next((change.locator for change in changes if change.locator and change.subject_id), None)
    locator = locator or sent_as
    locations: list[ExpectedLocation] = []
    found: bool | None = None
    error: ServiceError | None = None
    try:
        locations = list(workspace.client.itineraries.list_expected_locations(itinerary_id))
        found = True if locations or sent_as is None else _is_listed(workspace, itinerary_id, sent_as)
    except NotFound:
        found = False
    except ServiceError as problem:
        error = problem
    return combine(
        itinerary_id=itinerary_id,
        locator=locator,
        changes=changes,
        locations=locations,
        found=found,
        error=error,
        asked_at=datetime.now(UTC),
    )


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


def combine(
    *,
    itinerary_id: int | None,
    locator: str | None,
    changes: Sequence[Change],
    locations: Sequence[ExpectedLocation],
    found: bool | None,
    error: ServiceError | None,
    asked_at: datetime,
) -> KnownTrip:
    """Say what is known from the journal's changes (newest first) and the service's answer.

    `found` is False when the service said it can not find the trip, True when it knows it, None when it could not tell.
    """
    sent, removed, unknown = settled(changes)
    return KnownTrip(
        itinerary_id=itinerary_id,
        locator=locator,
        itinerary=sent.itinerary if sent else None,
        sent=sent,
        removed=removed,
        changes=tuple(changes),
        unknown=unknown,
        locations=tuple(locations),
        standing=_standing(removed, locations, found, error),
        error=error,
        asked_at=asked_at,
    )


def settled(changes: Sequence[Change]) -> tuple[Change | None, Change | None, tuple[Change, ...]]:
    """Out of changes, newest first: the latest version sent, the removal if that was last, the unknown ones since."""
    done = [change for change in changes if change.succeeded]
    versions = (change for change in done if change.action in SENDS and change.itinerary and not _removes(change))
    removed = done[0] if done and _removes(done[0]) else None
    last = changes.index(done[0]) if done else len(changes)
    return next(versions, None), removed, tuple(change for change in changes[:last] if change.is_unknown)


def _standing(
    removed: Change | None, locations: Sequence[ExpectedLocation], found: bool | None, error: ServiceError | None
) -> Standing:
    # What the service says now outweighs what was done here: a trip that was canceled here and has locations again has
    # been made anew elsewhere.
    if locations:
        return Standing.EXPECTED
    if removed is not None and found is not True:
        return Standing.DELETED_HERE if removed.action == DELETE else Standing.CANCELED_HERE
    if error is not None:
        return Standing.NOT_ASKED
    if found is False:
        return Standing.GONE
    return Standing.NO_LOCATIONS


def _removes(change: Change) -> bool:
    return change.action in REMOVES or (change.itinerary is not None and change.itinerary.is_canceled)


def _itinerary_in(request: object) -> Itinerary | None:
    return _itinerary_of(request.get("itinerary")) if isinstance(request, dict) else None


def _itinerary_of(wire: object) -> Itinerary | None:
    if not isinstance(wire, dict):
        return None
    try:
        return Itinerary.model_validate(wire)
    except ValidationError:
        return None


def _is_listed(workspace: "Workspace", itinerary_id: int, locator: str) -> bool:
    # Some services answer for a trip that is gone with an empty page.
    references = workspace.client.itineraries.search(field_name="pnr", values=[locator])
    return any(reference.id == itinerary_id for reference in references)
