"""Draws the lookup of trips: the form, the progress, and the trips found, not found, and not looked up."""

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
from components.widgets.status_badge import status_markdown
from domain.runtime.screens import EXPECTED_LOCATIONS, ROSTERS, TRIP
from domain.runtime.server import server
from domain.runtime.settings import settings
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_PASTE
from domain.text.time_text import moment
from domain.trips.known_trip import (
    TripChange,
    TripNote,
    build_note,
    load_trip_changes,
    removal_status,
    roster_travelers,
    short_names,
)
from domain.trips.lookup import (
    LOOKUP_CACHE,
    FoundTrip,
    LookupBy,
    LookupResult,
    PastedValues,
    add_removals,
    fits_in_url,
    join_values,
    list_found_trips,
    look_up_all,
    lookup_summary,
    parse_values,
    results_table,
    values,
)
from domain.trips.trip_format import clock


@dataclass(frozen=True)
class Query:
    """The pasted text, and by which field its values are looked up."""

    text: str
    by: LookupBy

    def parse(self) -> PastedValues:
        """Return the values in the text."""
        return parse_values(self.text, are_locators=self.by is LookupBy.LOCATOR)


TEXT: Final = AddressField[str]("q", str, lambda given: given[-1], lambda text: [text] if fits_in_url(text) else [])
BY: Final = choice_field("by", tuple(LookupBy), LookupBy.LOCATOR)
LABELS = {LookupBy.LOCATOR: "Record locators", LookupBy.EXTERNAL_ID: "External IDs", LookupBy.BOTH: "Try both"}
ROWS_A_PAGE = 20
BOX_HEIGHT: Final = 240
BOX_LETTERS: Final = 500
"""A box with a longer text scrolls."""
MAX_AGE: Final = timedelta(hours=1)
"""How long results are shown before they are looked up again."""
FAILED_MAX_AGE: Final = timedelta(seconds=30)
"""The same if something could not be looked up."""


def query_form(workspace: Workspace) -> Query:
    """Draw the form, and return the query. Submitting the same query again discards its stored results."""
    with in_address(TEXT, BY), st.form("find_trip.form", border=False):
        st.text_area(
            "Record locators, external IDs, or a name",
            key=TEXT.widget_key,
            max_chars=MAX_PASTE,
            height=96,
            placeholder="WSVM7K, QX2P9L …",
            help="Separate values with commas, semicolons, spaces, or line breaks. Put a value with spaces in double "
            "quotes. Muster searches your organization’s rosters for a name, or part of one.",
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.radio("Look up as", list(LookupBy), format_func=LABELS.__getitem__, key=BY.widget_key, horizontal=True)
            pressed = st.form_submit_button("Find", type="primary", icon=":material/search:")
    query = Query(TEXT.get().strip(), LookupBy(BY.get()))
    if pressed and not query.parse().values:
        field_problem("Enter at least one record locator, external ID, or name.")
    known = server().reads.find(workspace, *_name_of(query)) if pressed else None
    if known is not None:
        known.invalidate()
    return query


def _name_of(query: Query) -> tuple[str, str, str]:
    return (LOOKUP_CACHE, query.by, sha256(query.text.encode()).hexdigest())


def show_nothing_asked() -> None:
    """Draw what the screen is for."""
    st.info(
        "Paste one or more record locators or external trip IDs, and select **Find**. Muster searches your "
        "organization’s rosters for a name, or part of one, because the service cannot search names. To find a trip by "
        "its place, use the map.",
        icon=":material/info:",
    )
    link_to(EXPECTED_LOCATIONS, "See the map")


def show_what_was_read(pasted: PastedValues, query: Query) -> None:
    """Draw what was left out of the pasted text, and why."""
    if pasted.repeated:
        st.caption(f"Repeated values: {_listed(pasted.repeated)}.")
    if pasted.left_out:
        st.warning(
            f"Muster looks up the first {len(pasted.values):,} values. "
            f"{count(len(pasted.left_out), 'value was', 'values were')} not searched. "
            "Create a roster for a longer list.",
            icon=":material/content_cut:",
        )
        link_to(ROSTERS, "Rosters")
    if not fits_in_url(query.text):
        st.caption("This list is too long for a link. The list is lost when you refresh the page.")


def _look_up(
    workspace: Workspace,
    values: tuple[str, ...],
    by: LookupBy,
    width: int,
    report_progress: Callable[[int, int | None], None],
) -> tuple[LookupResult, ...]:
    return add_removals(workspace, look_up_all(workspace.client, values, by, report_progress, width=width), by)


def show_outcome(workspace: Workspace, query: Query, pasted: PastedValues) -> None:
    """Look up every value, and draw the summary, the trips found and not found, the failures, and the download."""
    all_of_them = values(len(pasted.values), query.by)
    look = partial(_look_up, workspace, pasted.values, query.by, settings().fan_out)
    before = server().reads.find(workspace, *_name_of(query))
    failed = before is not None and any(each.error is not None for each in before.value or ())
    max_age = FAILED_MAX_AGE if failed else MAX_AGE
    lookup = server().reads.open(workspace, _name_of(query), look, max_age=max_age)
    now = draw_reading(lookup, lambda now: f"Looking up {now.done:,} of {all_of_them}", key="find_trip-all")
    if now.is_running:
        return
    if now.value is None or now.read_at is None:
        st.button("Refresh", icon=":material/refresh:", on_click=lookup.invalidate, key="find_trip.again")
        return
    looked_up = now.value
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"**{lookup_summary(looked_up, query.by)}**")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            st.caption(f"as of {moment(now.read_at)}", width="content")
            st.button("Refresh", icon=":material/refresh:", on_click=lookup.invalidate, key="find_trip.again")
    _show_failed(looked_up)
    rosters = roster_travelers(workspace)

    def note(trip: FoundTrip) -> TripNote:
        return build_note(load_trip_changes(workspace, trip.match.itinerary_id, trip.locator), trip.locator, rosters)

    _show_found(list_found_trips(looked_up), note)
    _show_not_found(looked_up)
    download_menu(lambda: results_table(looked_up, note), "trips-found", key="find_trip.download")


