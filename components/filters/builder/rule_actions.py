"""What the builder's fields and buttons do to the draft in the session; each step keeps the way back."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.edits.draft_editor import Editor, remember
from components.shell.state import StateKey
from components.streamlit_workarounds.widget_keys import Widgets
from domain.filters import filter_draft
from domain.filters.builder import editing
from domain.filters.builder.editing import PREFIX, Absorbed, absorb, field_ids_in, learn_field_ids
from domain.filters.columns import label
from domain.filters.filter_change import FILTER, LIST_KEY
from domain.filters.filter_draft import FilterDraft
from domain.filters.opened_json import from_json
from domain.forms.form import Place
from domain.geography.time_zones import available_timezones_cached
from domain.runtime.background import BackgroundReads
from domain.runtime.server import server
from domain.tables.listed import SHOWN_FOR

if TYPE_CHECKING:
    from datetime import date

    from domain.runtime.workspace import Workspace
    from domain.tables.listed import Tell

FILTERS_READ: Final = 500
"""So many of the organization's filters tell the ids of contact fields well enough."""
# The ids of contact fields by column, as they were learnt last.
FIELD_IDS: Final = StateKey[Mapping[str, int]]("contact_filters.field_ids", dict)
# What was wrong with JSON that was opened, for the draft of this name: why it could not be opened, or notes on rules.
JSON_NOTES: Final[StateKey[tuple[str, str | None, list[tuple[int, str]]] | None]] = StateKey(
    "contact_filters.json_notes", lambda: None
)
# Counts what was done from something that opens: under another key it is drawn anew, and closed.
CLOSED: Final = StateKey[int]("contact_filters.closed", int)


def viewers_zone() -> str:
    """The time zone of the person's browser; UTC where it does not tell."""
    # ASSUMPTION A81
    zone = st.context.timezone
    return zone if zone in available_timezones_cached() else "UTC"


def _take_up(kept: StateKey[FilterDraft | None]) -> FilterDraft | None:
    steps: list[tuple[FilterDraft, Absorbed]] = []

    def take(draft: FilterDraft, typed: Mapping[Place, Any]) -> FilterDraft:
        if not typed:
            return draft
        steps.append((draft, absorb(draft, typed, _field_ids(draft), viewers_zone())))
        return steps[-1][1].draft

    draft = Widgets(PREFIX).take_up(kept, take)
    for before, absorbed in steps:
        if absorbed.what is not None:
            last = EDITOR.steps.get()
            if not absorbed.goes_on or not last or last[-1].what != absorbed.what:
                # Typing on in the same field is one step; of choices each is one.
                remember(EDITOR.steps, absorbed.what, before, absorbed.draft)
            EDITOR.undone.clear()
    return draft


EDITOR: Final = Editor(FILTER, take_up=_take_up)


def add_rule(key: str) -> None:
    """Add a rule over a column; where a rule waits for its column, that one takes it."""

    def step(draft: FilterDraft) -> FilterDraft:
        waiting = next((rule for rule in draft.rules if not rule.wire and not rule.typed and not rule.muted), None)
        if waiting is not None:
            return editing.set_column(draft, waiting.uid, key, _field_ids(draft))
        return editing.add_rule(draft, key, field_ids=_field_ids(draft))

    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(f"add a rule ({label(key)})", step)


def paste_into(uid: str, number: int, slot: str) -> None:
    """Add the items of a pasted list to those that the rule has, and close what it was pasted into."""
    text = str(st.session_state.get(paste_key(uid, "text")) or "")
    if not text.strip():
        return
    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(
        f"paste a list into rule {number}", lambda draft: editing.add_items(draft, uid, slot, text, viewers_zone())
    )


def choose_span(uid: str, number: int, name: str, first: date, last: date) -> None:
    """Take one of the spans that were suggested, from its first day to the end of its last."""

    def step(draft: FilterDraft) -> FilterDraft:
        zone = viewers_zone()
        draft = editing.set_value(draft, uid, "from", first.isoformat(), zone)
        return editing.set_value(draft, uid, "until", last.isoformat(), zone)

    EDITOR.do(f"choose “{name}” in rule {number}", step)


def paste_key(uid: str, what: str) -> str:
    """The key of where a list is pasted into a rule: its "text", or what "opens" to take it."""
    return f"{PREFIX}.paste/{uid}/{what}/{CLOSED.get()}"


def add_key() -> str:
    """The key of the place where the column of a new rule is chosen."""
    return f"{PREFIX}.add/{CLOSED.get()}"


def open_json() -> None:
    """Open the JSON that was pasted or uploaded in place of the rules; say at each rule what is wrong with it."""
    draft = EDITOR.current()
    if draft is None:
        return
    text = str(st.session_state.get(json_key("text")) or "")
    given = st.session_state.get(json_key("file"))
    if not text.strip() and given is not None:
        try:
            text = given.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError:
            JSON_NOTES.set((draft.uid, "This file is not text in UTF-8, so it cannot be JSON of a filter.", []))
            return
    opened = from_json(text)
    JSON_NOTES.set((draft.uid, opened.problem, opened.notes))
    if opened.draft is None:
        return
    taken = opened.draft
    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(
        "open JSON", lambda now: filter_draft.take_over(now, taken).model_copy(update={"checked": bool(opened.notes)})
    )


def json_key(what: str) -> str:
    """The key of where JSON is given: its "text", its "file", or what "opens" to take them."""
    return f"{PREFIX}.json_in/{what}/{CLOSED.get()}"


def learn_ids(workspace: Workspace) -> None:
    """Learn the ids of contact fields from the organization's filters; none where they cannot be read.

    The person can type them: nothing else depends on it.
    """

    # ASSUMPTION A80
    def read(_: Tell) -> Mapping[str, int]:
        return learn_field_ids(islice(workspace.client.contact_filters.list(), FILTERS_READ))

    held = server().reads.open(workspace, (LIST_KEY, "field ids"), read, good_for=SHOWN_FOR)
    if held.value is None and held.now.is_running:
        with st.spinner("Looking up ids of contact fields in the organization's filters …"):
            held.wait(BackgroundReads.patience_for_names, since_it_began=True)
    FIELD_IDS.set(held.value or {})


def _field_ids(draft: FilterDraft) -> Mapping[str, int]:
    """The ids of contact fields: those that the filter's own rules give before those learnt from other filters."""
    return ChainMap(field_ids_in(draft), dict(FIELD_IDS.get()))
