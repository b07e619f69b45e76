"""Ways from one screen to another, with the query that says what the other should show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn

import streamlit as st

from components.shell.address import depart
from components.shell.screens import Screen

QueryValue = str | int | Iterable[str] | None


def query_of(values: Mapping[str, QueryValue]) -> dict[str, list[str]]:
    """Return the query as text: ids stay digits, lists repeat the name, and what is None or empty is left out."""
    query: dict[str, list[str]] = {}
    for name, value in values.items():
        if value is None or value == "":
            continue
        if isinstance(value, str | int):
            query[name] = [str(value)]
        elif several := [str(item) for item in value]:
            query[name] = several
    return query


def go_to(screen: Screen, **query: QueryValue) -> NoReturn:
    """Leave this run and open the screen with that query."""
    wanted = query_of(query)
    depart(wanted)
    st.switch_page(screen.page, query_params=wanted)


def link_to(screen: Screen, label: str, icon: str | None = None, **query: QueryValue) -> None:
    """Draw a link to the screen with that query."""
    st.page_link(screen.page, label=label, icon=icon or screen.icon, query_params=query_of(query))
