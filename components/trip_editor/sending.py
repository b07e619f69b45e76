"""Sending a draft once, and finding out what happened where the answer was lost. Nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from client import NotFound, ServiceError
from components.journal.recorded import outcome_of
from components.trip_editor import changes, draft_store
from components.trip_editor.draft import TripDraft
from components.trip_editor.field_problems import refusals
from components.trip_editor.form_state import to_itinerary
from components.trip_editor.prediction import PredictedLocation, predict
from components.widgets.ids import id_in
from journal import JournalError, RosterEntry, Traveller

if TYPE_CHECKING:
    from client.models.itineraries import ExpectedLocation, Itinerary
    from components.shell.workspace import Workspace


@dataclass(frozen=True)
class Candidate:
    """A trip the service holds under the draft's record locator, held against what the draft would give.

    `expected` locations the service has for it, `matching` of the `predicted` ones; `is_new` where it was not there
    before the sending.
    """

    itinerary_id: int
    is_new: bool
    expected: int
    matching: int
    predicted: int

    @property
    def looks_like_it(self) -> bool:
        """True where the service expects exactly what the draft would give."""
        return self.expected == self.matching == self.predicted


def options_of(draft: TripDraft) -> changes.ContactOptions:
    """How the draft wants contacts to be handled."""
    return changes.ContactOptions(
        auto_create_contact=draft.auto_create_contact,
        contact_record_type_id=id_in(draft.contact_record_type),
        email_case_sensitive=draft.email_case_sensitive,
    )


def request_of(draft: TripDraft, *, at: datetime) -> dict[str, Any]:
    """Exactly what would be sent: the method, the parameters and the body."""
    return {
        "method": "PUT" if draft.is_change else "POST",
        "parameters": options_of(draft).as_request(adding=not draft.is_change),
        "body": to_itinerary(draft, at=at).to_wire(),
    }


def send(workspace: Workspace, draft: TripDraft, *, held_before: list[int]) -> int | None:
    """Send the draft, once; return the itinerary's id, or None where it was begun before, here or in another tab.

    What is refused or never left is given back to be mended and sent again; after any other error the draft stays
    taken, since the service may have carried it out. Raises `ServiceError`.
    """
    draft_store.save(workspace, draft)
    if not draft_store.claim(workspace, draft, {"held_before": [str(each) for each in held_before]}):
        return None
    itinerary = to_itinerary(draft, at=datetime.now(UTC))
    try:
        if draft.itinerary_id is None:
            return changes.create(workspace, itinerary, options_of(draft)).id
        changes.update(workspace, draft.itinerary_id, itinerary, options_of(draft))
    except Exception as error:
        if outcome_of(error) in {"refused", "not sent"}:
            draft_store.release(workspace, draft.uid)
        raise
    return draft.itinerary_id


def carry_out(workspace: Workspace, draft: TripDraft, *, held_before: list[int]) -> list[str] | None:
    """Send the draft, keep what it is refused for, and do what follows; return what is to be said of it, as `send`."""
    try:
        itinerary_id = send(workspace, draft, held_before=held_before)
    except ServiceError as error:
        draft_store.save(workspace, refused(draft, error))
        raise
    return None if itinerary_id is None else follow_up(workspace, draft, itinerary_id)


def follow_up(workspace: Workspace, draft: TripDraft, itinerary_id: int) -> list[str]:
    """What follows a trip that was sent: its travellers' names are learnt, it goes on the roster that was chosen."""
    itinerary = to_itinerary(draft)
    if itinerary.is_canceled:
        return [f"Trip {draft.title} is canceled: nobody is expected anywhere for it any more."]
    said = [f"Trip {draft.title} is {'changed' if draft.is_change else 'added'}."]
    try:
        learn_names(workspace, itinerary)
        if draft.roster:
            name = put_on_roster(workspace, int(draft.roster), itinerary, itinerary_id)
            said.append(f"It is on the roster “{name}” now.")
    except JournalError as error:
        said.append(f"It could not be put on the roster: {error}" if draft.roster else str(error))
    return said


def refused(draft: TripDraft, error: ServiceError) -> TripDraft:
    """The draft with what the service refused it for, back where it can be mended."""
    named = refusals(error)
    return draft.model_copy(update={"refused": named, "stage": "edit" if named else draft.stage})


