"""The header of each screen: breadcrumb, title, age, refresh, primary action, tabs, and the answer in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.shell import brand
from components.shell.address import QueryValue, current_screen, link_to
from domain.runtime.screens import Screen, tabs_of
from domain.text.plain_text import in_short, plain
from domain.text.time_text import moment


class Crumb(NamedTuple):
    """A step of the way back: the text of its link, its screen, and the query that the screen is opened with."""

    label: str
    screen: Screen
    query: dict[str, QueryValue] = {}  # noqa: RUF012 - nothing writes to it


@dataclass(frozen=True)
class PageHeader:
    """The parts of a header that a screen fills in.

    Attributes:
        age: How old the data is, and the button that refreshes it, to the right of the title.
        actions: The primary action and what else can be done with the whole screen, to the right of the age.
        answer: What the screen answers, in one line below the title.
    """

    age: DeltaGenerator
    actions: DeltaGenerator
    answer: DeltaGenerator


def draw_age(
    read_at: datetime, *, key: str, refresh: Callable[[], None] | None = None, now: datetime | None = None
) -> None:
    """Draw the age of the data and the button that refreshes it; without `refresh`, the button redraws the page."""
    st.caption(f"as of {moment(read_at, now=now)}", width="content")
    st.button("Refresh", key=key, icon=":material/refresh:", type="tertiary", on_click=refresh)


def draw_page_header(
    title: str = "", *, name: str = "", color: str = "", trail: Sequence[Crumb] | None = None
) -> PageHeader:
    """Draw the header of the open screen.

    Args:
        title: The heading, as plain text. Without it, the screen's own.
        name: What the browser's tab says before "Muster", if that isn't the title.
        color: The color of the title.
        trail: The way back. Without it, a screen of its own leads back to its entry of the menu.
    """
    screen = current_screen()
    heading = title or (screen.heading if screen is not None else brand.NAME)
    is_tab = screen is not None and bool(screen.tab) and heading == screen.heading
    st.set_page_config(
        page_title=f"{in_short(name or (screen.title if is_tab and screen else heading))} · {brand.NAME}"
    )
    if trail is None and screen is not None and not is_tab and heading != screen.menu_screen.heading:
        trail = [Crumb(screen.menu_screen.heading, screen.menu_screen)]
    if trail:
        with st.container(horizontal=True, gap="xxsmall", key="breadcrumb"):
            for crumb in trail:
                link_to(crumb.screen, plain(crumb.label), icon=":material/chevron_left:", **crumb.query)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        text = plain(heading)
        st.title(f":{color}[{text}]" if color else text, anchor=False, width="content")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            age = st.container(horizontal=True, width="content", vertical_alignment="center")
            actions = st.container(horizontal=True, width="content", vertical_alignment="center")
    if screen is not None and is_tab:
        with st.container(horizontal=True, gap="small", key="tabs"):
            for each in tabs_of(screen):
                link_to(each, each.tab)
    with st.container(key="announced-answer"):
        return PageHeader(age, actions, st.empty())
