"""A text field and a button that save something under a name, with the error if it could not be saved."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.shell.notices import field_problem
from components.shell.state import StateKey
from domain.text.text_limits import MAX_LINE
from journal import JournalError


def draw_save_under_name(
    label: str,
    save: Callable[[str], None],
    *,
    key: str,
    button: Callable[[str], str] = lambda _: "Save",
    placeholder: str = "Name",
    help: str | None = None,  # noqa: A002 — the framework's word
) -> None:
    """Draw the field and the button.

    `save` gets the name and may raise `JournalError`, which is shown; the name then stays in the field. `button`
    returns the label of the button for the current name. The button is always enabled, because a quick user selects it
    before the name has arrived; without a name, an error is shown.
    """
    name, problem = StateKey[str](f"{key}-name", str), StateKey[str](f"{key}-problem", str)

    def save_typed_name() -> None:
        problem.clear()
        try:
            save(" ".join(name.get().split()))
        except JournalError as error:
            problem.set(str(error))
        else:
            name.set("")

    text = st.text_input(label, key=name.widget_key, max_chars=MAX_LINE, placeholder=placeholder, live=True, help=help)
    typed = " ".join((text or "").split())
    st.button(button(typed), key=key, icon=":material/bookmark_add:", on_click=save_typed_name)
    field_problem(problem.get())
