"""Changes from a script run: start a call in a worker, wait for its end, and show the end on whichever page is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from components.shell.notices import show_failure
from components.shell.page_redraw import redraw_page
from components.shell.session import TOKEN, is_signed_in
from components.shell.state import StateKey
from domain.runtime.problems import explain
from domain.runtime.server import server

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

CHECK_EVERY_SECONDS: Final = 0.5
_ARE_REDRAWS_PAUSED: Final = StateKey[bool]("shell.are_redraws_paused", bool)


def start_change(
    workspace: Workspace,
    kind: str,
    subject: str,
    work: Callable[[], Any],
    *,
    label: str,
    then: Callable[[End], None],
) -> None:
    """Start a change in a worker, unless the session has ended or the change is pending. Call it in a callback.

    `label` names the record in an error on another screen, such as "Trip WSVM7K". `work` runs in a thread, without
    Streamlit, and must include everything that has to happen. `then` handles the end in a run of the user: in this one
    if it comes at once, otherwise in the next one. It stores what the page shows.
    """
    if is_signed_in():
        prepare_change(workspace, kind, subject, work, label=label, then=then)()
        _deliver(workspace)


def prepare_change(
    workspace: Workspace,
    kind: str,
    subject: str,
    work: Callable[[], Any],
    *,
    label: str,
    then: Callable[[End], None],
) -> Callable[[], None]:
    """Return a function that starts this change of `start_change` later, also outside a script run.

    It does nothing once the session has ended.
    """
    (tab, page), token = _tab_and_page(), TOKEN.get()

    def start() -> None:
        if server().sessions.peek(token) is not None:
            server().calls.start(workspace.actor, kind, subject, work, label=label, then=then, tab=tab, page=page)

    return start


def is_pending(workspace: Workspace, kind: str, subject: str | None = None) -> bool:
    """Return whether this tab started such a change and has not shown its end yet, or only just.

    `start_change` does not start a second one then. Check this before a form that the first press may have emptied.
    """
    return server().calls.is_pending(workspace.actor, kind, subject, tab=_tab_and_page()[0])


def is_under_way(workspace: Workspace, kind: str, subject: str | None = None) -> bool:
    """Return whether such a change of the user runs. The frame redraws the page at its end."""
    return bool(server().calls.running(workspace.actor, kind, subject))


def mark_outcomes_drawn() -> None:
    """Note that the delivered ends are drawn. The frame does so for pages; a dialog that stays open does it itself."""
    server().calls.mark_drawn(_tab_and_page()[0])


@contextmanager
def deliver_outcomes(workspace: Workspace) -> Iterator[None]:
    """Deliver the ends of changes before the page is drawn, and redraw the page when a running change ends."""
    # Before the others are delivered: a change that ends meanwhile is delivered in the next run.
    running = server().calls.running(workspace.actor)
    _deliver(workspace)
    if running:
        with st.sidebar:  # where it moves no part of the page
            redraw_when(lambda: any(call.future.done() for call in running))
    try:
        yield
    except StopException:
        mark_outcomes_drawn()
        raise
    mark_outcomes_drawn()


def pause_redraws() -> None:
    """Pause the redraws of `redraw_when` until the page runs again. Call it in a run of the page."""
    _ARE_REDRAWS_PAUSED.set(True)


def resume_redraws() -> None:
    """End the pause. The frame calls it at the start of each run of a page."""
    _ARE_REDRAWS_PAUSED.clear()


def redraw_when(has_ended: Callable[[], bool], *, every: float = CHECK_EVERY_SECONDS) -> None:
    """Redraw the page once `has_ended` returns true, which is called every so many seconds."""

    @st.fragment(run_every=every)
    def check() -> None:
        if not _ARE_REDRAWS_PAUSED.get() and has_ended():
            redraw_page()

    check()


class LoadingData(Protocol):
    """Data that loads in the background."""

    @property
    def is_reading(self) -> bool:
        """Whether the data is loading."""

    @property
    def version(self) -> object:
        """A value that changes with what the page shows of the data."""


@contextmanager
def redraw_while_loading(*reads: LoadingData) -> Iterator[None]:
    """Redraw the page if this data has changed since the start of this context, or when it changes while it loads."""
    drawn = [each.version for each in reads]
    yield
    if any(each.is_reading for each in reads) or drawn != [each.version for each in reads]:
        redraw_when(lambda: drawn != [each.version for each in reads])


def _deliver(workspace: Workspace) -> None:
    tab, page = _tab_and_page()
    for call, end in server().calls.deliver(workspace.actor, tab, get_instance().is_active_session):
        is_here = call.page == page
        call.then(replace(end, is_here=is_here))
        if end.error is not None and not is_here:
            show_failure(f"{call.label}: {explain(end.error).text}")


def _tab_and_page() -> tuple[str, str]:
    context = get_script_run_ctx()
    return (context.session_id, context.page_script_hash) if context is not None else ("", "")
