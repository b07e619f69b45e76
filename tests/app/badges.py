"""A list in memory that searches, sorts, and pages like the service, as far as tests need."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event
from types import SimpleNamespace
from typing import Any, Final

import streamlit as st

from client import NotFound, ServiceFailed
from client.paging import Page
from components.record_list.declaration import Action, ListQuery, NewAction, PagedRecords, RecordList, text
from components.record_list.filter_controls import ChoiceFilter
from components.record_list.list_and_detail import draw_record_list
from components.shell.address import optional_field
from domain.runtime.workspace import Workspace

COLOR: Final = optional_field("badge-color")


@dataclass(frozen=True)
class Badge:
    """One of 120 badges."""

    number: int

    @property
    def id(self) -> str:
        return f"b-{self.number}"

    @property
    def color(self) -> str:
        return ("red", "green")[self.number % 2]


ALL: Final = [Badge(number) for number in range(120)]
QUERIES: Final[list[ListQuery]] = []
ACTIONS: Final[list[tuple[str, list[str]]]] = []
DELETED_IDS: Final[set[str]] = set()
UNREADABLE_IDS: Final[set[str]] = set()
OUTAGES: Final[set[str]] = set()
"""Not empty while the service is unavailable."""


def read_page(_: Workspace, query: ListQuery) -> Page[Badge]:
    """Return a page like the service: with a total, and empty beyond the end."""
    QUERIES.append(query)
    if OUTAGES:
        raise ServiceFailed("gone")
    matches = [each for each in ALL if query[COLOR] in {None, each.color} and each.id not in DELETED_IDS]
    matches.sort(key=lambda each: each.number, reverse=query.is_descending)
    start = (query.page_number - 1) * query.page_size
    items = matches[start : start + query.page_size]
    return Page(
        items, query.page_number, query.page_size, len(matches), has_next=start + query.page_size < len(matches)
    )


def retrieve(_: Workspace, badge_id: str) -> Badge:
    if badge_id in UNREADABLE_IDS:
        raise ServiceFailed("away")
    badge = next((each for each in ALL if each.id == badge_id and each.id not in DELETED_IDS), None)
    if badge is None:
        raise NotFound("no such badge")
    return badge


def record_action(name: str) -> Any:
    return lambda _, chosen: ACTIONS.append((name, [each.id for each in chosen]))


BADGES: Final = RecordList(
    key="badges",
    noun=("badge", "badges"),
    source=PagedRecords(read_page, sortable=("number",), page_sizes=(20, 50)),
    identity=lambda badge: badge.id,
    name=lambda badge: f"Badge *{badge.number}*",
    columns={
        "number": text("Number", lambda badge: badge.number),
        "color": text("Color", lambda badge: badge.color),
    },
    default_order="number descending",
    filters=[ChoiceFilter(COLOR, "Color", lambda _: {"red": "Red", "green": "Green"}, none_label="All colors")],
    url_parameter="badge",
    selection="many",
    draw_above_list=lambda *_: st.caption("Unfinished drafts are above the list.") and None,
    draw_detail=lambda *_: None,
    retrieve=retrieve,
    has_numeric_ids=False,
    actions=[
        Action("Change", record_action("change"), key="change"),
        Action("Delete", record_action("delete"), is_destructive=True, allows_several=True, key="delete"),
    ],
    new=NewAction("New badge", open=lambda _: ACTIONS.append(("new", []))),
    empty_message="There is no badge yet.",
)


def draw_list() -> None:
    """Draw the list with a workspace that it does not use."""
    workspace: Any = SimpleNamespace(
        client=None,
        connection=SimpleNamespace(
            fingerprint="nobody", fingerprint_with_token="nobody", organization_fingerprint="nobody"
        ),
        actor=SimpleNamespace(organization_id=8800),
        has_ended=Event(),
    )
    draw_record_list(workspace, BADGES)
