"""The field and the button that keep something under a name, with why it could not be kept."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.shell.notices import field_problem
from components.shell.state import StateKey
from journal import JournalError


def keep_under(
    label: str,
    keep: Callable[[str], None],
    *,
    key: str,
    button: Callable[[str], str] = lambda _: "Save",
    placeholder: str = "Name",
    help: str | None = None,  # noqa: A002 — the framework's word
) -> None:
    """Draw both. `keep` is given the name, and may raise `JournalError`; then the name stays to be changed.

    What the `button` says goes by the name that is typed. It is never grey: who is quick presses it before the name is
    here, and who gave none is told.
    """
    name, problem = StateKey[str](f"{key}-name", str), StateKey[str](f"{key}-problem", str)

    def press() -> None:
        problem.clear()
        try:
            keep(" ".join(name.get().split()))
        except JournalError as error:
            problem.set(str(error))
        else:
            name.set("")

    text = st.text_input(label, key=name.widget_key, placeholder=placeholder, live=True, help=help)
    typed = " ".join((text or "").split())
    st.button(button(typed), key=key, icon=":material/bookmark_add:", on_click=press)
    field_problem(problem.get())
