"""Notices: an error that stays until it is mended, and a word of success that outlives a rerun."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from components.shell.problems import Problem, explain
from components.shell.state import StateKey
from components.widgets.markdown_text import plain
from components.widgets.payload_view import request_expander

_DONE: Final = StateKey[list[str]]("shell.done", list)
_FAILED: Final = StateKey[list[str]]("shell.failed", list)


def show_problem(error: Exception, *, doing: str, key: str) -> None:
    """Draw the error in plain words: what happened, whether anything was changed, what to do, and the request."""
    draw_problem(explain(error, doing), key=key)


def draw_problem(problem: Problem, *, key: str) -> None:
    """Draw a problem that was explained before, such as one kept over a rerun."""
    with st.container(key=f"{key}-problem"):
        lines = [f"**{plain(problem.headline)}**", plain(problem.changed), plain(problem.advice)]
        st.error("  \n".join(line for line in lines if line), icon=":material/error:")
        if problem.request is not None:
            request_expander("Show the request", problem.request, key=f"{key}-request")


def done(text: str) -> None:
    """Say that something was done, now or at the next run if this one ends before it is drawn."""
    # What is told twice, as by a run that was cut off and the one after it, is said once.
    _DONE.set(list(dict.fromkeys([*_DONE.get(), text])))


def failed(text: str) -> None:
    """Say that something begun on another screen was not done, until it is dismissed."""
    _FAILED.set(list(dict.fromkeys([*_FAILED.get(), text])))


@contextmanager
def said_at_the_end() -> Iterator[None]:
    """Draw what is to be said once the page is drawn; a run that goes on to another leaves it to that one."""
    try:
        yield
    except StopException:
        flush()
        raise
    flush()


def flush() -> None:
    """Draw what is to be said."""
    for text in _DONE.get():
        st.toast(plain(text), icon=":material/check_circle:")
    _DONE.clear()
    for text in _FAILED.get():
        st.toast(plain(text), icon=":material/error:", duration="infinite")
    _FAILED.clear()
