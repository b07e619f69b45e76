"""What this desk knows of a trip in a few words: its status, who travels, what was sent when and by whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client.models.itineraries import Itinerary
from components.trips.checks_of_people import traveller_name
from components.trips.known_trip import CANCEL, CREATE, DELETE, UPDATE, Change, desk_changes, settled
from components.trips.words import clock, day

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Traveller

ACTIONS = {CREATE: "added", UPDATE: "changed", CANCEL: "canceled", DELETE: "deleted"}
OUTCOMES = {
    "succeeded": "done",
    "refused": "refused",
    "not sent": "not sent",
    "unknown": "outcome unknown",
    "started": "outcome unknown",
}


@dataclass(frozen=True)
class DeskNote:
    """What stands beside an itinerary's id in a list; empty texts where this desk knows nothing."""

    locator: str
    external_id: str
    status: str
    sent: str
    travellers: tuple[str, ...]


def desk_note(
    workspace: "Workspace", itinerary_id: int, locator: str | None, rosters: Mapping[str, Sequence[str]]
) -> DeskNote:
    """Read the journal about one itinerary. `rosters` gives travellers' names by record locator."""
    return note_of(desk_changes(workspace, itinerary_id, locator), locator, rosters)


def note_of(changes: Sequence[Change], locator: str | None, rosters: Mapping[str, Sequence[str]]) -> DeskNote:
    """Say what is known from the journal's changes (newest first) and the rosters."""
    locator = locator or next((change.locator for change in changes if change.locator), None) or ""
    sent, removed, unknown = settled(changes)
    itinerary = sent.itinerary if sent else None
    known = tuple(travellers_of(itinerary)) if itinerary else tuple(rosters.get(locator, ()))
    return DeskNote(
        locator=locator,
        external_id=(itinerary.external_itinerary_id or "") if itinerary else "",
        status=_status(itinerary, removed, unknown),
        sent=sent_words(sent) if sent else "",
        travellers=known,
    )


def travellers_of(itinerary: Itinerary) -> list[str]:
    """The names of who travels, as ``First Last``."""
    return [traveller_name(each) or "unnamed" for each in itinerary.passengers]


def sent_words(sent: Change) -> str:
    """Say when and by whom the latest version was sent: ``sent from here Fri 20 Nov by ana``."""
    return f"sent from here {day(sent.at.date())} by {sent.by}"


def change_words(change: Change) -> str:
    """Say what was asked of the service, when, by whom and how it ended, in one line."""
    action = ACTIONS.get(change.action, change.action)
    if change.is_unknown:
        return f"{clock(change.at)} UTC · {change.by} · may have {action} it: the answer was lost"
    if change.succeeded:
        return f"{clock(change.at)} UTC · {change.by} · {action} it"
    reason = f": {change.message}" if change.message else ""
    return f"{clock(change.at)} UTC · {change.by} · wanted to have it {action}, {OUTCOMES[change.state]}{reason}"


def head_words(travellers: Sequence[str]) -> str:
    """Write who travels in short: ``Ana Silva +1``."""
    if not travellers:
        return ""
    return travellers[0] if len(travellers) == 1 else f"{travellers[0]} +{len(travellers) - 1:,}"


def roster_travellers(workspace: "Workspace") -> dict[str, tuple[str, ...]]:
    """The travellers that this desk's rosters name, by record locator."""
    found: dict[str, dict[str, None]] = {}
    for roster in workspace.journal.rosters.list(workspace.actor.service, workspace.actor.organization_id):
        for entry in roster.entries():
            if entry.travellers:
                found.setdefault(entry.record_locator, {}).update(dict.fromkeys(_names(entry.travellers)))
    return {locator: tuple(names) for locator, names in found.items()}


def _names(travellers: "Iterable[Traveller]") -> list[str]:
    return [f"{each.first_name} {each.last_name}".strip() or each.external_id for each in travellers]


def _status(itinerary: Itinerary | None, removed: Change | None, unknown: Sequence[Change]) -> str:
    if unknown:
        return "Outcome of a change unknown"
    if removed:
        return "Deleted from here" if removed.action == DELETE else "Canceled from here"
    return (itinerary.itinerary_status or "Active").strip().capitalize() if itinerary else ""
