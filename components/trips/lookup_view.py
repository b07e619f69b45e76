"""Drawing the look-up of trips: the form, its progress, what was found, what not, and what could not be asked."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Final

import streamlit as st

from client import ServiceError
from components.record_list.record_table import pager
from components.shell.address import AddressField, choice_field, in_address, link_to
from components.shell.notices import field_problem, show_problem
from components.shell.reading_view import draw_reading
from components.widgets.downloads import download_menu
from domain.runtime.screens import EXPECTED_LOCATIONS, ROSTERS, TRIP
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from domain.text.plain_text import plain
from domain.text.time_text import moment
from domain.trips.known_trip import (
    DeskChange,
    DeskNote,
    desk_changes,
    head_words,
    note_of,
    removed_words,
    roster_travellers,
)
from domain.trips.lookup import (
    LOOK_UP,
    By,
    FoundTrip,
    LookedUp,
    Pasted,
    answer,
    as_text,
    fits_in_url,
    found_trips,
    look_up_all,
    read_pasted,
    table_of,
    values,
    with_removals,
)
from domain.trips.trip_words import clock


@dataclass(frozen=True)
class Query:
    """What is looked up: the text as pasted, and as what."""

    text: str
    by: By

    def read(self) -> Pasted:
        """The values that it names."""
        return read_pasted(self.text, are_locators=self.by is By.LOCATOR)


TEXT: Final = AddressField[str]("q", str, lambda given: given[-1], lambda text: [text] if fits_in_url(text) else [])
BY: Final = choice_field("by", tuple(By), By.LOCATOR)
LABELS = {By.LOCATOR: "Record locators", By.EXTERNAL_ID: "External IDs", By.BOTH: "Try both"}
ROWS_A_PAGE = 20
BOX_HEIGHT: Final = 240
BOX_LETTERS: Final = 500
"""Values that are longer than this together are scrolled through."""
MAX_AGE: Final = timedelta(hours=1)
"""How long an outcome is shown that nobody asked for anew."""
FAILED_MAX_AGE: Final = timedelta(seconds=30)
"""So long where something could not be looked up."""


def query_form(workspace: Workspace) -> Query:
    """Draw the form, and give back what is asked; one that is asked once more is looked up anew."""
    with in_address(TEXT, BY), st.form("find_trip.form", border=False):
        st.text_area(
            "Record locators or external IDs",
            key=TEXT.widget_key,
            height=96,
            placeholder="WSVM7K, QX2P9L …",
            help="Parted by commas, semicolons, spaces or lines. Put a value that holds spaces into double quotes.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.radio("Look up as", list(By), format_func=LABELS.__getitem__, key=BY.widget_key, horizontal=True)
            pressed = st.form_submit_button("Find", type="primary", icon=":material/search:")
    query = Query(TEXT.get().strip(), By(BY.get()))
    if pressed and not query.read().values:
        field_problem("Paste at least one record locator or external ID.")
    known = server().reads.find(workspace, *_name_of(query)) if pressed else None
    if known is not None:
        known.invalidate()
    return query


def _name_of(query: Query) -> tuple[str, str, str]:
    return (LOOK_UP, query.by, sha256(query.text.encode()).hexdigest())


def show_nothing_asked() -> None:
    """Say what the screen is for and how to begin."""
    st.info(
        "Paste one or many record locators, or external trip IDs, and select **Find**. The service finds trips by "
        "these two only. To find one by its traveler or place, use the expected locations.",
        icon=":material/info:",
    )
    link_to(EXPECTED_LOCATIONS, "See the map")


def show_what_was_read(pasted: Pasted, query: Query) -> None:
    """Say what was left out of what was pasted, and why."""
    if pasted.repeated:
        st.caption(f"Given more than once, looked up once: {_listed(pasted.repeated)}.")
    if pasted.left_out:
        st.warning(
            f"The first {len(pasted.values):,} are looked up; {len(pasted.left_out):,} more left out. "
            "Make a roster of a longer list: it loads in the background.",
            icon=":material/content_cut:",
        )
        link_to(ROSTERS, "Rosters")
    if not fits_in_url(query.text):
        st.caption("This list is too long for the address bar: a refresh or a shared link begins without it.")


def _look_up(
    workspace: Workspace, values: tuple[str, ...], by: By, width: int, tell: Callable[[int, int | None], None]
) -> tuple[LookedUp, ...]:
    return with_removals(workspace, look_up_all(workspace.client, values, by, tell, width=width), by)


def show_outcome(workspace: Workspace, query: Query, pasted: Pasted) -> None:
    """Ask for every value, and draw the answer, what was found, what was not, what could not be asked, and files."""
    all_of_them = values(len(pasted.values), query.by)
    look = partial(_look_up, workspace, pasted.values, query.by, settings().fan_out)
    before = server().reads.find(workspace, *_name_of(query))
    failed = before is not None and any(each.error is not None for each in before.value or ())
    max_age = FAILED_MAX_AGE if failed else MAX_AGE
    held = server().reads.open(workspace, _name_of(query), look, max_age=max_age)
    now = draw_reading(held, lambda now: f"Looking up {now.done:,} of {all_of_them}", key="find_trip-all")
    if now.is_running:
        return
    if now.value is None or now.read_at is None:
        st.button("Look again", icon=":material/refresh:", on_click=held.invalidate, key="find_trip.again")
        return
    looked_up = now.value
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**{answer(looked_up, query.by)}**")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(f"as of {moment(now.read_at)}", width="content")
            st.button("Look again", icon=":material/refresh:", on_click=held.invalidate, key="find_trip.again")
    _show_failed(looked_up)
    rosters = roster_travellers(workspace)

    def note(trip: FoundTrip) -> DeskNote:
        return note_of(desk_changes(workspace, trip.match.itinerary_id, trip.locator), trip.locator, rosters)

    _show_found(found_trips(looked_up), note)
    _show_not_found(looked_up)
    download_menu(lambda: table_of(looked_up, note), "trips-found", key="find_trip.download")


def _show_found(trips: list[FoundTrip], note: Callable[[FoundTrip], DeskNote]) -> None:
    if not trips:
        return
    bounds = pager(len(trips), key="find_trip.page", page_size=ROWS_A_PAGE, noun=("trip", "trips"))
    for trip in trips[bounds.start : bounds.stop]:
        known = note(trip)
        with st.container(border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(_found_words(trip, known), width="stretch")
            link_to(
                TRIP,
                f"Open {plain(str(known.locator or trip.match.itinerary_id))}",
                id=trip.match.itinerary_id,
                locator=known.locator,
            )


def _found_words(trip: FoundTrip, known: DeskNote) -> str:
    head = [f"**{plain(known.locator or trip.value)}**", f"itinerary `{trip.match.itinerary_id}`"]
    if trip.match.field != "pnr":
        head.append(f"external id {plain(trip.match.spelling)}")
    head += [f"found by {plain(each.spelling)} too" for each in trip.also]
    if trip.of > 1:
        head.append(f":orange[{trip.number:,} of {trip.of:,} with “{plain(trip.value)}”]")
    elif trip.match.spelling != trip.value:
        head.append(f"typed as “{plain(trip.value)}”")
    about = [plain(part) for part in (known.status, known.sent, head_words(known.travellers)) if part]
    return f"{' · '.join(head)}  \n:gray[{' · '.join(about) or 'Not sent from Muster.'}]"


def _show_not_found(looked_up: tuple[LookedUp, ...]) -> None:
    missing = [each.value for each in looked_up if each.not_found]
    if not missing:
        return
    with st.container(border=True):
        st.markdown(
            f"**Not found: {len(missing):,}**  \nMistyped, or canceled or deleted: such trips are not found either."
        )
        values_box(missing)
        removed = [(each.value, each.removed) for each in looked_up if each.removed is not None]
        if not removed:
            return
        bounds = pager(len(removed), key="find_trip.removed", page_size=ROWS_A_PAGE, noun=("trip", "trips"))
        for value, removal in removed[bounds.start : bounds.stop]:
            with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
                st.markdown(f"**{plain(value)}** · {removed_words(removal)} {_when_by(removal)}", width="stretch")
                if removal.subject_id:
                    link_to(TRIP, f"Open {plain(value)}", id=removal.subject_id, locator=removal.locator)


def _when_by(removal: DeskChange) -> str:
    return f"{clock(removal.at)} UTC by {plain(removal.by)}"


def _show_failed(looked_up: tuple[LookedUp, ...]) -> None:
    failed = [(each.value, each.error) for each in looked_up if each.error is not None]
    if not failed:
        return
    error: ServiceError = failed[0][1]
    show_problem(error, key="find_trip")
    if len(failed) > 1:
        st.caption(f"The same or another problem kept {len(failed):,} from being looked up in full:")
        values_box([value for value, _ in failed])


def values_box(of: list[str]) -> None:
    """Draw values that were pasted, to be copied: all of them, however many."""
    text = as_text(of)
    st.code(text, language=None, wrap_lines=True, height=BOX_HEIGHT if len(text) > BOX_LETTERS else "content")


def _listed(repeated: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(plain(value) for value in repeated[:most])
    return f"{shown} and {len(repeated) - most:,} more" if len(repeated) > most else shown
