"""Drawing the events, or the categories, that notifications are filed under: the list, one beside it, and a new one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.change.recorded import outcome_of
from components.notifications import named_record_actions, named_records
from components.notifications.named_record_frame import (
    NAMELESS,
    NOT_TOLD,
    answer_words,
    named_record_frame,
    uses_words,
)
from components.notifications.named_records import EVENTS, Filing, NamedRecords
from components.notifications.state import (
    RECORD_IN_URL,
    failure_key,
    known_key,
    name_problem_key,
    new_name_key,
)
from components.shell.changing import is_under_way
from components.shell.navigation import link_to
from components.shell.notices import show_problem
from components.shell.screens import NOTIFICATIONS
from components.shell.workspace import Workspace
from components.widgets.field_problem import field_problem
from components.widgets.ids import NOT_AN_ID, id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.paging import Column, numbers
from components.widgets.record_table import record_table
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.notifications.named_records import Record


def named_records_screen(workspace: Workspace, filing: Filing, *, meaning: str) -> None:
    """Draw the screen of one kind; `meaning` says in a sentence what it is for."""
    now = datetime.now(UTC)
    place = st.container()
    known = _known(workspace, filing, now)
    if known is None:
        return
    with place, st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.markdown(f"{answer_words(known, filing)}  \n:small[As of {moment(known.read_at, now=now)}.]")
        st.button(
            "Read again",
            key=f"notifications.read_again/{filing.noun}",
            icon=":material/refresh:",
            on_click=named_record_actions.forget,
            args=(filing,),
        )
    if known.uses.error is not None:
        show_problem(known.uses.error, doing="counting what is filed under them", key=f"{filing.noun}-uses")
    _failure(filing)
    if not known.records:
        st.info(f"There are no {filing.nouns} yet. {meaning} Create the first one here.", icon=":material/edit_note:")
        _new(workspace, filing)
        return
    list_side, detail_side = st.columns([3, 2], gap="medium")
    with list_side:
        record_id = _list(filing, known, now)
    with detail_side:
        with st.container(border=True):
            _detail(workspace, filing, known, record_id, now)
        with st.container(border=True):
            _new(workspace, filing)
            st.caption(meaning)


def _known(workspace: Workspace, filing: Filing, now: datetime) -> NamedRecords | None:
    held = known_key(filing.noun)
    known = held.get()
    if known is not None and known.is_fresh(now):
        return known
    try:
        with st.spinner(f"Reading the {filing.nouns} and counting what is filed under them …"):
            known = named_records.read(workspace.client, filing)
    except ServiceError as error:
        show_problem(error, doing=f"reading the {filing.nouns}", key=f"{filing.noun}-read")
        st.button("Try again", key=f"notifications.try_again/{filing.noun}", icon=":material/refresh:")
        return None
    held.set(known)
    return known


def _list(filing: Filing, known: NamedRecords, now: datetime) -> str | None:
    search = st.text_input(
        f"Find {_a(filing)}",
        type="search",
        key=f"notifications.search/{filing.noun}",
        placeholder="Name or id",
        live="250ms",
    )
    table = named_record_frame(known, now, search=search)
    if table.empty:
        st.info(f"No {filing.noun} is called like “{plain(search.strip())}”.", icon=":material/search_off:")
        return st.query_params.get(RECORD_IN_URL)
    return record_table(
        table,
        {
            "name": "Name",
            "uses": numbers("Notifications"),
            "created": Column("Created", order="created_at"),
            "by": "By",
            "id": "Id",
        },
        key=f"notifications-{filing.noun}",
        id_column="id",
        picked_in=RECORD_IN_URL,
        noun=(filing.noun, filing.nouns),
        by="name",
        in_address=True,
        file=lambda ordered: ordered.drop(columns="created_at"),
        stem=filing.nouns,
    ).one


def _detail(workspace: Workspace, filing: Filing, known: NamedRecords, record_id: str | None, now: datetime) -> None:
    if record_id is None:
        st.caption(f"Pick {_a(filing)} to read it.")
        return
    record = next((each for each in known.records if str(each.id) == record_id), None)
    if record is None:
        record = _retrieve(workspace, filing, record_id)
    if record is None:
        return
    st.subheader(plain(record.name or NAMELESS), anchor=False)
    st.markdown(uses_words(known, record.id))
    if filing is EVENTS and known.uses.of(record.id):
        link_to(NOTIFICATIONS, "See its notifications", event=record.id)
    made = moment(record.created_date, now=now) if record.created_date else NOT_TOLD.lower()
    changed = moment(record.last_modified_date, now=now) if record.last_modified_date else NOT_TOLD.lower()
    st.markdown(
        f"Created: {made}, by {plain(record.created_name or NOT_TOLD.lower())}  \n"
        f"Last changed: {changed}, by {plain(record.last_modified_name or NOT_TOLD.lower())}"
    )
    st.caption("Id")
    st.code(str(record.id), language=None)


def _retrieve(workspace: Workspace, filing: Filing, record_id: str) -> Record | None:
    """Read the one an address names where the list does not show it."""
    number = id_in(record_id)
    if number is None:
        st.info(f"{plain(quoted_id(record_id))} is not the id of {_a(filing)}. {NOT_AN_ID}", icon=":material/help:")
        return None
    resource = workspace.client.notification_events if filing is EVENTS else workspace.client.notification_categories
    try:
        return resource.retrieve(number)
    except ServiceError as error:
        show_problem(error, doing=f"reading the {filing.noun} {record_id}", key=f"{filing.noun}-one")
        return None


def _new(workspace: Workspace, filing: Filing) -> None:
    st.subheader(f"New {filing.noun}", anchor=False)
    st.text_input("Name", key=new_name_key(filing.noun).widget_key, persist_state="session")
    field_problem(name_problem_key(filing.noun).get())
    if is_under_way(workspace, filing.action):
        st.info(f"The {filing.noun} is being created.", icon=":material/hourglass_top:")
        return
    st.button(
        f"Create the {filing.noun}",
        key=f"notifications.create/{filing.noun}",
        type="primary",
        icon=":material/add:",
        on_click=named_record_actions.create,
        args=(workspace, filing),
    )


def _failure(filing: Filing) -> None:
    error = failure_key(filing.noun).get()
    if error is None:
        return
    show_problem(error, doing=f"creating the {filing.noun}", key=f"{filing.noun}-create")
    if outcome_of(error) == "unknown":
        st.info(
            f"The list below was read again after that: if the {filing.noun} is in it, it was created.",
            icon=":material/fact_check:",
        )
    st.button(
        "Dismiss",
        key=f"notifications.dismiss/{filing.noun}",
        on_click=named_record_actions.dismiss,
        args=(filing,),
    )


def _a(filing: Filing) -> str:
    return f"{'an' if filing.noun[0] in 'aeiou' else 'a'} {filing.noun}"
