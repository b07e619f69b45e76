"""Notices: errors at fields, errors of the service, and success messages that survive a rerun."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from components.shell.state import StateKey
from components.widgets.downloads import request_expander
from domain.runtime.problems import Problem, explain
from domain.text.plain_text import count, plain

MAX_LINES: Final = 6
_DONE: Final = StateKey[list[str]]("shell.done", list)
_FAILED: Final = StateKey[list[str]]("shell.failed", list)


def field_problem(*problems: str | None) -> None:
    """Draw the errors of the field above."""
    for problem in filter(None, problems):
        st.markdown(f":small[:red[:material/error: {plain(problem)}]]")


def error_list(lines: Sequence[str]) -> None:
    """Draw the first errors that block sending or saving, and how many more there are."""
    if not lines:
        return
    shown = "\n".join(f"- {plain(line)}" for line in lines[:MAX_LINES])
    more = f"\n- and {len(lines) - MAX_LINES:,} more" if len(lines) > MAX_LINES else ""
    st.error(
        f"**Fix {count(len(lines), 'error', 'errors')}**\n{shown}{more}",
        icon=":material/error:",
    )


def show_problem(error: Exception, *, key: str, is_read: bool = False) -> None:
    """Draw an error: what happened, whether anything changed unless it was a read, what to do, and the request."""
    draw_problem(explain(error, is_read=is_read), key=key)


def draw_problem(problem: Problem, *, key: str) -> None:
    """Draw an error that was explained before, such as one that was stored over a rerun."""
    with st.container(key=f"{key}-problem"):
        lines = [f"**{plain(problem.headline)}**", plain(problem.changed), plain(problem.advice)]
        st.error("  \n".join(line for line in lines if line), icon=":material/error:")
        if problem.request is not None:
            request_expander("Show request", problem.request, key=f"{key}-request")


def show_success(text: str) -> None:
    """Show a success message, in this run or in the next one if this one ends before."""
    # A run that was cut off and the one after it may both add the message.
    if text not in _DONE.get():
        _DONE.get().append(text)


def show_failure(text: str) -> None:
    """Show an error of something that was started on another screen, until it is dismissed."""
    if text not in _FAILED.get():
        _FAILED.get().append(text)


@contextmanager
def draw_messages() -> Iterator[None]:
    """Draw the messages before the page and after it.

    A run that is cut off may never be seen, so the next one draws its messages again.
    """
    # After a page has stopped, the session cannot be read: the stored lists are changed in place.
    stores = (_DONE.get(), _FAILED.get())
    drawn = _draw(())
    try:
        yield
    except StopException:
        _remove(stores, drawn)
        raise
    _remove((_DONE.get(), _FAILED.get()), [*drawn, *_draw(drawn)])


def _draw(drawn: Sequence[str]) -> list[str]:
    """Draw the messages that are not drawn yet, and return them."""
    successes, failures = ([text for text in key.get() if text not in drawn] for key in (_DONE, _FAILED))
    for text in successes:
        st.toast(plain(text), icon=":material/check_circle:")
    for text in failures:
        st.toast(plain(text), icon=":material/error:", duration="infinite")
    return [*successes, *failures]


def _remove(stores: Iterable[list[str]], drawn: Sequence[str]) -> None:
    for texts in stores:
        texts[:] = [text for text in texts if text not in drawn]
