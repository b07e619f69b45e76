"""Drawing one trip: its head, what looks wrong, its timeline, map, travellers, expected locations and history."""

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
from domain.geography.countries import country_name
from domain.maps.palette import theme_of
from domain.runtime.screens import FIND_TRIP, JOURNAL, TRIP, TRIP_EDITOR
from domain.runtime.workspace import Workspace
from domain.tables.table_pages import Column
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id
from domain.trips.checks import traveller_name
from domain.trips.expected import ComparedLocation, as_table, verdict
from domain.trips.known_trip import (
    BADGES,
    KnownTrip,
    change_words,
    head_words,
    id_known_here,
    sent_words,
    source_words,
    travellers_of,
    unknown_words,
)
from domain.trips.lookup import By, look_up_one
from domain.trips.timeline import Note, Row, SegmentRow, legs_of, places_of
from domain.trips.trip_findings import Finding, Severity, summary
from domain.trips.trip_removal import CANCEL_TRIP, DELETE_TRIP, TripTarget, what_goes
from domain.trips.trip_title import first_traveler, present_place, trip_title

MARKS = {
    Severity.WRONG: ":red[:material/error:]",
    Severity.LOOK: ":orange[:material/warning:]",
    Severity.NOTE: ":gray[:material/info:]",
}
NOTES = {
    "pause": ("", ":small[:gray[:material/more_vert: {}]]"),
    "now": (":green[:material/schedule:]", ":green[{}]"),
    "gap": (":orange[:material/bedtime_off:]", ":orange-background[{}]"),
}
"""A mark and a text, for each kind of line between segments."""
TIMES_WIDTH, CHIP_WIDTH, MAP_WIDTH, MAP_HEIGHT = 125, 46, 360, 280

EXPECTED_COLUMNS: Final[dict[str, str | Column]] = {
    "person": "Traveler",
    "place": "Place",
    "now": "Status",
    "comparison": "Against what was sent",
    "from": Column("From", sort_column="arrives"),
    "until": Column("Until", sort_column="expires"),
    "kind": "Segment",
    "role": "Expected",
    "country": "Country",
}

LOCATOR: Final = StateKey[str]("trip.cancel_locator", str)


def show_findings(findings: list[Finding]) -> None:
    """Draw what looks wrong in one line, with links into the timeline; below it, the findings of the whole trip."""
    if not any(found.looks_wrong for found in findings):
        st.markdown(f":green[:material/check_circle: {summary(findings)}]")
    else:
        links = " · ".join(
            f"[{plain(found.title)}](#segment-{found.segment + 1})"
            for found in findings
            if found.looks_wrong and found.segment is not None
        )
        st.markdown(f":orange[:material/warning: **{summary(findings)}**] {links}")
    list_findings(found for found in findings if found.segment is None)


def list_findings(findings: Iterable[Finding], *, numbered: bool = False) -> None:
    """Draw each thing that was found; `numbered` says at which segment, where no timeline stands beside it."""
    for found in findings:
        where = f"Segment {found.segment + 1}: " if numbered and found.segment is not None else ""
        st.markdown(f"{MARKS[found.severity]} **{plain(where + found.title)}**  \n{plain(found.detail)}")


def show_timeline(rows: list[Row]) -> None:
    """Draw a trip's rows in order of time: times on the left, the kind's mark, and what happens."""
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


def show_map(itinerary: Itinerary | None, known: KnownTrip) -> None:
    """Draw the legs of the trip that was sent, or the places where the service expects people."""
    legs, points = legs_of(itinerary) if itinerary else places_of(known.locations)
    if points.empty:
        st.info("Nothing of this trip has coordinates, so there is no map of it.", icon=":material/location_off:")
        return
    legs_map(legs, points, key="trip.map", height=MAP_HEIGHT, width=MAP_WIDTH if itinerary else None)


def travellers_table(itinerary: Itinerary) -> pd.DataFrame:
    """One row a traveller, then whoever arranged the trip; columns where nobody has anything are left out."""
    people = [(each, "travels") for each in itinerary.passengers]
    if itinerary.travel_arranger is not None:
        people.append((itinerary.travel_arranger, "arranged it"))
    table = pd.DataFrame(
        [
            {
                "Name": traveller_name(each) or "unnamed",
                "Role": role,
                "Employee id": (each.employee_id or "").strip(),
                "Contact id": str(each.contact_id) if each.contact_id else "",
                "E-mail": ", ".join(each.email_addresses),
                "Telephone": ", ".join(
                    f"{number.phone_number or ''} {_in(number.country_name)}".strip() for number in each.phone_numbers
                ),
            }
            for each, role in people
        ],
        columns=["Name", "Role", "Employee id", "Contact id", "E-mail", "Telephone"],
        dtype="str",
    )
    if itinerary.travel_arranger is None:
        table = table.drop(columns="Role")
    kept = [name for name in table.columns if name in {"Name", "Employee id"} or (table[name] != "").any()]
    return table[kept]


def show_travellers(itinerary: Itinerary) -> None:
    """Draw who travels."""
    people = travellers_table(itinerary)
    st.header("Travelers", anchor=False)
    record_table(
        people,
        {name: name for name in people.columns},
        "trip.travellers",
        selection=None,
        noun=("traveler", "travelers"),
    )


