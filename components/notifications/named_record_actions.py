"""What the buttons around events and categories do; what goes wrong is kept for the page to show. Draws nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from client import Duplicate, Invalid
from components.notifications import named_records
from components.notifications.state import (
    RECORD_IN_URL,
    failure_key,
    known_key,
    name_problem_key,
    new_name_key,
)
from components.shell.changing import change, is_same_press
from components.shell.notices import done

if TYPE_CHECKING:
    from components.notifications.named_records import Filing
    from components.shell.calls import End
    from components.shell.workspace import Workspace


def create(workspace: Workspace, filing: Filing) -> None:
    """Create what was typed, where its name can be taken; what was typed stays until it was created."""
    if is_same_press(workspace, filing.action):
        return
    known = known_key(filing.noun).get()
    name = (new_name_key(filing.noun).get() or "").strip()
    problem = named_records.name_problem(name, known.records if known is not None else (), filing.noun)
    name_problem_key(filing.noun).set(problem)
    failure_key(filing.noun).clear()
    if problem is None:
        change(
            workspace,
            filing.action,
            name,
            partial(named_records.create, workspace, filing, name),
            doing=f"creating the {filing.noun} {name}",
            then=partial(_created, filing, name),
        )


def _created(filing: Filing, name: str, end: End) -> None:
    # The list tells what is there after that.
    forget(filing)
    if isinstance(end.error, Duplicate | Invalid):
        said = end.error.service_message or end.error.message
        name_problem_key(filing.noun).set(f"The service does not take this name: {said}")
    elif end.error is not None:
        failure_key(filing.noun).set(end.error)
    else:
        typed = new_name_key(filing.noun)
        if (typed.get() or "").strip() == name:
            typed.set("")
        if end.is_here and end.value.id is not None:
            st.query_params[RECORD_IN_URL] = str(end.value.id)
        done(f"The {filing.noun} “{name}” was created.")


def forget(filing: Filing) -> None:
    """Have the list read again at the next drawing."""
    known_key(filing.noun).clear()


def dismiss(filing: Filing) -> None:
    """Take away what is said of a failure."""
    failure_key(filing.noun).clear()
