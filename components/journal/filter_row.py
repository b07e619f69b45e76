"""Drawing what the journal is narrowed to: one row of filters, all of them in the URL."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import cast

import streamlit as st

from components.journal.period import CHOSEN, PERIODS, period_bounds
from components.journal.state import (
    ACTION,
    ENTRY_IN_URL,
    FIRST_DAY,
    LAST_DAY,
    NARROWED_BY,
    OUTCOME,
    PAGE,
    PERIOD,
    PERSON,
    TEXT,
)
from components.journal.words import OUTCOMES, action_words
from components.shell.address import in_address
from components.shell.state import StateKey
from journal import EntryFilters, EntryState

# Two choices stand side by side on a phone, all filters in one row on a wide screen.
FIND_WIDTH = 250
CHOICE_WIDTH = 166


def filter_row(usernames: Sequence[str], actions: Sequence[str], now: datetime) -> EntryFilters:
    """Draw the filters and give back what they say."""
    by_words = {action_words(action): action for action in actions}
    by_word = {outcome.word: state for state, outcome in OUTCOMES.items()}
    with in_address(*NARROWED_BY):
        text, person, words, word = _draw_choices(usernames, list(by_words), list(by_word))
        first, last = _draw_period()
    since, until = period_bounds(PERIOD.get(), now, first, last)
    # A word that stands for nothing, as in an old address, stays in its field and matches no entry.
    return EntryFilters(
        username=person,
        action=by_words.get(words, words) if words else None,
        state=by_word.get(word, cast(EntryState, word)) if word else None,
        since=since,
        until=until,
        text=text,
    )


def _draw_choices(
    usernames: Sequence[str], actions: Sequence[str], outcomes: Sequence[str]
) -> tuple[str, str | None, str | None, str | None]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Find in the journal",
            type="search",
            key=TEXT.widget_key,
            placeholder="Locator, name, id, message…",
            on_change=_start_over,
            width=FIND_WIDTH,
        )
        person = _choice("Person", usernames, PERSON, "Everyone")
        action = _choice("Action", actions, ACTION, "All actions")
        outcome = _choice("Outcome", outcomes, OUTCOME, "All outcomes")
        st.selectbox("Period", PERIODS, key=PERIOD.widget_key, on_change=_start_over, width=CHOICE_WIDTH)
    return text or "", person, action, outcome


def _draw_period() -> tuple[date | None, date | None]:
    if PERIOD.get() != CHOSEN:
        FIRST_DAY.set(None)
        LAST_DAY.set(None)
        return None, None
    with st.container(horizontal=True):
        first = st.date_input("From", None, key=FIRST_DAY.widget_key, width=CHOICE_WIDTH)
        last = st.date_input("To", None, key=LAST_DAY.widget_key, width=CHOICE_WIDTH)
    return first, last


def _start_over() -> None:
    """Other filters, another list: go to its first page, and let go of the entry that was picked in the old one."""
    PAGE.set(1)
    st.query_params.pop(ENTRY_IN_URL, None)


def _choice(label: str, options: Sequence[str], state: StateKey[str | None], when_none: str) -> str | None:
    held = state.get()
    chosen: str | None = st.selectbox(
        label,
        options if held is None or held in options else [*options, held],
        index=None,
        key=state.widget_key,
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
