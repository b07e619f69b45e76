"""Drawing the head of a trip: which one it is, how it stands, what can be done with it, from where it is known."""

from typing import Final, NoReturn

import streamlit as st

from client import ServiceError
from components.change.removed_view import ask_to_remove, draw_removed, is_being_removed
from components.shell.navigation import go_to, link_to
from components.shell.notices import show_problem
from components.shell.screens import FIND_TRIP, JOURNAL, TRIP, TRIP_EDITOR
from components.shell.state import StateKey
from components.shell.workspace import Workspace
from components.trips.desk_notes import BADGES, head_words, sent_words, source_words, travellers_of, unknown_words
from components.trips.known_trip import KnownTrip
from components.trips.lookup import By, look_up_one
from components.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget, what_goes
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.time_text import moment

LOCATOR: Final = StateKey[str]("trip.cancel_locator", str)


def asked_trip(workspace: Workspace) -> tuple[int, str | None]:
    """The trip that the URL names, by id or by record locator; ends the run where it names none that can be shown."""
    locator = st.query_params.get("locator", "").strip() or None
    text = st.query_params.get("id", "").strip()
    number = id_in(text)
    if number is not None:
        return number, locator
    if text:
        _no_trip(f"{plain(quoted_id(text))} is not the id of an itinerary. {NOT_AN_ID}")
    if locator is None:
        _no_trip("The address names no trip.")
    return _by_locator(workspace, locator), locator


def show_head(workspace: Workspace, known: KnownTrip) -> None:
    """Draw title, standing, ids and buttons."""
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"):
        st.title(plain(known.title), width="content")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(f"as of {moment(known.asked_at)}", width="content")
            st.button("Refresh", icon=":material/refresh:", key="trip.refresh", type="tertiary")
    label, icon, colour = BADGES[known.standing]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(label, icon=icon, color=colour)
        about = [sent_words(known.sent)] if known.sent else []
        if known.itinerary:
            about.append(head_words(travellers_of(known.itinerary)))
        if about:
            st.markdown(" · ".join(plain(part) for part in about))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _copyable("Record locator", known.locator)
        _copyable("Itinerary id", str(known.itinerary_id) if known.itinerary_id is not None else None)
        _copyable("External id", known.itinerary.external_itinerary_id if known.itinerary else None)
    _buttons(workspace, known)


def show_where_it_is_known_from(known: KnownTrip, *, worked_out: bool) -> None:
    """Say plainly what of the trip is the desk's memory, what the service's answer, and what nobody here knows."""
    if known.error is not None:
        show_problem(known.error, doing=f"asking where people of {known.title} are expected", key="trip")
    if known.unknown:
        st.warning(unknown_words(known), icon=":material/help:")
    st.info(source_words(known, worked_out=worked_out), icon=":material/info:")


def _buttons(workspace: Workspace, known: KnownTrip) -> None:
    for removal in (CANCEL_TRIP, DELETE_TRIP):
        draw_removed(workspace, removal)
    if known.is_removed:
        link_to(FIND_TRIP, "Find another trip")
        return
    if any(is_being_removed(workspace, each, known.itinerary_id) for each in (CANCEL_TRIP, DELETE_TRIP)):
        return
    with st.container(horizontal=True):
        if st.button("Change", type="primary", icon=":material/edit:", key=f"trip.change/{known.itinerary_id}"):
            go_to(TRIP_EDITOR, id=known.itinerary_id, locator=known.locator)
        cancels = st.button(":red[Cancel trip]", icon=":material/event_busy:", key=f"trip.cancel/{known.itinerary_id}")
        deletes = st.button(":red[Delete]", icon=":material/delete_forever:", key=f"trip.delete/{known.itinerary_id}")
    if cancels:
        also = None if known.locator else _ask_for_locator
        ask_to_remove(workspace, CANCEL_TRIP, [what_goes(known)], also=also, asked=_as_asked)
    elif deletes:
        ask_to_remove(workspace, DELETE_TRIP, [what_goes(known)])


def _ask_for_locator() -> bool:
    st.text_input(
        "Record locator",
        key=LOCATOR.widget_key,
        help="The service asks for the record locator of a trip that is canceled, and this desk does not know it.",
    )
    return bool(LOCATOR.get().strip())


def _as_asked(target: TripTarget) -> TripTarget:
    return target if target.locator else target.called(LOCATOR.get())


def _copyable(label: str, value: str | None) -> None:
    if value:
        st.caption(label, width="content")
        st.code(value, language=None, width="content")


def _by_locator(workspace: Workspace, locator: str) -> int:
    looked_up = look_up_one(workspace.client, locator, By.LOCATOR)
    if looked_up.error is not None:
        _stop_at(looked_up.error, locator)
    ids = [match.itinerary_id for match in looked_up.matches]
    if not ids:
        _no_trip(
            f"The service finds no trip with the record locator “{plain(locator)}”. It may be mistyped; a trip that "
            "was canceled or deleted is not found either."
        )
    if len(ids) > 1:
        _choose(ids, locator)
    return ids[0]


def _choose(ids: list[int], locator: str) -> NoReturn:
    st.title(plain(locator))
    st.markdown(f"{len(ids):,} trips have this record locator. Which one?")
    for itinerary_id in ids:
        link_to(TRIP, f"Itinerary {itinerary_id}", id=itinerary_id, locator=locator)
    st.stop()


def _stop_at(error: ServiceError, locator: str) -> NoReturn:
    st.title(plain(locator))
    show_problem(error, doing=f"looking up {locator}", key="trip")
    st.stop()


def _no_trip(why: str) -> NoReturn:
    st.title("A trip")
    st.info(why, icon=":material/search_off:")
    link_to(FIND_TRIP, "Find a trip")
    link_to(JOURNAL, "What this desk did")
    st.stop()
