"""The fields a trip is typed in, each with what is wrong with it right under it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

import streamlit as st

from client.vocabulary.itineraries import SEGMENT_TYPES
from components.geography.airports import airport, search_airports
from components.geography.countries import all_countries
from components.geography.time_zones import all_zones
from components.maps.palette import KIND_ICONS
from components.trip_editor.draft import PhoneDraft, SegmentDraft, Side, TravellerDraft, TripDraft
from components.trip_editor.field_problems import FieldProblems
from components.trip_editor.form_values import field_key, shown
from components.trip_editor.state import CHOSEN
from components.widgets.markdown_text import plain

EARLIEST: Final = date(2000, 1, 1)
LATEST: Final = date(2100, 12, 31)
MATCHES: Final = 5

Part = TripDraft | SegmentDraft | TravellerDraft


def text_field(
    part: Part,
    path: str,
    label: str,
    problems: FieldProblems,
    *,
    at: Sequence[str] = (),
    owner: str = "",
    placeholder: str | None = None,
    help_text: str | None = None,
) -> None:
    """Draw a text field; the problems of `path` and of the fields in `at` stand under it."""
    st.text_input(
        label,
        value=shown(part, path),
        key=field_key(part.uid, path),
        placeholder=placeholder,
        help=help_text,
    )
    say_problems(problems, owner or part.uid, path, *at)


def day_field(part: SegmentDraft, side: Side, label: str) -> None:
    """Draw the day of one end; the time beside it carries the problems of both."""
    path = f"{side}.day"
    st.date_input(
        label,
        value=shown(part, path),
        key=field_key(part.uid, path),
        min_value=EARLIEST,
        max_value=LATEST,
        format="YYYY-MM-DD",
    )


def country_field(part: SegmentDraft, path: str, label: str, problems: FieldProblems, *, at: str) -> None:
    """Draw a pick list of countries; a code it does not know, which a trip may come with, stays."""
    _country(label, field_key(part.uid, path), str(shown(part, path)))
    say_problems(problems, part.uid, at)


def phone_fields(part: TravellerDraft, number_label: str, country_label: str) -> None:
    """Draw a traveller's first phone number and its country."""
    first = part.phones[0] if part.phones else PhoneDraft()
    number = field_key(part.uid, "phone.number")
    st.text_input(number_label, value=first.number, key=number, placeholder="+971 50 123 4567")
    _country(country_label, field_key(part.uid, "phone.country"), first.country)


def zone_field(part: SegmentDraft, side: Side, of_place: str | None, problems: FieldProblems) -> None:
    """Draw a pick list of time zones; left empty, the zone is the place's."""
    path = f"{side}.zone"
    _pick(
        "Time zone",
        field_key(part.uid, path),
        all_zones(),
        str(shown(part, path)),
        placeholder=of_place or "Choose a zone",
        help_text="Left empty, it is the zone of the coordinates, the airport or the country.",
    )
    say_problems(problems, part.uid, path)


def choice_field(part: TripDraft, path: str, label: str, names: Mapping[str, str], **drawing: Any) -> None:
    """Draw a pick list of a few named values, which may be left empty."""
    held = str(shown(part, path))
    _pick(label, field_key(part.uid, path), tuple(names), held if held in names else "", names=names, **drawing)


def toggle_field(part: TripDraft, path: str, label: str, help_text: str) -> None:
    """Draw a switch."""
    st.toggle(label, value=bool(shown(part, path)), key=field_key(part.uid, path), help=help_text)


def kind_field(part: SegmentDraft, label: str) -> None:
    """Draw the choice of what a segment is; one of a kind nobody knows has none chosen."""
    known = part.kind in SEGMENT_TYPES
    st.segmented_control(
        label,
        SEGMENT_TYPES,
        default=part.kind if known else None,
        key=field_key(part.uid, "kind"),
        format_func=lambda kind: f"{KIND_ICONS[kind]} {kind}",
        label_visibility="collapsed",
        required=known,
    )


def airport_field(part: SegmentDraft, side: Side, label: str, problems: FieldProblems, *, at: Sequence[str]) -> None:
    """Draw a field that takes an airport's code, or a city or name to choose its airports from."""
    path = f"{side}.iata"
    key = field_key(part.uid, path)
    # A code chosen by a button stands in the session already; the field must not be given another start then.
    chosen = CHOSEN.get() == key
    if chosen:
        CHOSEN.clear()
    st.text_input(label, value="" if chosen else shown(part, path), key=key, placeholder="Code or city", live="250ms")
    typed = part.end(side).iata
    known = airport(typed)
    if known is not None:
        st.caption(plain(known.label.partition(" · ")[2]))
        return
    matches = search_airports(typed, MATCHES) if len(typed.strip()) > 1 else []
    if matches:
        st.caption("Which one?")
        for match in matches:
            st.button(
                plain(match.label),
                key=f"{key}/{match.iata}",
                type="tertiary",
                icon=":material/flight:",
                on_click=_choose,
                args=(key, match.iata),
            )
        return
    if typed and part.kind != "Air" and len(typed) == 3:
        st.caption(f"{plain(typed.upper())} is no airport this desk knows: the address says where it is.")
    elif typed:
        _say(f"No airport is called “{typed}”.")
    say_problems(problems, part.uid, path, *at)


def say_problems(problems: FieldProblems, owner: str, *fields: str) -> None:
    """Draw what is wrong with these fields, in red and with a sign, under the field."""
    for words in problems.at(owner, *fields):
        _say(words)


def _say(words: str) -> None:
    st.markdown(f":small[:red[:material/error: {plain(words)}]]")


def _choose(key: str, code: str) -> None:
    st.session_state[key] = code
    CHOSEN.set(key)


def _country(label: str, key: str, held: str) -> None:
    _pick(label, key, tuple(all_countries()), held, names=all_countries(), placeholder="Country", with_code=True)


def _pick(
    label: str,
    key: str,
    options: Sequence[str],
    held: str,
    *,
    names: Mapping[str, str] | None = None,
    placeholder: str = "",
    help_text: str | None = None,
    with_code: bool = False,
) -> None:
    """Draw a pick list that may be left empty; what a trip came with stays in it, known or not."""
    all_options = [*options, *([held] if held and held not in options else [])]

    def words(option: str) -> str:
        name = (names or {}).get(option, option)
        return f"{name} ({option})" if with_code and name != option else name

    st.selectbox(
        label,
        all_options,
        index=all_options.index(held) if held else None,
        key=key,
        format_func=words,
        placeholder=placeholder,
        help=help_text,
        filter_mode="contains",
    )
