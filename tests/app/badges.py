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

COLOUR: Final = optional_field("badge-colour")


@dataclass(frozen=True)
class Badge:
    """One of 120 badges."""

    number: int

    @property
    def id(self) -> str:
        return f"b-{self.number}"

    @property
    def colour(self) -> str:
        return ("red", "green")[self.number % 2]


ALL: Final = [Badge(number) for number in range(120)]
ASKED: Final[list[ListQuery]] = []
DONE: Final[list[tuple[str, list[str]]]] = []
GONE: Final[set[str]] = set()
UNREADABLE: Final[set[str]] = set()
AWAY: Final[set[str]] = set()
"""Holds something while the service is unavailable."""


def read(_: Workspace, asked: ListQuery) -> Page[Badge]:
    """Return a page like the service: with a total, and empty beyond the end."""
    ASKED.append(asked)
    if AWAY:
        raise ServiceFailed("gone")
    wanted = [each for each in ALL if asked[COLOUR] in {None, each.colour} and each.id not in GONE]
    wanted.sort(key=lambda each: each.number, reverse=asked.is_descending)
    start = (asked.page_number - 1) * asked.page_size
    items = wanted[start : start + asked.page_size]
    return Page(items, asked.page_number, asked.page_size, len(wanted), has_next=start + asked.page_size < len(wanted))


def retrieve(_: Workspace, badge_id: str) -> Badge:
    if badge_id in UNREADABLE:
        raise ServiceFailed("away")
    found = next((each for each in ALL if each.id == badge_id and each.id not in GONE), None)
    if found is None:
        raise NotFound("no such badge")
    return found


def done(what: str) -> Any:
    return lambda _, chosen: DONE.append((what, [each.id for each in chosen]))


BADGES: Final = RecordList(
    key="badges",
    noun=("badge", "badges"),
    source=PagedRecords(read, sortable=("number",), page_sizes=(20, 50)),
    identity=lambda badge: badge.id,
    name=lambda badge: f"Badge *{badge.number}*",
    columns={
        "number": text("Number", lambda badge: badge.number),
        "colour": text("Colour", lambda badge: badge.colour),
    },
    default_order="number descending",
    filters=[ChoiceFilter(COLOUR, "Colour", lambda _: {"red": "Red", "green": "Green"}, none_label="All colours")],
    url_parameter="badge",
    selection="many",
    draw_above_list=lambda *_: st.caption("What was begun stands here.") and None,
    draw_detail=lambda *_: None,
    retrieve=retrieve,
    has_numeric_ids=False,
    actions=[
        Action("Change", done("change"), key="change"),
        Action("Delete", done("delete"), is_destructive=True, allows_several=True, key="delete"),
    ],
    new=NewAction("New badge", open=lambda _: DONE.append(("new", []))),
    empty_message="There is no badge yet.",
)


def draw() -> None:
    """Draw the list with a workspace that it does not use."""
    workspace: Any = SimpleNamespace(
        client=None,
        connection=SimpleNamespace(fingerprint="nobody", fingerprint_with_token="nobody"),
        actor=SimpleNamespace(organization_id=8800),
        has_ended=Event(),
    )
    draw_record_list(workspace, BADGES)
