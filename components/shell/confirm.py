"""Confirmation before something that cannot be undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from components.shell.notices import show_failure
from components.shell.session import while_signed_in
from components.shell.state import StateKey
from domain.text.plain_text import plain
from journal import JournalError


def confirm_dialog(
    title: str,
    body_markdown_lines: Sequence[str],
    action_label: str,
    on_confirm: Callable[[], None],
    *,
    key: str,
    keep_label: str = "Go back",
    icon: str = ":material/delete:",
    also: Callable[[], bool] | None = None,
) -> None:
    """Open a dialog that names the action and its target, and call `on_confirm` when the user confirms.

    Call it in the run of the first button. `body_markdown_lines` are Markdown: escape names with `plain_text.plain`.
    `also` draws further fields and returns whether they are complete. `on_confirm` runs in a callback and must not
    draw. The frame shows a `JournalError` that it raises.
    """
    answered = StateKey[bool](f"{key}-answered", lambda: False)
    answered.clear()

    def confirm() -> None:
        if not answered.get():
            answered.set(True)
            try:
                while_signed_in(on_confirm)()
            except JournalError as error:
                show_failure(str(error))

    @st.dialog(title, icon=":material/warning:")
    def ask() -> None:
        if answered.get():
            # Inside the dialog only the dialog is run again: the page closes it.
            st.rerun()
        for line in body_markdown_lines:
            st.markdown(line)
        is_filled_in = also is None or also()
        with st.container(horizontal=True, horizontal_alignment="right"):
            st.button(keep_label, key=f"{key}-keep", on_click=answered.set, args=(True,))
            st.button(
                f":red[**{plain(action_label)}**]",
                key=f"{key}-confirm",
                icon=icon,
                disabled=not is_filled_in,
                on_click=confirm,
            )

    ask()
