"""The questions about a whole file: the time zone, the order of day and month, the country of phone numbers."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Final

import streamlit as st

from components.shell.state import StateKey
from domain.file_import.check_notes import describe_date_order
from domain.file_import.checking import Check
from domain.geography.countries import country_choice
from domain.geography.country_order import order_countries
from domain.text.plain_text import count, names, plain

DATE_ORDERS: Final = {
    "as the file shows": "Detect from the file",
    "day first": "Day first: Apr 3",
    "month first": "Month first: Mar 4",
}


def draw_questions(check: Check, *, key: str) -> None:
    """Draw the questions that the file leaves open. One answer applies to all rows."""
    draw_hidden_question(check, key=key)
    if check.declaration.sending is not None:
        _draw_zone_question(check, key)
    _draw_order_question(check, key)
    _draw_year_question(check, key)
    _draw_dates_question(check, key)
    _draw_country_question(check, key)
    _draw_contacts_question(check, key)


def draw_hidden_question(check: Check, *, key: str) -> None:
    """Say how many rows and which columns the workbook hides, and ask whether to use them."""
    rows, headings = check.open_hidden_rows, check.matched_hidden_headings
    hidden_rows = count(len(rows), "hidden row", "hidden rows")
    includes_hidden = check.decisions.options.includes_hidden
    if rows:
        with st.container(horizontal=True, vertical_alignment="center"):
            message = f"{count(len(rows), 'row is', 'rows are')} hidden in the sheet, for example by a filter."
            if includes_hidden:
                st.info(f"{message} Muster includes hidden rows.", icon=":material/visibility_off:")
            else:
                message += " Muster skips hidden rows until you include them."
                st.warning(message, icon=":material/visibility_off:")
                include = partial(check.set_options, replace(check.decisions.options, includes_hidden=True))
                st.button(f"Include {hidden_rows}", key=f"{key}-hidden-include", on_click=include)
            st.button(f"Skip {hidden_rows}", key=f"{key}-hidden-skip", on_click=partial(check.skip_rows, rows))
    if headings:
        with st.container(horizontal=True, vertical_alignment="center"):
            columns = count(len(headings), "column that is", "columns that are")
            message = f"Muster reads {columns} hidden in the sheet: {names([f'“{each}”' for each in headings])}."
            st.warning(plain(message), icon=":material/visibility_off:")
            label = f"Ignore {count(len(headings), 'hidden column', 'hidden columns')}"
            st.button(label, key=f"{key}-hidden-ignore", on_click=partial(_ignore_headings, check, headings))


def _ignore_headings(check: Check, headings: Collection[str]) -> None:
    """Keep the column match, without these headings. *Match automatically* uses them again."""
    columns = {name: [each for each in match.headers if each not in headings] for name, match in check.matches.items()}
    check.apply_match(check.decisions.match_name, columns, known_headings=check.source.headers)


def _draw_zone_question(check: Check, key: str) -> None:
    """Say which zone is used for times without one, and offer the zone of the places in the file."""
    number, position = check.count_without_zone, check.declaration.position
    if not number or check.missing:
        return
    message = f"{count(number, 'time has', 'times have')} no time zone. Muster reads these times as"
    zone, place_zone = check.decisions.options.zone, position.zone(check.rows) if position is not None else None
    with st.container(horizontal=True, vertical_alignment="center"):
        if zone == "UTC":
            st.warning(f"{message} UTC. If they are local times, select their time zone.", icon=":material/schedule:")
        else:
            st.info(f"{message} local times in {plain(zone)} and sends them in UTC.", icon=":material/schedule:")
        if zone != "UTC" or place_zone not in (None, "UTC"):
            other = "UTC" if zone != "UTC" else str(place_zone)
            st.button(
                f"Read times as {other}",
                key=f"{key}-zone-{other}",
                on_click=partial(check.set_options, replace(check.decisions.options, zone=other)),
            )


def _draw_order_question(check: Check, key: str) -> None:
    """Ask which of two numbers is the day, if the dates in the file do not show it."""
    warning = describe_date_order(check)
    if warning is not None and not check.missing:
        st.warning(plain(warning), icon=":material/calendar_month:")
    question = check.questions.get("order")
    if not question or check.missing:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.warning(question, icon=":material/calendar_month:")
        for order in ("day first", "month first"):
            choose = partial(check.set_options, replace(check.decisions.options, date_order=order))
            st.button(DATE_ORDERS[order], key=f"{key}-order-{order}", on_click=choose)


def _draw_year_question(check: Check, key: str) -> None:
    """Ask for the date of the report, if dates have no year, or say which date is used."""
    question, reported_on = check.questions.get("year"), check.dates.reported_on
    if check.missing or not (question or check.dates.lacks_years):
        return
    field = StateKey[date](f"{key}-reported-on", lambda: datetime.now(UTC).date())
    if reported_on is not None:
        field.set(reported_on)

    def choose() -> None:
        check.set_options(replace(check.decisions.options, reported_on=field.get().isoformat()))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        if reported_on is None:
            st.warning(question, icon=":material/calendar_month:")
        else:
            message = (
                "The file has dates without a year. Muster uses the first matching date after the date of the report."
            )
            st.info(message, icon=":material/calendar_month:")
        st.date_input("Date of the report", key=field.widget_key, on_change=choose, width=180)
        if reported_on is None:
            st.button("Add the years", key=f"{key}-add-years", icon=":material/event_available:", on_click=choose)


def _draw_country_question(check: Check, key: str) -> None:
    """Ask for the country of phone numbers without a country code."""
    question = check.questions.get("country")
    if not (question or check.decisions.options.country) or check.missing:
        return
    country = StateKey[str](f"{key}-country", str)
    country.set(check.decisions.options.country)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if question:
            st.warning(question, icon=":material/call:")
        st.selectbox(
            "Country of these phone numbers",
            ("", *order_countries()),
            format_func=lambda code: country_choice(code) or "Not selected",
            key=country.widget_key,
            on_change=lambda: check.set_options(replace(check.decisions.options, country=country.get())),
        )


def _draw_dates_question(check: Check, key: str) -> None:
    """Ask whether dates that are months or years from the others are right."""
    question = check.questions.get("dates")
    if not (question or check.decisions.options.are_dates_right) or check.missing:
        return
    are_right = StateKey[bool](f"{key}-are-dates-right", bool)
    are_right.set(check.decisions.options.are_dates_right)
    if question:
        st.warning(question, icon=":material/calendar_month:")
    st.checkbox(
        "Dates far from the others are correct",
        key=are_right.widget_key,
        on_change=lambda: check.set_options(replace(check.decisions.options, are_dates_right=are_right.get())),
    )


def _draw_contacts_question(check: Check, key: str) -> None:
    """Ask whether employee IDs without a name belong to existing contacts."""
    question = check.questions.get("contacts")
    if not (question or check.decisions.options.are_contacts) or check.missing:
        return
    are_contacts = StateKey[bool](f"{key}-are-contacts", bool)
    are_contacts.set(check.decisions.options.are_contacts)
    if question:
        st.warning(question, icon=":material/person_alert:")
    st.checkbox(
        "Employee IDs without a name belong to existing contacts",
        key=are_contacts.widget_key,
        on_change=lambda: check.set_options(replace(check.decisions.options, are_contacts=are_contacts.get())),
    )