def show_expected(rows: list[ComparedLocation], now: datetime, *, stem: str) -> None:
    """Draw where the service expects people of this trip, held against what was sent from here."""
    st.header("Expected locations", anchor=False)
    if not rows:
        st.caption("The service expects no one anywhere for this trip.")
        return
    people = len({row.person_id for row in rows})
    line = f"{count(people, 'person', 'people')}, {count(len(rows), 'location', 'locations')}"
    judged = verdict(rows)
    st.markdown(f"{line}: {judged}." if judged else f"{line}, as the service tells them.")
    record_table(
        as_table(rows, now),
        {name: column for name, column in EXPECTED_COLUMNS.items() if judged or name != "comparison"},
        "trip.expected",
        selection=None,
        noun=("location", "locations"),
        build_file=lambda ordered: ordered,
        stem=stem,
    )


def show_history(known: KnownTrip) -> None:
    """Draw everything this desk asked of the service about the trip."""
    st.header("What Muster did", anchor=False)
    if not known.changes:
        st.caption("Nothing: its journal has no entry about this trip.")
    for change in known.changes:
        mark = ":orange[:material/help:]" if change.is_unknown else ":gray[:material/history:]"
        st.markdown(f"{mark} {plain(change_words(change))}")


def _segment(row: SegmentRow, day: str) -> None:
    stays = row.stays
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
    if row.under_way:
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


def show_head(workspace: Workspace, known: KnownTrip, itinerary: Itinerary | None) -> None:
    """Draw title, standing, ids and buttons."""
    title = trip_title(itinerary) if itinerary is not None else ""
    name = " · ".join(filter(None, [known.title, first_traveler(itinerary) if itinerary is not None else ""]))
    header = draw_page_header(title or known.title, name=name)
    with header.age:
        draw_age(known.asked_at, key="trip.refresh")
    if itinerary is not None and not known.is_removed and (place := present_place(itinerary, known.asked_at)):
        header.answer.markdown(f":green[:material/schedule: **Now:** {plain(place)}]")
    label, icon, colour = BADGES[known.standing]
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key="trip-ids"):
            st.badge(label, icon=icon, color=colour)
            _copyable("Record locator", known.locator)
            _copyable("Itinerary ID", str(known.itinerary_id) if known.itinerary_id is not None else None)
            _copyable("External ID", known.itinerary.external_itinerary_id if known.itinerary else None)
            about = [sent_words(known.sent)] if known.sent else []
            if known.itinerary:
                about.append(head_words(travellers_of(known.itinerary)))
            if about:
                st.caption(" · ".join(plain(part) for part in about), width="content")
        buttons = st.container(horizontal=True, width="content")
    _buttons(workspace, known, buttons)


def show_problems(known: KnownTrip) -> None:
    """Draw why the service gave no answer, and the changes of which nobody knows whether they were made."""
    if known.error is not None:
        show_problem(known.error, key="trip")
    if known.unknown:
        st.warning(unknown_words(known), icon=":material/help:")


def show_source(known: KnownTrip, *, worked_out: bool) -> None:
    """Draw where what is shown of the trip comes from."""
    st.info(source_words(known, worked_out=worked_out), icon=":material/info:")


def _buttons(workspace: Workspace, known: KnownTrip, place: DeltaGenerator) -> None:
    for removal in (CANCEL_TRIP, DELETE_TRIP):
        draw_removed(workspace, removal)
    if known.is_removed:
        link_to(FIND_TRIP, "Find another trip")
        return
    if any(is_being_removed(workspace, each, known.itinerary_id) for each in (CANCEL_TRIP, DELETE_TRIP)):
        return
    with place:
        if st.button("Change", type="primary", icon=":material/edit:", key=f"trip.change/{known.itinerary_id}"):
            go_to(TRIP_EDITOR, id=known.itinerary_id, locator=known.locator)
        cancels = st.button(":red[Cancel trip]", icon=":material/event_busy:", key=f"trip.cancel/{known.itinerary_id}")
        deletes = st.button(":red[Delete]", icon=":material/delete_forever:", key=f"trip.delete/{known.itinerary_id}")
    if cancels or deletes:
        names = workspace.journal.travellers.names(workspace.actor.service, workspace.actor.organization_id)
        goes = [what_goes(known, names)]
        if deletes:
            ask_to_remove(workspace, DELETE_TRIP, goes)
        else:
            also = None if known.locator else _ask_for_locator
            ask_to_remove(workspace, CANCEL_TRIP, goes, also=also, complete=_as_asked)


def _ask_for_locator() -> bool:
    st.text_input(
        "Record locator",
        key=LOCATOR.widget_key,
        help="The service asks for the record locator of a trip that is canceled, and Muster does not know it.",
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
    if not ids and (known := id_known_here(workspace, locator)) is not None:
        return known
    if not ids:
        _no_trip(
            f"The service finds no trip with the record locator “{plain(locator)}”. It may be mistyped; a trip that "
            "was canceled or deleted is not found either."
        )
    if len(ids) > 1:
        _choose(ids, locator)
    return ids[0]


def _choose(ids: list[int], locator: str) -> NoReturn:
    draw_page_header(locator)
    st.markdown(f"{len(ids):,} trips have this record locator. Which one?")
    for itinerary_id in ids:
        link_to(TRIP, f"Itinerary {itinerary_id}", id=itinerary_id, locator=locator)
    st.stop()


def _stop_at(error: ServiceError, locator: str) -> NoReturn:
    draw_page_header(locator)
    show_problem(error, key="trip")
    st.button("Try again", icon=":material/refresh:", key="trip.again")
    st.stop()


def _no_trip(why: str) -> NoReturn:
    draw_page_header()
    st.info(why, icon=":material/search_off:")
    link_to(FIND_TRIP, "Find a trip")
    link_to(JOURNAL, "What Muster did")
    st.stop()
