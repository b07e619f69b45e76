"""Drawing what the journal is narrowed to: one row of filters, all of them in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from components.journal.period import CHOSEN, PERIODS, period_bounds
from components.journal.state import (
    ACTION,
    ENTRY_IN_URL,
    FIRST_DAY,
    LAST_DAY,
    LET_GO,
    OUTCOME,
    PAGE,
    PERIOD,
    PERSON,
    TEXT,
)
from components.journal.words import OUTCOMES, action_words
from components.shell.state import StateKey
from journal import EntryFilters

# Two choices stand side by side on a phone, all filters in one row on a wide screen.
FIND_WIDTH = 250
CHOICE_WIDTH = 166


def filter_row(usernames: Sequence[str], actions: Sequence[str], now: datetime) -> EntryFilters:
    """Draw the filters and give back what they say."""
    by_words = {action_words(action): action for action in actions}
    by_word = {outcome.word: state for state, outcome in OUTCOMES.items()}
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Find in the journal",
            type="search",
            key=TEXT.widget_key,
            bind="query-params",
            placeholder="Locator, name, id, message…",
            on_change=_start_over,
            width=FIND_WIDTH,
        )
        person = _choice("Person", usernames, PERSON, "Everyone")
        words = _choice("Action", list(by_words), ACTION, "All actions")
        word = _choice("Outcome", list(by_word), OUTCOME, "All outcomes")
        period = st.selectbox(
            "Period",
            PERIODS,
            key=PERIOD.widget_key,
            bind="query-params",
            on_change=_start_over,
            width=CHOICE_WIDTH,
        )
    first = last = None
    with st.container(horizontal=True):
        if period == CHOSEN:
            first = st.date_input("From", None, key=FIRST_DAY.widget_key, bind="query-params", width=CHOICE_WIDTH)
            last = st.date_input("To", None, key=LAST_DAY.widget_key, bind="query-params", width=CHOICE_WIDTH)
    since, until = period_bounds(period, now, first, last)
    return EntryFilters(
        username=person,
        action=by_words.get(words or ""),
        state=by_word.get(word or ""),
        since=since,
        until=until,
        text=text or "",
    )


def _start_over() -> None:
    """Other filters, another list: go to its first page, and let go of the entry that was picked in the old one."""
    PAGE.set(1)
    LET_GO.set(st.query_params.get(ENTRY_IN_URL))


def _choice(label: str, options: Sequence[str], state: StateKey[str | None], when_none: str) -> str | None:
    chosen: str | None = st.selectbox(
        label,
        options,
        index=None,
        key=state.widget_key,
        bind="query-params",
        placeholder=when_none,
        on_change=_start_over,
        width=CHOICE_WIDTH,
    )
    return chosen


def show_unknown_only() -> None:
    """Narrow the journal to the entries whose outcome nobody knows, and to nothing else."""
    clear_filters()
    OUTCOME.set(OUTCOMES["unknown"].word)


def clear_filters() -> None:
    """Take every filter away."""
    TEXT.set("")
    PERSON.set(None)
    ACTION.set(None)
    OUTCOME.set(None)
    PERIOD.set(PERIODS[0])
    _start_over()
