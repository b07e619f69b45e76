"""Draws one trip: header, problems, timeline, map, travelers, expected locations, and history."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final, NoReturn

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from client import ServiceError
from client.models.itineraries import Itinerary
from components.edits.removal_view import ask_to_remove, draw_removed, is_being_removed
from components.maps.kind_chips import chip
from components.maps.map_view import legs_map
from components.record_list.record_table import record_table
from components.shell.address import go_to, link_to
from components.shell.notices import show_problem
from components.shell.page_header import draw_age, draw_page_header
from components.shell.state import StateKey
from components.widgets.status_badge import draw_status
from components.widgets.whereabout_lines import whereabout_lines
from domain.expected_locations.person_days import travelers_now
from domain.geography.countries import country_name
from domain.maps.palette import theme_of
from domain.runtime.screens import FIND_TRIP, JOURNAL, TRIP, TRIP_EDITOR
from domain.runtime.workspace import Workspace
from domain.tables.table_pages import Column
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id
from domain.text.text_limits import MAX_LINE
from domain.trips.checks import traveler_name
from domain.trips.known_trip import (
    STATUSES,
    KnownTrip,
    describe_change,
    describe_source,
    find_journaled_id,
    sent_text,
    short_names,
    traveler_names,
    unknown_text,
)
from domain.trips.location_comparison import ComparedLocation, comparison_summary, locations_table
from domain.trips.lookup import LookupBy, look_up_one
from domain.trips.timeline import Note, Row, SegmentRow, legs_of, places_of
from domain.trips.trip_findings import Finding, Severity, summary
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget, removal_target
from domain.trips.trip_title import first_traveler, trip_title

MARKS = {
    Severity.ERROR: ":red[:material/error:]",
    Severity.WARNING: ":orange[:material/warning:]",
    Severity.NOTE: ":gray[:material/info:]",
}
NOTES = {
    "pause": ("", ":small[:gray[:material/more_vert: {}]]"),
    "now": (":green[:material/schedule:]", ":green[{}]"),
    "gap": (":orange[:material/bedtime_off:]", ":orange-background[{}]"),
}
"""The mark and the Markdown of each kind of line between segments."""
TIMES_WIDTH, CHIP_WIDTH, MAP_WIDTH, MAP_HEIGHT = 125, 46, 360, 280

EXPECTED_COLUMNS: Final[dict[str, str | Column]] = {
    "person": "Traveler",
    "place": "Place",
    "now": "Status",
    "comparison": "Compared with sent trip",
    "from": Column("From (local)", sort_column="arrives", is_one_line=True),
    "until": Column("Until (local)", sort_column="expires", is_one_line=True),
    "until_utc": Column("Until (UTC)", sort_column="expires", is_one_line=True, is_secondary=True),
    "kind": Column("Segment", is_secondary=True),
    "role": Column("Expected", is_secondary=True),
    "country": Column("Country", is_secondary=True),
}

LOCATOR: Final = StateKey[str]("trip.cancel_locator", str)


def show_findings(findings: list[Finding]) -> None:
    """Draw a summary of the findings with links to the timeline, and below it the findings about the whole trip."""
    if not any(found.is_problem for found in findings):
        st.markdown(f":green[:material/check_circle: {summary(findings)}]")
    else:
        links = " · ".join(
            f"[{plain(found.title)}](#segment-{found.segment + 1})"
            for found in findings
            if found.is_problem and found.segment is not None
        )
        st.markdown(f":orange[:material/warning: **{summary(findings)}**] {links}")
    list_findings(found for found in findings if found.segment is None)


def list_findings(findings: Iterable[Finding], *, numbered: bool = False) -> None:
    """Draw each finding. If `numbered`, each starts with the number of its segment."""
    for found in findings:
        where = f"Segment {found.segment + 1}: " if numbered and found.segment is not None else ""
        st.markdown(f"{MARKS[found.severity]} **{plain(where + found.title)}**  \n{plain(found.detail)}")


def show_timeline(rows: list[Row]) -> None:
    """Draw the rows of a timeline in order: times on the left, the icon of the segment type, and the segment."""
    with st.container(gap="xxsmall", key="timeline"):
        day = ""
        for row in rows:
            match row:
                case Note("day", text):
                    day = text
                case Note(what, text):
                    _line("", *(part.format(plain(text)) for part in NOTES[what]))
                case SegmentRow():
                    _segment(row, day)
                    day = ""


def show_map(itinerary: Itinerary | None, trip: KnownTrip) -> None:
    """Draw the legs of the trip as last sent, or else the places where the service expects people."""
    legs, points = legs_of(itinerary) if itinerary else places_of(trip.locations)
    if points.empty:
        st.info("No place in this trip has coordinates, so there is no map.", icon=":material/location_off:")
        return
    legs_map(legs, points, key="trip.map", height=MAP_HEIGHT, width=MAP_WIDTH if itinerary else None)


def travelers_table(itinerary: Itinerary) -> pd.DataFrame:
    """Build the table of the travelers and the arranger. Columns without any value are left out."""
    people = [(each, "Traveler") for each in itinerary.passengers]
    if itinerary.travel_arranger is not None:
        people.append((itinerary.travel_arranger, "Arranger"))
    table = pd.DataFrame(
        [
            {
                "Name": traveler_name(each) or "unnamed",
                "Role": role,
                "Employee ID": (each.employee_id or "").strip(),
                "Contact ID": str(each.contact_id) if each.contact_id else "",
                "Email": ", ".join(each.email_addresses),
                "Phone": ", ".join(
                    f"{number.phone_number or ''} {_in(number.country_name)}".strip() for number in each.phone_numbers
                ),
            }
            for each, role in people
        ],
        columns=["Name", "Role", "Employee ID", "Contact ID", "Email", "Phone"],
        dtype="str",
    )
    if itinerary.travel_arranger is None:
        table = table.drop(columns="Role")
    columns = [name for name in table.columns if name in {"Name", "Employee ID"} or (table[name] != "").any()]
    return table[columns]


def show_travelers(itinerary: Itinerary) -> None:
    """Draw the travelers."""
    people = travelers_table(itinerary)
    st.header("Travelers", anchor=False)
    record_table(
        people,
        {name: name for name in people.columns},
        "trip.travelers",
        selection=None,
        noun=("traveler", "travelers"),
    )


def show_expected(rows: list[ComparedLocation], now: datetime, *, stem: str) -> None:
    """Draw where the service expects the travelers, compared with the trip as last sent."""
    st.header("Expected locations", anchor=False)
    if not rows:
        st.caption("This trip has no expected locations.")
        return
    people = len({row.person_id for row in rows})
    line = f"{count(people, 'person', 'people')}, {count(len(rows), 'location', 'locations')}"
    summary_text = comparison_summary(rows)
    st.markdown(f"{line}: {summary_text}." if summary_text else f"{line}, from the service.")
    record_table(
        locations_table(rows, now),
        {name: column for name, column in EXPECTED_COLUMNS.items() if summary_text or name != "comparison"},
        "trip.expected",
        selection=None,
        noun=("location", "locations"),
        has_cards=True,
        build_file=lambda ordered: ordered,
        stem=stem,
    )


def show_history(trip: KnownTrip) -> None:
    """Draw everything that Muster sent about the trip."""
    st.header("Sent from Muster", anchor=False)
    if not trip.changes:
        st.caption("Nothing. The Journal has no entry about this trip.")
    for change in trip.changes:
        mark = ":orange[:material/help:]" if change.is_unknown else ":gray[:material/history:]"
        st.markdown(f"{mark} {plain(describe_change(change))}")


def _segment(row: SegmentRow, day: str) -> None:
    stays = row.is_stay_at_place
    later = f" :small[:gray[{row.days_later:+} d]]" if row.days_later else ""
    times = f"**{row.leaves}**" if stays else f"**{row.leaves}**–{row.arrives}{later}"
    way = plain(row.start_place) if stays else f"{plain(row.start_place)} → {plain(row.end_place)}"
    about = [f"until {row.arrives}"] if stays else []
    about += [plain(part) for part in (row.lasts, row.supplier) if part]
    heading = f"{plain(row.label)} {'' if stays and row.start_place.startswith(row.label) else way}".strip()
    if stays and row.start_place.startswith(row.label):
        heading = plain(row.start_place)
    if day:
        times = f":small[**{plain(day)}**]  \n{times}"
    if row.is_under_way:
        heading += " :green-badge[now]"
    if row.utc:
        about.append(f":gray[{row.utc}]")
    lines = [f":small[{' · '.join(about)}]"]
    lines += [
        f"{MARKS[found.severity]} :small[**{plain(found.title)}** {plain(found.detail)}]" for found in row.findings
    ]
    chip_text = chip(row.kind.capitalize(), theme_of(st.context.theme.type))
    _line(times, chip_text, "  \n".join(lines), heading=heading, anchor=f"segment-{row.index + 1}")


def _line(times: str, mark: str, text: str, *, heading: str = "", anchor: str = "") -> None:
    with st.container(horizontal=True, wrap=False, gap="xsmall", vertical_alignment="top"):
        st.markdown(times or "&nbsp;", width=TIMES_WIDTH)
        st.markdown(mark or "&nbsp;", width=CHIP_WIDTH)
        with st.container(gap=None):
            if heading:
                st.subheader(heading, anchor=anchor)
            st.markdown(text, width="stretch")


def _in(country: str | None) -> str:
    return f"({country_name(country)})" if country else ""


def trip_in_address(workspace: Workspace) -> tuple[int, str | None]:
    """Return the itinerary ID and record locator in the address. Without a trip that can be shown, end the run."""
    locator = st.query_params.get("locator", "").strip() or None
    text = st.query_params.get("id", "").strip()
    number = id_in(text)
    if number is not None:
        return number, locator
    if text:
        _no_trip(f"{plain(quoted_id(text))} is not a trip ID. {NOT_AN_ID}")
    if locator is None:
        _no_trip("The link doesn’t contain a trip.")
    return _by_locator(workspace, locator), locator


def show_head(workspace: Workspace, trip: KnownTrip, itinerary: Itinerary | None) -> None:
    """Draw the title, status, IDs, and buttons."""
    title = trip_title(itinerary) if itinerary is not None else ""
    name = " · ".join(filter(None, [trip.title, first_traveler(itinerary) if itinerary is not None else ""]))
    header = draw_page_header(title or trip.title, name=name)
    with header.age:
        draw_age(trip.read_at, key="trip.refresh")
    with header.answer:
        _draw_now(trip)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="trip-ids"):
            draw_status(STATUSES[trip.status])
            _copyable("Record locator", trip.locator)
            _copyable("Trip ID", str(trip.itinerary_id) if trip.itinerary_id is not None else None)
            _copyable("External ID", trip.itinerary.external_itinerary_id if trip.itinerary else None)
            about = [sent_text(trip.last_sent)] if trip.last_sent else []
            if trip.itinerary:
                about.append(short_names(traveler_names(trip.itinerary)))
            if about:
                st.caption(" · ".join(plain(part) for part in about), width="content")
        buttons = st.container(horizontal=True, width="content")
    _buttons(workspace, trip, buttons)


def _draw_now(trip: KnownTrip) -> None:
    """Draw where the travelers are, as on the map, as far as this trip says."""
    found = travelers_now(trip.title, trip.itinerary_id, trip.locations, trip.read_at)
    for current, following in found:
        if current is not None or following is not None:
            st.markdown("  \n".join(whereabout_lines(current, following, trip.read_at)))


def show_problems(trip: KnownTrip) -> None:
    """Draw the service's error, and changes with status Unknown."""
    if trip.error is not None:
        show_problem(trip.error, key="trip", is_read=True)
    if trip.unknown_changes:
        st.warning(unknown_text(trip), icon=":material/help:")


