"""What the buttons around events and categories do; what goes wrong is kept for the page to show. Draws nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import Duplicate, Invalid
from components.journal.recorded import outcome_of
from components.notifications import named_records
from components.notifications.state import (
    RECORD_IN_URL,
    creating_key,
    failure_key,
    known_key,
    name_problem_key,
    new_name_key,
)
from components.shell.notices import done

if TYPE_CHECKING:
    from components.notifications.named_records import Filing
    from components.shell.workspace import Workspace


def create(workspace: Workspace, filing: Filing) -> None:
    """Create what was typed, where its name can be taken; what was typed stays until it was created."""
    typed, creating, known = new_name_key(filing.noun), creating_key(filing.noun), known_key(filing.noun).get()
    name = (typed.get() or "").strip()
    if known is None and name == creating.get():
        # The second click of two: the list was not drawn anew since the first, which created it or may have.
        return
    problem = named_records.name_problem(name, known.records if known is not None else (), filing.noun)
    name_problem_key(filing.noun).set(problem)
    failure_key(filing.noun).clear()
    if problem is not None:
        return
    # Before the call: whatever interrupts this run, a second click finds it. The list tells what is there after that.
    creating.set(name)
    forget(filing)
    try:
        created = named_records.create(workspace, filing, name)
    except (Duplicate, Invalid) as error:
        creating.clear()
        said = error.service_message or error.message
        name_problem_key(filing.noun).set(f"The service does not take this name: {said}")
        return
    except Exception as error:  # noqa: BLE001 — kept and shown by the page
        if outcome_of(error) != "unknown":
            creating.clear()
        failure_key(filing.noun).set(error)
        return
    typed.set("")
    if created.id is not None:
        st.query_params[RECORD_IN_URL] = str(created.id)
    done(f"The {filing.noun} “{name}” was created.")


def forget(filing: Filing) -> None:
    """Have the list read again at the next drawing."""
    known_key(filing.noun).clear()


def dismiss(filing: Filing) -> None:
    """Take away what is said of a failure."""
    failure_key(filing.noun).clear()
