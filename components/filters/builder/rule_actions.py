"""The actions of the rule builder: each changes the draft in the session and can be undone."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.edits.draft_editor import Editor
from components.edits.draft_session import remember
from components.forms.form_view import sync_from_widgets
from components.shell.state import StateKey
from domain.filters import columns, filter_draft, rule_steps
from domain.filters.columns import CUSTOM_TYPES, column_label
from domain.filters.ended_spans import move_label, move_to_this_week
from domain.filters.filter_change import FILTER_EDIT, LIST_KEY
from domain.filters.filter_draft import FilterDraft
from domain.filters.filter_form import PREFIX, filter_form, typed_step
from domain.filters.known_ids import (
    AttributeUse,
    KnownIds,
    LearnedIds,
    combine_ids,
    known_names,
    read_learned_ids,
    replace_names,
    value_kind,
)
from domain.filters.opened_json import parse_filter_json
from domain.filters.rule_steps import field_ids_in
from domain.filters.suggestions import KnownValues, by_name
from domain.filters.values import paste_list, quote_items
from domain.geography.time_zones import available_timezones_cached
from domain.mappings.mapping_query import mappings_so_far
from domain.runtime.background import BackgroundReads

if TYPE_CHECKING:
    from datetime import date

    from domain.filters.suggestions import Source
    from domain.forms.form import Form
    from domain.runtime.workspace import Workspace

# The IDs in the organization's filters, and its names for IDs.
KNOWN_IDS: Final = StateKey[KnownIds]("contact_filters.known_ids", KnownIds)
# The draft into which JSON was opened, why it could not be opened, and problems by number of the rule.
JSON_NOTES: Final[StateKey[tuple[str, str | None, list[tuple[int, str]]] | None]] = StateKey(
    "contact_filters.json_notes", lambda: None
)
# The rule that was added in this run, which takes the keyboard focus.
ADDED_RULE: Final = StateKey[str]("contact_filters.added_rule", str)
# Counts the actions in popovers and expanders: with another key, they are drawn again and closed.
CLOSED: Final = StateKey[int]("contact_filters.closed", int)


def viewers_zone() -> str:
    """Return the time zone of the browser, or UTC if it is unknown."""
    # ASSUMPTION A81
    zone = st.context.timezone
    return zone if zone in available_timezones_cached() else "UTC"


def form_for(draft: FilterDraft) -> Form[FilterDraft]:
    """Return the form for this draft and the time zone of the viewer."""
    return filter_form(viewers_zone(), _field_ids(draft), KNOWN_IDS.get().names)


def _sync_from_widgets(stored: StateKey[FilterDraft | None]) -> FilterDraft | None:
    """Take what was typed into the draft. Changes of values that follow each other are one step for *Undo*."""
    before = stored.get()
    if before is None:
        return None
    after = sync_from_widgets(form_for(before), stored)
    if after is None or after is before:
        return after
    step = typed_step(before, after)
    if step is not None:
        last = EDITOR.steps.get()
        if not step.is_typing or not last or last[-1].label != step.label:
            remember(EDITOR.steps, step.label, before, after)
        EDITOR.undone.clear()
    return after


EDITOR: Final = Editor(FILTER_EDIT, sync_from_widgets=_sync_from_widgets)


def add_rule(key: str, attribute_id: int | None = None) -> None:
    """Add a rule over a column or a custom attribute, or change a rule that has no column yet."""

    def step(draft: FilterDraft) -> FilterDraft:
        empty = next((rule for rule in draft.rules if not rule.payload and not rule.typed and not rule.muted), None)
        if empty is None:
            draft = rule_steps.add_rule(draft)
            empty = draft.rules[-1]
        ADDED_RULE.set(empty.uid)
        if attribute_id is None:
            return rule_steps.set_column(draft, empty.uid, key, _field_ids(draft))
        return rule_steps.set_attribute(draft, empty.uid, attribute_id, use.rule_type, use.data_type)

    known = KNOWN_IDS.get()
    use = AttributeUse(CUSTOM_TYPES.get(key, ""), "STRING")
    label = column_label(key)
    if attribute_id is not None:
        use = known.attributes.get(attribute_id, use)
        label = known.names.label("custom attribute", attribute_id)
    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(f"add a rule ({label})", step)


def paste_into(uid: str, number: int, slot: str) -> None:
    """Add the items of a pasted list to a rule, and close the popover."""
    text = str(st.session_state.get(paste_key(uid, "text")) or "")
    if not text.strip():
        return

    def step(draft: FilterDraft) -> FilterDraft:
        payload = next((rule.payload for rule in draft.rules if rule.uid == uid), {})
        items = quote_items(replace_names(payload, paste_list(text), KNOWN_IDS.get().names))
        return rule_steps.add_items(draft, uid, slot, items, viewers_zone())

    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(f"paste a list into rule {number}", step)


def choose_span(uid: str, number: int, name: str, first: date, last: date) -> None:
    """Set a span to one of the suggestions, from its first day to the end of its last."""

    def step(draft: FilterDraft) -> FilterDraft:
        zone = viewers_zone()
        draft = rule_steps.set_value(draft, uid, "from", first.isoformat(), zone)
        return rule_steps.set_value(draft, uid, "until", last.isoformat(), zone)

    EDITOR.do(f"select “{name}” in rule {number}", step)


def draw_move_button(draft: FilterDraft, uids: Sequence[str], *, key: str) -> bool:
    """Draw the button that moves time spans that have ended to this week, and return whether it moved them.

    Not a callback: a fragment that draws the button has to rerun the whole page.
    """
    now, zone = datetime.now(UTC), viewers_zone()
    label = move_label(draft, uids, now, zone)
    if not st.button(label, key=key, icon=":material/event_repeat:"):
        return False
    EDITOR.do(label[0].lower() + label[1:], lambda current: move_to_this_week(current, uids, now, zone))
    return True


def paste_key(uid: str, part: str) -> str:
    """Return the key of the "text" into which a list is pasted, or of the popover that "opens" it."""
    return f"{PREFIX}.paste/{uid}/{part}/{CLOSED.get()}"


def add_key() -> str:
    """Return the key of the popover in which the column of a new rule is selected."""
    return f"{PREFIX}.add/{CLOSED.get()}"


def open_json() -> None:
    """Replace the rules with the JSON that was pasted or uploaded, and show the problems at each rule."""
    draft = EDITOR.current()
    if draft is None:
        return
    text = str(st.session_state.get(json_key("text")) or "")
    file = st.session_state.get(json_key("file"))
    if not text.strip() and file is not None:
        try:
            text = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError:
            JSON_NOTES.set((draft.uid, "The file is not UTF-8 text.", []))
            return
    opened = parse_filter_json(text)
    JSON_NOTES.set((draft.uid, opened.problem, opened.notes))
    if opened.draft is None:
        return
    new = opened.draft
    CLOSED.set(CLOSED.get() + 1)
    EDITOR.do(
        "open JSON", lambda now: filter_draft.replace_rules(now, new).model_copy(update={"checked": bool(opened.notes)})
    )


def json_key(part: str) -> str:
    """Return the key of the "text" or the "file" with JSON, or of the expander that "opens" them."""
    return f"{PREFIX}.json_in/{part}/{CLOSED.get()}"


def learn_ids(workspace: Workspace, draft: FilterDraft) -> None:
    """Learn the IDs of contact fields from the organization's filters, and the names of IDs.

    If the filters cannot be read, the person can type the IDs.
    """
    learned = read_learned_ids(workspace, LIST_KEY)
    if learned.value is None and learned.now.is_running:
        with st.spinner("Finding IDs of contact fields in your organization’s filters …"):
            learned.wait(BackgroundReads.patience_for_names, since_it_began=True)
    # Mappings are read only if they can help.
    names = known_names(workspace, with_groups=any(value_kind(rule.payload) == "group" for rule in draft.rules))
    KNOWN_IDS.set(combine_ids(learned.value or LearnedIds(), names))


def changed_rule() -> str:
    """Return the uid of the rule that the last step changed or added; "" if there is none."""
    steps = EDITOR.steps.get()
    if not steps:
        return ""
    original: FilterDraft = steps[-1].original
    result: FilterDraft = steps[-1].result
    before = {rule.uid: rule for rule in original.rules}
    return next((rule.uid for rule in result.rules if rule != before.get(rule.uid)), "")


def known_ids(draft: FilterDraft) -> KnownIds:
    """Return all IDs that a rule of this filter can use."""
    return replace(KNOWN_IDS.get(), field_ids=_field_ids(draft))


def known_values(workspace: Workspace, draft: FilterDraft, sources: Sequence[Source]) -> KnownValues:
    """Return the values to suggest: those of other filters, of mappings, and of `sources`."""
    known = KNOWN_IDS.get()
    # Mappings are read only if they can help.
    has_named_attribute = any(columns.is_custom(rule.payload) for rule in draft.rules) and bool(
        known.names.of_kind("custom attribute")
    )
    of_mappings = [by_name(mappings_so_far(workspace).values, known.names)] if has_named_attribute else []
    return KnownValues([*known.values.sources, *of_mappings, *sources])


def _field_ids(draft: FilterDraft) -> Mapping[str, int]:
    """Return the IDs of contact fields in the rules of this filter, then those in other filters."""
    return ChainMap(field_ids_in(draft), dict(KNOWN_IDS.get().field_ids))
