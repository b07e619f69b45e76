"""One segment on the screen: a card whose fields are those of its kind."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.trip_editor import actions
from components.trip_editor.difference import segment_words
from components.trip_editor.draft import SegmentDraft, Side
from components.trip_editor.field_problems import FieldProblems
from components.trip_editor.fields import (
    airport_field,
    country_field,
    day_field,
    kind_field,
    say_problems,
    text_field,
    zone_field,
)
from components.trip_editor.form_state import applies, moment_of, place_zone, to_segment
from components.trip_editor.local_time import Clock, offset_text
from components.widgets.markdown_text import plain
from components.widgets.time_text import moment

_ENDS: Final = {
    "Air": ("Departs", "Arrives"),
    "Rail": ("Departs", "Arrives"),
    "Car": ("Pick-up", "Drop-off"),
    "Hotel": ("Check-in", "Check-out"),
}
_SUPPLIER: Final = {
    "Air": ("Airline code", "Airline", "Flight number"),
    "Rail": ("Operator code", "Operator", "Train number"),
    "Car": ("Company code", "Rental company", ""),
    "Hotel": ("Chain code", "Hotel chain", ""),
}
_PLACE: Final = {"Air": "Place", "Rail": "Station", "Car": "Place", "Hotel": "Hotel"}
_CODE: Final = {"Air": "Airport", "Rail": "Station code", "Car": "Airport", "Hotel": "Airport"}
_ODD: Final = frozenset({Clock.GAP, Clock.FOLD, Clock.UNKNOWN_ZONE})


def segment_card(segment: SegmentDraft, number: int, problems: FieldProblems) -> None:
    """Draw the card of a segment; `number` counts from 1."""
    with st.container(border=True, key=f"trip_editor-segment-{segment.uid}"):
        _head(segment, number, problems)
        if segment.kind == "Hotel":
            _place(segment, "start", problems)
        begins, ends = _ENDS.get(segment.kind, ("Begins", "Ends"))
        left, right = st.columns(2)
        with left:
            _end(segment, "start", begins, problems)
        with right:
            _end(segment, "finish", ends, problems)
        _supplier(segment, problems)


def _head(segment: SegmentDraft, number: int, problems: FieldProblems) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{number}**", width="content")
        kind_field(segment, f"Kind of segment {number}")
        st.space("stretch")
        name = segment_words(to_segment(segment).to_wire())
        st.button(
            "Duplicate",
            key=f"trip_editor.duplicate/{segment.uid}",
            icon=":material/content_copy:",
            help=f"Duplicate segment {number}",
            type="tertiary",
            on_click=actions.duplicate_segment,
            args=(segment.uid, number),
        )
        st.button(
            "Remove",
            key=f"trip_editor.remove/{segment.uid}",
            icon=":material/delete:",
            help=f"Remove segment {number}",
            type="tertiary",
            on_click=actions.remove_segment,
            args=(segment.uid, f"segment {number}, {name}"),
        )
    say_problems(problems, segment.uid, "kind", "")


def _end(segment: SegmentDraft, side: Side, label: str, problems: FieldProblems) -> None:
    address = applies(segment, f"{side}.address")
    if applies(segment, f"{side}.iata") and segment.kind != "Hotel":
        code = f"{label}: {_CODE.get(segment.kind, 'code').lower()}"
        at = () if address else (f"{side}.place",)
        if segment.kind == "Rail":
            text_field(segment, f"{side}.iata", code, problems, at=at)
        else:
            airport_field(segment, side, code, problems, at=at)
    # A hotel's place stands above its times.
    if address and (segment.kind != "Hotel" or side == "finish"):
        _place(segment, side, problems)
    day, clock = st.columns([1.75, 1], gap="xsmall")
    with day:
        day_field(segment, side, f"{label}: day")
    with clock:
        text_field(segment, f"{side}.clock", "Local time", problems, placeholder="hh:mm")
    say_problems(problems, segment.uid, f"{side}.time")
    zone_field(segment, side, place_zone(segment, side), problems)
    _true_time(segment, side)


def _true_time(segment: SegmentDraft, side: Side) -> None:
    true = moment_of(segment, side)
    zone = place_zone(segment, side)
    if true.clock in _ODD and true.note:
        st.markdown(f":small[:orange[:material/schedule: {plain(true.note)}]]")
    if true.utc is not None and zone:
        st.caption(f"{moment(true.utc)} · {offset_text(true.utc, zone)} there")
    elif true.clock is Clock.NO_ZONE:
        other = "coordinates" if segment.kind == "Rail" else "the airport or coordinates"
        st.caption(f"No zone is known for this place: choose one, or give {other}.")


def _place(segment: SegmentDraft, side: Side, problems: FieldProblems) -> None:
    where = f"{side}.address"
    is_stay = segment.kind == "Hotel"
    name, city, country = st.columns([3, 2, 2.6]) if is_stay else (st.container(), *st.columns(2, gap="xsmall"))
    with name:
        text_field(
            segment,
            f"{where}.location_name",
            _PLACE.get(segment.kind, "Place"),
            problems,
            at=(f"{side}.location_name", f"{side}.place"),
            placeholder="Name",
        )
    with city:
        text_field(segment, f"{where}.city", "City", problems, at=(f"{side}.city",))
    with country:
        country_field(segment, f"{where}.country", "Country", problems, at=f"{side}.country")
    with st.expander("Street and coordinates", expanded=_has_details(segment, side, problems)):
        text_field(segment, f"{where}.street_address", "Street", problems, at=(f"{side}.street_address",))
        code, state = st.columns(2, gap="xsmall")
        with code:
            text_field(segment, f"{where}.postal_code", "Postal code", problems, at=(f"{side}.postal_code",))
        with state:
            text_field(segment, f"{where}.state", "State or region", problems, at=(f"{side}.state",))
        north, east = st.columns(2, gap="xsmall")
        with north:
            text_field(
                segment, f"{where}.latitude", "Latitude", problems, at=(f"{side}.latitude",), placeholder="24.45"
            )
        with east:
            text_field(
                segment, f"{where}.longitude", "Longitude", problems, at=(f"{side}.longitude",), placeholder="54.37"
            )
        if is_stay and applies(segment, f"{side}.iata"):
            airport_field(segment, side, "Nearest airport", problems, at=())
            st.caption("It stands in for the coordinates on the map, and for the time zone, where they are not given.")
        else:
            needed = "coordinates" if segment.kind == "Rail" else "coordinates and airport"
            st.caption(f"Decimal degrees. Without {needed} a place is listed, and not on the map.")


def _has_details(segment: SegmentDraft, side: Side, problems: FieldProblems) -> bool:
    address = segment.end(side).address
    fields = ("latitude", "longitude", "street_address", "postal_code", "state")
    return bool(
        address.latitude
        or address.longitude
        or address.street_address
        or problems.at(segment.uid, *(f"{side}.{field}" for field in fields))
    )


def _supplier(segment: SegmentDraft, problems: FieldProblems) -> None:
    code, name, number = _SUPPLIER.get(segment.kind, ("Supplier code", "Supplier", "Number"))
    has_number = applies(segment, "number")
    columns = st.columns([1, 2, 1] if has_number else [1, 3])
    with columns[0]:
        text_field(segment, "supplier_code", code, problems, placeholder="EY" if segment.kind == "Air" else None)
    with columns[1]:
        text_field(segment, "supplier_name", name, problems)
    if has_number:
        with columns[2]:
            text_field(
                segment, "number", number or "Number", problems, placeholder="EY301" if segment.kind == "Air" else None
            )
