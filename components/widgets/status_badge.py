"""The badge of a status, in one shape on every screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from domain.text.plain_text import plain

if TYPE_CHECKING:
    from domain.tables.status import Status


def draw_status(status: Status) -> None:
    """Draw the badge of a status."""
    icon = f":material/{status.icon}:" if status.icon else None
    st.badge(plain(status), icon=icon, color=status.color)  # type: ignore[arg-type]


def status_markdown(status: Status) -> str:
    """Write the badge of a status as Markdown, for a line with other text."""
    icon = f":material/{status.icon}: " if status.icon else ""
    return f":{status.color}-badge[{icon}{plain(status)}]"