def show_source(trip: KnownTrip, *, is_reconstructed: bool) -> None:
    """Draw where the information about the trip comes from."""
    st.info(describe_source(trip, is_reconstructed=is_reconstructed), icon=":material/info:")


def _buttons(workspace: Workspace, known: KnownTrip, place: DeltaGenerator) -> None:
    for removal in (CANCEL_TRIP, DELETE_TRIP):
        draw_removed(workspace, removal)
    if known.is_removed:
        if known.itinerary is not None:
            query = {"again": str(known.itinerary_id), "locator": known.locator}
            link_to(TRIP_EDITOR, "Create the trip again", icon=":material/restore:", **query)
        link_to(FIND_TRIP, "Find another trip")
        return
    if any(is_being_removed(workspace, each, known.itinerary_id) for each in (CANCEL_TRIP, DELETE_TRIP)):
        return
    with place:
        if st.button("Edit", type="primary", icon=":material/edit:", key=f"trip.change/{known.itinerary_id}"):
            go_to(TRIP_EDITOR, id=known.itinerary_id, locator=known.locator)
        cancels = st.button(":red[Cancel trip]", icon=":material/event_busy:", key=f"trip.cancel/{known.itinerary_id}")
        deletes = st.button(":red[Delete]", icon=":material/delete_forever:", key=f"trip.delete/{known.itinerary_id}")
    if cancels or deletes:
        names = workspace.journal.travelers.names(workspace.actor.service, workspace.actor.organization_id)
        targets = [removal_target(known, names)]
        if deletes:
            ask_to_remove(workspace, DELETE_TRIP, targets)
        else:
            also = None if known.locator else _ask_for_locator
            ask_to_remove(workspace, CANCEL_TRIP, targets, also=also, complete=_as_asked)