def look(workspace: Workspace, draft: TripDraft, *, held_before: list[int]) -> list[Candidate]:
    """Ask the service what it holds under the draft's record locator now; reads only."""
    ids = changes.ids_with_locator(workspace, draft.record_locator.strip())
    if draft.itinerary_id is not None and draft.itinerary_id not in ids:
        ids = [*ids, draft.itinerary_id]
    predicted = predict(to_itinerary(draft))
    found = []
    for itinerary_id in ids:
        try:
            locations = list(workspace.client.itineraries.list_expected_locations(itinerary_id))
        except NotFound:
            continue
        found.append(
            Candidate(
                itinerary_id=itinerary_id,
                is_new=itinerary_id not in held_before,
                expected=len(locations),
                matching=matching(predicted, locations),
                predicted=len(predicted),
            )
        )
    return sorted(found, key=lambda each: (not each.is_new, not each.looks_like_it, each.itinerary_id))


def settle_as_done(workspace: Workspace, draft: TripDraft, itinerary_id: int) -> None:
    """Write into the journal that a person found the trip at the service: it is what the draft became."""
    audit = workspace.journal.audit
    itinerary = to_itinerary(draft, at=datetime.now(UTC))
    action = changes.CREATE if not draft.is_change else changes.CANCEL if itinerary.is_canceled else changes.UPDATE
    entry = audit.begin(
        workspace.actor,
        action,
        subject_kind="itinerary",
        subject_id=str(itinerary_id),
        subject_name=itinerary.pnr,
        request={"itinerary": itinerary.to_wire(), "parameters": {"settled": "found at the service, nothing was sent"}},
    )
    audit.finish(entry, state="succeeded", message="The answer had been lost; a person looked and found it done.")


def put_on_roster(workspace: Workspace, roster_id: int, itinerary: Itinerary, itinerary_id: int) -> str:
    """Add the trip to a roster, with its travellers and its id; return the roster's name."""
    rosters = workspace.journal.rosters
    roster = rosters.retrieve(roster_id, within=workspace.actor)
    locator = itinerary.pnr
    travellers = [
        Traveller(person.employee_id or "", person.first_name or "", person.last_name or "")
        for person in itinerary.passengers
        if person.employee_id
    ]
    known = roster.entries()
    entries = [RosterEntry(each.record_locator, each.travellers) for each in known if each.record_locator != locator]
    ids = next((each.itinerary_ids for each in known if each.record_locator == locator), [])
    rosters.replace_entries(roster_id, [*entries, RosterEntry(locator, travellers)], within=workspace.actor)
    rosters.learn(roster_id, {locator: sorted({*ids, itinerary_id})}, datetime.now(UTC))
    return roster.name


def learn_names(workspace: Workspace, itinerary: Itinerary) -> None:
    """Let this desk know the travellers' names, which the service's expected locations do not carry."""
    named = [
        Traveller(known_as, person.first_name or "", person.last_name or "")
        for person in itinerary.passengers
        if (known_as := person.employee_id or next(iter(person.email_addresses), ""))
        and (person.first_name or person.last_name)
    ]
    workspace.journal.travellers.learn(workspace.actor.service, workspace.actor.organization_id, named)


def matching(predicted: list[PredictedLocation], locations: list[ExpectedLocation]) -> int:
    """How many predicted locations the service has too: the same traveller, kind, role and window, to the minute."""
    held = [(location.contact_external_id or "", _what_and_when(location)) for location in locations]
    count = 0
    # Who has no employee id may be known to the service by anything: those who have are found first.
    for each in sorted(predicted, key=lambda each: not each.employee_id):
        key = (each.kind, each.role, _minute(each.arrives), _minute(each.expires))
        same = [one for one in held if one[1] == key and (one[0] in each.known_as or not each.employee_id)]
        if same:
            held.remove(next((one for one in same if one[0] in each.known_as), same[0]))
            count += 1
    return count


def _what_and_when(location: ExpectedLocation) -> tuple[str, str, str, str]:
    return (
        location.kind or "",
        location.travel_type or "",
        _minute(location.address.arrive_date),
        _minute(location.address.expire_date),
    )


def _minute(moment: datetime | None) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M}" if moment else ""
