"""What this desk knows of a trip, in words: how it stands, who travels, what was sent when and by whom."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from client.models.itineraries import Itinerary
from components.trips.checks_of_people import traveller_name
from components.trips.known_trip import (
    CANCEL,
    CREATE,
    DELETE,
    UPDATE,
    Change,
    KnownTrip,
    Standing,
    desk_changes,
    settled,
)
from components.trips.trip_words import clock, day
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Traveller

ACTIONS = {CREATE: "added", UPDATE: "changed", CANCEL: "canceled", DELETE: "deleted"}

Badge = tuple[str, str, Literal["green", "orange", "gray", "red"]]

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
    action, told = ACTIONS.get(change.action, change.action), f"{clock(change.at)} UTC · {change.by} ·"
    if change.is_unknown:
        return f"{told} may have {action} it: the answer was lost"
    if change.succeeded:
        return f"{told} {action} it"
    reason = f": {change.message}" if change.message else ""
    return f"{told} wanted to have it {action}, {change.state}{reason}"


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


def _status(itinerary: Itinerary | None, removed: Change | None, unknown: Sequence[Change]) -> str:
    if unknown:
        return "Outcome of a change unknown"
    if removed:
        return "Deleted from here" if removed.action == DELETE else "Canceled from here"
    return (itinerary.itinerary_status or "Active").strip().capitalize() if itinerary else ""


def _standing(known: KnownTrip) -> str:
    removed = known.removed
    when = f"{clock(removed.at)} UTC by {plain(removed.by)}" if removed else ""
    match known.standing:
        case Standing.CANCELED_HERE:
            return f"This trip was canceled from here {when}. The service has removed it and expects nobody for it."
        case Standing.DELETED_HERE:
            return f"This trip was deleted from here {when}. The service expects nobody for it."
        case Standing.GONE:
            return (
                "The service can not find this trip, and nothing in this desk's journal removed it: it was canceled or "
                "deleted elsewhere, or never belonged to this organization."
            )
        case Standing.NO_LOCATIONS:
            return "The service expects nobody anywhere for this trip."
        case _:
            if removed:
                return f"It was removed from here {when}, and yet the service expects people for it: it was made anew."
            return ""


def _itinerary(known: KnownTrip, worked_out: bool) -> str:
    if known.itinerary is None:
        if known.standing in {Standing.GONE, Standing.CANCELED_HERE, Standing.DELETED_HERE}:
            return "Its flights, stays and travellers were never sent from here, so nothing else is known of it."
        elsewhere = "**This trip was made elsewhere**, and the service has no way to read a trip back."
        if worked_out:
            return (
                f"{elsewhere} Its timeline, map and travellers are worked out from where the service expects people: "
                "flight numbers and carriers are not in that, and neither is anybody whom no contact matches."
            )
        return f"{elsewhere} What can be known is where the service expects its people, below."
    if known.is_removed:
        return "What was last sent from here is kept in this desk's journal and shown below."
    return (
        "The segments and travellers are what was last sent from here, kept in this desk's journal: the service has no "
        "way to read a trip back, so a change made elsewhere does not show in them. The expected locations are the "
        "service's own, now."
    )