def _ask_for_locator() -> bool:
    st.text_input(
        "Record locator",
        key=LOCATOR.widget_key,
        max_chars=MAX_LINE,
        help="The service requires the record locator to cancel a trip, and Muster does not know it.",
    )
    return bool(LOCATOR.get().strip())


def _as_asked(target: TripTarget) -> TripTarget:
    return target if target.locator else target.with_locator(LOCATOR.get())


def _copyable(label: str, value: str | None) -> None:
    if value:
        st.caption(label, width="content")
        st.code(value, language=None, width="content")


def _by_locator(workspace: Workspace, locator: str) -> int:
    looked_up = look_up_one(workspace.client, locator, LookupBy.LOCATOR)
    if looked_up.error is not None:
        _stop_at(looked_up.error, locator)
    ids = [match.itinerary_id for match in looked_up.matches]
    if not ids and (known := find_journaled_id(workspace, locator)) is not None:
        return known
    if not ids:
        _no_trip(
            f"The service has no trip with the record locator “{plain(locator)}”. It may be mistyped, or "
            "the trip was canceled or deleted."
        )
    if len(ids) > 1:
        _choose(ids, locator)
    return ids[0]


def _choose(ids: list[int], locator: str) -> NoReturn:
    draw_page_header(locator)
    st.markdown(f"{len(ids):,} trips have this record locator. Select one.")
    for itinerary_id in ids:
        link_to(TRIP, f"Itinerary {itinerary_id}", id=itinerary_id, locator=locator)
    st.stop()


def _stop_at(error: ServiceError, locator: str) -> NoReturn:
    draw_page_header(locator)
    show_problem(error, key="trip", is_read=True)
    st.button("Retry", icon=":material/refresh:", key="trip.again")
    st.stop()


def _no_trip(why: str) -> NoReturn:
    draw_page_header()
    st.info(why, icon=":material/search_off:")
    link_to(FIND_TRIP, "Find a trip")
    link_to(JOURNAL, "Sent from Muster")
    st.stop()
