"""Draws the form of a trip: its fields, a card for each segment, and the travelers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.edits.draft_editor import Editor
from components.edits.send_status_view import draw_undo
from components.forms.form_view import FormView, sync_from_widgets
from components.shell.notices import field_problem
from components.streamlit_workarounds.icon_name import icon_name
from domain.forms.form import Problems
from domain.geography.airports import airport, airport_choices
from domain.geography.place_conflicts import FIX_LABELS
from domain.geography.time_zones import offset_text, true_time
from domain.maps.palette import KIND_ICONS
from domain.text.plain_text import count, in_short, names, plain
from domain.text.text_limits import MAX_PASTE
from domain.text.time_text import moment
from domain.trips.editor import trip_steps
from domain.trips.editor.difference import describe_segment
from domain.trips.editor.form_state import (
    SEGMENTS,
    TRAVELERS,
    TRIP_FORM,
    SegmentDraft,
    Side,
    TravelerDraft,
    TripDraft,
    applies,
    end_of,
    to_segment,
)
from domain.trips.editor.pasted_travelers import pasted_travelers
from domain.trips.editor.trip_change import TRIP_EDIT
from domain.trips.resolved_segments import SEGMENT_NOUNS
from domain.trips.trip_format import nights

_PASTE_KEY: Final = f"{TRIP_FORM.name}.paste"
EDITOR: Final = Editor(TRIP_EDIT, sync_from_widgets=partial(sync_from_widgets, TRIP_FORM))
"""The editor of the trip on the screen."""
Fields = FormView[TripDraft]
_SIDES: Final[tuple[Side, Side]] = ("start", "finish")


def trip_form(draft: TripDraft, problems: Problems) -> None:
    """Draw every field of the draft, each with its problems."""
    fields = FormView(TRIP_FORM, draft, problems)
    for column, path in zip(st.columns(3), ("record_locator", "external_id", "source"), strict=True):
        with column:
            fields.draw(path)
    if draft.is_change:
        fields.draw("status")
    fields.draw_problems("")
    _segments(fields)
    _travelers(fields)


def _segments(fields: Fields) -> None:
    draft = fields.draft
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Segments", width="content", anchor=False)
        st.space("stretch")
        if len(draft.segments) > 1 and not trip_steps.is_sorted(draft):
            _step_button("Sort by time", "sort", "sort", "sort the segments", trip_steps.sort_by_time)
        draw_undo(EDITOR)
    fields.draw_problems("", part=SEGMENTS)
    bare = trip_steps.uncovered_nights(draft)
    for index, segment in enumerate(draft.segments):
        _segment(fields, segment, index + 1)
        for period in bare:
            if period.arrival_index == index:
                label = f"Add hotel {nights(period.first, period.count)}"
                step = partial(trip_steps.add_hotel_after, uid=segment.uid, first=period.first)
                _step_button(label, f"hotel/{segment.uid}/{period.first}", "hotel", "add a hotel", step, quiet=True)
    with st.container(horizontal=True):
        for kind in SEGMENT_TYPES:
            noun = SEGMENT_NOUNS[kind.lower()].lower()
            label, description = f"Add {noun}", f"add a {noun}"
            _step_button(
                label, f"add/{kind}", KIND_ICONS[kind], description, partial(trip_steps.add_segment, kind=kind)
            )
        if trip_steps.can_return(draft):
            _step_button(
                "Add the return segment", "return", "keyboard_return", "add the return segment", trip_steps.add_return
            )


def _segment(fields: Fields, segment: SegmentDraft, number: int) -> None:
    with st.container(border=True, key=f"trip_editor-segment-{segment.uid}"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{number}**", width="content")
            label = f"Type of segment {number}"
            fields.draw("kind", part=segment, hide_problems=True, label=label, label_visibility="collapsed")
            st.space("stretch")
            name = describe_segment(to_segment(segment).to_wire())
            step, description = partial(trip_steps.duplicate, uid=segment.uid), f"duplicate segment {number}"
            _step_button("Duplicate", f"duplicate/{segment.uid}", "content_copy", description, step, quiet=True)
            _remove(segment.uid, f"segment {number}", f", {name}")
        fields.draw_problems("kind", "", part=segment)
        _ends(fields, segment)
        has_number = applies(segment, "number")
        columns = st.columns([1, 2, 1] if has_number else [1, 3])
        for column, path in zip(columns, ("supplier_code", "supplier_name", "number"), strict=False):
            with column:
                fields.draw(path, part=segment)


def _step_button(
    label: str, key: str, icon: str, description: str, step: Callable[[TripDraft], TripDraft], *, quiet: bool = False
) -> None:
    """Draw a button that applies a step to the draft. The description names the step when it is undone; a quiet button
    also has it as its help.
    """
    st.button(
        label,
        key=f"trip_editor.{key}",
        icon=icon if icon.startswith(":") else f":material/{icon}:",
        help=description.capitalize() if quiet and description.casefold() != label.casefold() else None,
        type="tertiary" if quiet else "secondary",
        on_click=EDITOR.do,
        args=(description, step),
    )


def _remove(uid: str, name: str, more: str = "") -> None:
    st.button(
        f"Remove {icon_name(name)}",
        key=f"trip_editor.remove/{uid}",
        icon=":material/delete:",
        type="tertiary",
        on_click=EDITOR.do,
        args=(f"remove {name}{more}", partial(TRIP_FORM.remove_part, uid=uid)),
    )


def _ends(fields: Fields, segment: SegmentDraft) -> None:
    """Draw both ends side by side, a row for each field: an error on one side moves no field of the other."""
    rows = [_day_and_clock, _zone]
    if segment.kind == "Hotel":
        for side in _SIDES:
            _place(fields, segment, side)
    else:
        first = {"iata": _code, "address": _place}
        rows = [
            *(draw for part, draw in first.items() if any(applies(segment, f"{side}.{part}") for side in _SIDES)),
            *rows,
        ]
    for draw in rows:
        for column, side in zip(st.columns(2), _SIDES, strict=True):
            with column:
                draw(fields, segment, side)


def _day_and_clock(fields: Fields, segment: SegmentDraft, side: Side) -> None:
    day, clock = st.columns([1.75, 1], gap="xsmall")
    with day:
        fields.draw(f"{side}.day", part=segment)
    with clock:
        fields.draw(f"{side}.clock", part=segment, hide_problems=True)
    fields.draw_problems(f"{side}.clock", part=segment)


def _zone(fields: Fields, segment: SegmentDraft, side: Side) -> None:
    fields.draw(f"{side}.zone", part=segment)
    end = end_of(segment, side)
    if end.moment is not None and end.local is not None and end.zone:
        read = true_time(end.local, end.zone)
        if read.note and read.utc == end.moment:
            st.markdown(f":small[:orange[:material/schedule: {plain(read.note)}]]")
        st.caption(f"{moment(end.moment)} · {offset_text(end.moment, end.zone)} there")
    elif end.local is not None and not end.stated_zone:
        other = "coordinates" if segment.kind == "Rail" else "the airport or coordinates"
        st.caption(f"The time zone of this place is unknown. Select one, or enter {other}.")


def _code(fields: Fields, segment: SegmentDraft, side: Side) -> None:
    """Draw the field for a code. A field for an airport also accepts a city or name, and offers the airports found."""
    path = f"{side}.iata"
    if not applies(segment, path):
        return
    is_airport = segment.kind != "Rail"
    fields.draw(path, part=segment, hide_problems=True, live="250ms" if is_airport else False)
    typed = segment.end(side).iata
    known = airport(typed) if is_airport else None
    matches = airport_choices(typed) if is_airport else []
    if known is not None:
        st.caption(plain(known.label.partition(" · ")[2]))
    if matches:
        # The airports of a city that is found by its code need no names.
        is_short = known is not None
        with st.container(horizontal=is_short, vertical_alignment="center" if is_short else "top", gap="small"):
            st.caption("Which airport?", width="content")
            for match in matches:
                st.button(
                    match.iata if is_short else plain(match.label),
                    key=f"{TRIP_FORM.key(segment.uid, path)}/{match.iata}",
                    help=plain(match.label) if is_short else None,
                    type="tertiary",
                    icon=None if is_short else ":material/flight:",
                    on_click=_choose,
                    args=(segment.uid, path, match.iata),
                )
    elif known is None and is_airport and typed and segment.kind != "Air" and len(typed) == 3:
        st.caption(f"Muster does not know the airport code {plain(typed.upper())}. The address determines the place.")
    elif known is None and is_airport and typed and not fields.problems.at(segment.uid, path):
        field_problem(f"No airport matches “{typed}”.")
    if known is None and not matches:
        fields.draw_problems(path, part=segment)
    if not applies(segment, f"{side}.address"):
        fields.draw_problems(f"{side}.address", part=segment)


def _place(fields: Fields, segment: SegmentDraft, side: Side) -> None:
    at = f"{side}.address"
    if not applies(segment, at):
        return
    is_stay = segment.kind == "Hotel"
    name, city, country = st.columns([3, 2, 2.6]) if is_stay else (st.container(), *st.columns(2, gap="xsmall"))
    with name:
        fields.draw(f"{at}.location_name", part=segment)
        fields.draw_problems(at, part=segment)
    with city:
        fields.draw(f"{at}.city", part=segment)
    with country:
        fields.draw(f"{at}.country", part=segment)
    address = segment.end(side).address
    details = ("street_address", "postal_code", "state", "latitude", "longitude")
    wrong = fields.problems.at(segment.uid, *(f"{at}.{field}" for field in details))
    is_open = bool(address.latitude or address.longitude or address.street_address or wrong)
    with st.expander("Street and coordinates", expanded=is_open):
        fields.draw(f"{at}.street_address", part=segment)
        for pair in (("postal_code", "state"), ("latitude", "longitude")):
            for column, field in zip(st.columns(2, gap="xsmall"), pair, strict=True):
                with column:
                    fields.draw(f"{at}.{field}", part=segment)
        _position_fix(segment, side)
        if is_stay and applies(segment, f"{side}.iata"):
            _code(fields, segment, side)
            st.caption("Without coordinates or a time zone, Muster uses those of the airport.")
        else:
            lacking = "without coordinates" if segment.kind == "Rail" else "with neither coordinates nor an airport"
            st.caption(f"Decimal degrees. A place {lacking} is not on the map.")


def _position_fix(segment: SegmentDraft, side: Side) -> None:
    """Offer the fix for coordinates that contradict their place."""
    conflict = end_of(segment, side).conflict
    if conflict is None or conflict.fix is None:
        return
    texts = ("", "") if conflict.position is None else tuple(f"{degrees:.6g}" for degrees in conflict.position)
    paths = (f"{side}.address.latitude", f"{side}.address.longitude")
    values = {(segment.uid, path): text for path, text in zip(paths, texts, strict=True)}
    step = partial(TRIP_FORM.with_values, values=values)
    _step_button(FIX_LABELS[conflict.fix], f"fix/{segment.uid}/{side}", "build", "fix the coordinates", step)


def _travelers(fields: Fields) -> None:
    draft = fields.draft
    st.header("Travelers", anchor=False)
    fields.draw_problems("", part=TRAVELERS)
    for number, traveler in enumerate(draft.travelers, start=1):
        _traveler(fields, traveler, number)
    _step_button("Add a traveler", "add_traveler", "add", "add a traveler", trip_steps.add_traveler)
    with st.expander("Paste from a spreadsheet", icon=":material/content_paste:"):
        text = st.text_area(
            "Rows of employee ID, first name, last name, email, phone",
            key=_PASTE_KEY,
            max_chars=MAX_PASTE,
            help="If the columns are in another order, or one column has the full name, add headings in the first row "
            "(“Name” for full names).",
            placeholder="E100\tAna\tSilva\tana@example.org\t+971 50 123 4567",
            height=140,
        )
        pasted = pasted_travelers(text)
        if pasted.unused_headings:
            quoted = names([f"“{plain(in_short(heading))}”" for heading in pasted.unused_headings])
            st.caption(f"Columns not used: {quoted}.")
        if pasted.unread_rows:
            quoted = names([f"“{plain(in_short(row))}”" for row in pasted.unread_rows])
            st.warning(
                f"{count(len(pasted.unread_rows), 'row', 'rows')} cannot be read and will stay in this field: "
                f"{quoted}. {' '.join(pasted.advice)}",
                icon=":material/warning:",
            )
        st.button("Add these travelers", key="trip_editor.paste_rows", on_click=_paste_travelers)
    if draft.arranger is None:
        label, step = "Add arranger", trip_steps.add_arranger
        _step_button(label, "add_arranger", "support_agent", "add the arranger", step, quiet=True)
    else:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown("**Arranged by**")
            _remove(draft.arranger.uid, "the arranger")
        _traveler(fields, draft.arranger)
    wrong = bool(fields.problems.at(draft.uid, "contact_record_type"))
    with st.expander("Contact settings", expanded=wrong):
        fields.draw("auto_create_contact", "email_case_sensitive", "contact_record_type")


def _traveler(fields: Fields, traveler: TravelerDraft, number: int = 0) -> None:
    """Draw a traveler; without a number, the arranger."""
    with st.container(border=True, key=f"trip_editor-traveler-{traveler.uid}"):
        paths = ("employee_id", "first_name", "last_name", "emails")
        for column, path in zip(st.columns([2, 2, 2, 3]), paths, strict=True):
            with column:
                fields.draw(path, part=traveler)
        with st.container(horizontal=True, gap="small"):
            about = f"More about traveler {number}"
            with st.popover("More", icon=":material/more_horiz:", type="tertiary", help=about):
                fields.draw("middle_name", "phones.0.number", "phones.0.country", part=traveler)
                if len(traveler.phones) > 1:
                    others = ", ".join(f"{phone.country} {phone.number}".strip() for phone in traveler.phones[1:])
                    st.caption(f"Other phone numbers (unchanged): {plain(others)}")
                fields.draw("contact_id", part=traveler)
            if number:
                _remove(traveler.uid, f"traveler {number}")
        # The fields in the popover are hidden, so their problems are shown below it.
        fields.draw_problems("", "middle_name", "contact_id", "phones", part=traveler)


def _choose(uid: str, path: str, value: str) -> None:
    """Enter a suggested value into a field."""
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.draft.set(TRIP_FORM.with_values(draft, {(uid, path): value}))


def _paste_travelers() -> None:
    """Add the pasted travelers. Rows that cannot be read stay in the text field."""
    pasted = pasted_travelers(str(st.session_state.get(_PASTE_KEY) or ""))
    rows = pasted.travelers
    if not rows:
        return
    st.session_state[_PASTE_KEY] = pasted.unread_text

    def paste(draft: TripDraft) -> TripDraft:
        typed = [traveler for traveler in draft.travelers if not traveler.is_empty]
        return draft.model_copy(update={"travelers": [*typed, *rows]})

    EDITOR.do(f"paste {count(len(rows), 'traveler', 'travelers')}", paste)