def _show_found(trips: list[FoundTrip], note: Callable[[FoundTrip], TripNote]) -> None:
    if not trips:
        return
    bounds = pager(len(trips), key="find_trip.page", page_size=ROWS_A_PAGE, noun=("trip", "trips"))
    for trip in trips[bounds.start : bounds.stop]:
        known = note(trip)
        with st.container(border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(_describe_found(trip, known), width="stretch")
            link_to(
                TRIP,
                f"Open {plain(str(known.locator or trip.match.itinerary_id))}",
                id=trip.match.itinerary_id,
                locator=known.locator,
            )


def _describe_found(trip: FoundTrip, note: TripNote) -> str:
    head = [f"**{plain(note.locator or trip.value)}**", f"itinerary `{trip.match.itinerary_id}`"]
    if trip.match.field != "pnr":
        head.append(f"external ID {plain(trip.match.spelling)}")
    head += [f"also found by {plain(each.spelling)}" for each in trip.other_matches]
    if trip.total > 1:
        head.append(f":orange[{trip.number:,} of {trip.total:,} with “{plain(trip.value)}”]")
    elif trip.match.spelling != trip.value:
        head.append(f"typed as “{plain(trip.value)}”")
    about = [plain(part) for part in (note.sent_text, short_names(note.travelers)) if part]
    badge = f"{status_markdown(note.status)} " if note.status else ""
    return f"{badge}{' · '.join(head)}  \n:gray[{' · '.join(about) or 'Not sent from Muster.'}]"


def _show_not_found(looked_up: tuple[LookupResult, ...]) -> None:
    missing = [each.value for each in looked_up if each.is_not_found]
    if not missing:
        return
    with st.container(border=True):
        st.markdown(
            f"**Not found: {len(missing):,}**  \nCheck their spelling. These trips may also have been "
            f"canceled or deleted."
        )
        values_box(missing)
        removed = [(each.value, each.removal) for each in looked_up if each.removal is not None]
        if not removed:
            return
        bounds = pager(len(removed), key="find_trip.removed", page_size=ROWS_A_PAGE, noun=("trip", "trips"))
        for value, removal in removed[bounds.start : bounds.stop]:
            with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
                badge = status_markdown(removal_status(removal))
                st.markdown(f"{badge} **{plain(value)}** · {_when_by(removal)}", width="stretch")
                if removal.subject_id:
                    link_to(TRIP, f"Open {plain(value)}", id=removal.subject_id, locator=removal.locator)


def _when_by(removal: TripChange) -> str:
    return f"{clock(removal.at)} UTC by {plain(removal.by)}"


def _show_failed(looked_up: tuple[LookupResult, ...]) -> None:
    failed = [(each.value, each.error) for each in looked_up if each.error is not None]
    if not failed:
        return
    error: ServiceError = failed[0][1]
    show_problem(error, key="find_trip", is_read=True)
    if len(failed) > 1:
        st.caption(f"{len(failed):,} values were not fully looked up:")
        values_box([value for value, _ in failed])


def values_box(of: list[str]) -> None:
    """Draw values to copy, however many there are."""
    text = join_values(of)
    st.code(text, language=None, wrap_lines=True, height=BOX_HEIGHT if len(text) > BOX_LETTERS else "content")


def _listed(repeated: tuple[str, ...], most: int = 12) -> str:
    shown = ", ".join(plain(value) for value in repeated[:most])
    return f"{shown} and {len(repeated) - most:,} more" if len(repeated) > most else shown
