"""How a trip stands, in words: a badge's, and what of it is known from where."""

from typing import Literal

from components.trips.desk_notes import ACTIONS
from components.trips.known_trip import KnownTrip, Standing
from components.trips.words import clock
from components.widgets.markdown_text import plain

Badge = tuple[str, str, Literal["green", "orange", "gray", "red"]]

BADGES: dict[Standing, Badge] = {
    Standing.EXPECTED: ("Active", ":material/check_circle:", "green"),
    Standing.NO_LOCATIONS: ("No expected locations", ":material/location_off:", "orange"),
    Standing.CANCELED_HERE: ("Canceled", ":material/event_busy:", "gray"),
    Standing.DELETED_HERE: ("Deleted", ":material/delete_forever:", "gray"),
    Standing.GONE: ("Not found", ":material/search_off:", "orange"),
    Standing.NOT_ASKED: ("The service could not be asked", ":material/cloud_off:", "orange"),
}


def source_words(known: KnownTrip, *, worked_out: bool) -> str:
    """Say what of the trip is this desk's memory, what the service's answer, and what can not be known.

    `worked_out` says that the timeline of a trip made elsewhere is worked out from its expected locations.
    """
    return f"{_standing(known)} {_itinerary(known, worked_out)}".strip()


def unknown_words(known: KnownTrip) -> str:
    """Say which changes may or may not have been done, and what to do."""
    change = known.unknown[0]
    action = {"added": "add", "changed": "change", "canceled": "cancel", "deleted": "delete"}[ACTIONS[change.action]]
    more = f", and {len(known.unknown) - 1:,} before it," if len(known.unknown) > 1 else ""
    return (
        f"**It is not known whether the last change was done.** {plain(change.by)} asked the service to {action} this "
        f"trip ({clock(change.at)} UTC){more} and the answer was lost. Compare the expected locations below with what "
        "was meant before sending it again."
    )


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
