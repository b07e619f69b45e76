"""Beginning a call that changes something in a script run, following it, and telling its end wherever one is then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol

import streamlit as st
from streamlit.runtime import get_instance
from streamlit.runtime.scriptrunner import StopException, get_script_run_ctx

from components.shell.notices import failed
from components.shell.session import session_lives
from components.widgets.page_redraw import redraw_page
from domain.runtime.problems import explain
from domain.runtime.server import server

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

LOOKED_AT_EVERY_SECONDS: Final = 0.5


def change(
    workspace: Workspace,
    kind: str,
    subject: str,
    work: Callable[[], Any],
    *,
    label: str,
    then: Callable[[End], None],
) -> None:
    """Start a change in a worker, once, unless the session has ended. Call it in a callback.

    `label` names the record in an error on another screen, such as "Trip WSVM7K".
    `work` runs in a thread: no `st.*` in it, and all in it that must happen. `then` is told the end in a run of the
    person: here where it comes at once, otherwise in whichever run finds it; it keeps what is to be shown.
    """
    if not session_lives():
        return
    tab, page = _here()
    server().calls.start(workspace.actor, kind, subject, work, label=label, then=then, tab=tab, page=page)
    _tell(workspace)


def is_pending(workspace: Workspace, kind: str, subject: str | None = None) -> bool:
    """Return whether this tab started such a change and has not shown its end yet, or only just.

    `change` starts no second one then. Ask before you check a form that the first press may have emptied.
    """
    return server().calls.is_pending(workspace.actor, kind, subject, tab=_here()[0])


def is_under_way(workspace: Workspace, kind: str, subject: str | None = None) -> bool:
    """Whether this person's change is being carried out; the frame draws the page again at its end."""
    return bool(server().calls.running(workspace.actor, kind, subject))


def outcome_drawn() -> None:
    """Note that what was told has been drawn; the frame says so for a page, a dialog that stays open by itself."""
    server().calls.mark_drawn(_here()[0])


@contextmanager
def telling(workspace: Workspace) -> Iterator[None]:
    """Tell what has ended before the page is drawn, and have it drawn again when something ends that still runs."""
    # Asked first: what ends while the others are told is told in the run after this one.
    running = server().calls.running(workspace.actor)
    _tell(workspace)
    if running:
        with st.sidebar:  # where it shifts nothing
            follow(lambda: any(call.future.done() for call in running))
    try:
        yield
    except StopException:
        outcome_drawn()
        raise
    outcome_drawn()


def follow(has_ended: Callable[[], bool], *, every: float = LOOKED_AT_EVERY_SECONDS) -> None:
    """Draw the page again once something has ended; `every` so many seconds it is looked at."""

    @st.fragment(run_every=every)
    def look() -> None:
        if has_ended():
            redraw_page()

    look()


class Followed(Protocol):
    """What is read in the background: whether it is being read, and what changes with whatever is drawn of it."""

    @property
    def is_reading(self) -> bool:
        """Whether it is being read."""

    @property
    def version(self) -> object:
        """Changes with what is drawn of it."""


@contextmanager
def following(*reads: Followed) -> Iterator[None]:
    """Have what is drawn within drawn anew once more of these is there than when it began, or came meanwhile."""
    drawn = [each.version for each in reads]
    yield
    if any(each.is_reading for each in reads) or drawn != [each.version for each in reads]:
        follow(lambda: drawn != [each.version for each in reads])


def _tell(workspace: Workspace) -> None:
    tab, page = _here()
    for call, end in server().calls.deliver(workspace.actor, tab, get_instance().is_active_session):
        is_here = call.page == page
        call.then(replace(end, is_here=is_here))
        if end.error is not None and not is_here:
            failed(f"{call.label}: {explain(end.error).text}")


def _here() -> tuple[str, str]:
    context = get_script_run_ctx()
    return (context.session_id, context.page_script_hash) if context is not None else ("", "")
