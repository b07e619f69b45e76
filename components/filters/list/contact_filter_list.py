"""The list of contact filters: search, sort, details, edit, copy, and delete."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from client import fan_out
from components.edits.removal_view import deleting, draw_removed
from components.edits.send_status_view import draw_unfinished
from components.filters.builder.filter_page import open_copy
from components.filters.builder.rule_actions import EDITOR, viewers_zone
from components.filters.list.open_filters import draw_open_filters
from components.record_list.declaration import (
    Action,
    AllRecords,
    ListResult,
    NewAction,
    RecordList,
    numbers,
    text,
    times,
)
from components.record_list.list_filters import selection_field
from components.record_list.record_reads import get_loaded_records
from components.shell.address import go_to
from domain.edits import stored_drafts
from domain.filters.comparison import changed_at, name_of, rules_of
from domain.filters.ended_spans import ended_note, ended_uids, latest_end, move_label, move_to_this_week
from domain.filters.filter_change import (
    FILTER_EDIT,
    FILTER_REMOVAL,
    KIND,
    LIST_KEY,
    NAME_PREFIX,
    UNKNOWN,
    ListedFilter,
    changed_by,
    describe_last_change,
    key_for_name,
    key_of,
    listed_test,
    read_filters,
    rule_count,
    summarize_list,
    target_of,
)
from domain.filters.filter_draft import from_filter
from domain.filters.filter_problems import find_stored_rule_errors
from domain.filters.known_ids import known_names
from domain.filters.sentence import describe_filter, describe_rule
from domain.filters.values import local_moment
from domain.runtime.screens import CONTACT_FILTER
from domain.runtime.settings import settings
from domain.text.plain_text import count, id_in, plain
from domain.text.time_text import format_date, moment

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def _retrieve(workspace: Workspace, key: str) -> ListedFilter | None:
    """Read a whole filter. List records may have fewer fields."""
    api, number = workspace.client.contact_filters, id_in(key)
    if number is not None:
        stored = api.retrieve(number)
    elif key.startswith(NAME_PREFIX):
        stored = api.retrieve_by_name(key.removeprefix(NAME_PREFIX))
    else:
        return next((each for each in get_loaded_records(workspace, CONTACT_FILTERS) if each.key == key), None)
    return ListedFilter(key_of(stored), stored)


def _draw_above(workspace: Workspace, found: ListResult[ListedFilter]) -> None:
    listed = found.loaded
    filters = [each.stored for each in listed.records]
    _select_by_name(listed.records)
    draw_removed(workspace, FILTER_REMOVAL, is_there=None if listed.error else listed_test(filters))
    draw_unfinished(workspace, EDITOR, are_unknown_listed=True)
    draw_open_filters(workspace)


def _select_by_name(listed: Sequence[ListedFilter]) -> None:
    """Convert filter names in the URL to keys of the list."""
    names_in_url = [name for name in st.query_params.get_all("name") if name.strip()]
    if names_in_url:
        field = selection_field(CONTACT_FILTERS)
        picked = [*field.get(), *(key_for_name(listed, name) for name in names_in_url)]
        given = {name: st.query_params.get_all(name) for name in st.query_params if name != "name"}
        st.query_params.from_dict(given | {field.name: picked})
        field.set(picked)


def _draw_detail(workspace: Workspace, listed: ListedFilter) -> None:
    stored = listed.stored
    rules = stored.rules
    st.caption(f"{count(len(rules), 'rule', 'rules')} · {plain(describe_last_change(stored))}")
    if stored.created_name and stored.created_date:
        st.caption(f"Created by {plain(stored.created_name)} on {moment(stored.created_date)}")
    if not rules:
        st.caption("The service returned no rules for this filter.")
        return
    draft, zone = from_filter(stored, filter_id=stored.id or 0), viewers_zone()
    names = known_names(workspace)
    st.markdown(f"*{plain(describe_filter(draft, zone, names))}*")
    st.markdown(
        "\n".join(f"{n}. {plain(describe_rule(rule, zone, names))}" for n, rule in enumerate(rules_of(stored), start=1))
    )
    odd = [
        (number, words) for number, rule in enumerate(draft.rules, start=1) for words in find_stored_rule_errors(rule)
    ]
    ended = ended_uids(draft, datetime.now(UTC))
    for number, rule in enumerate(draft.rules, start=1):
        if rule.uid in ended:
            st.warning(f"Rule {number}: {plain(ended_note(rule.payload, zone))}", icon=":material/event_busy:")
    if ended and stored.id:
        label = move_label(draft, ended, datetime.now(UTC), zone)
        if st.button(label, key="contact-filter-move-spans", icon=":material/event_repeat:"):
            _open_moved(workspace, listed)
    if odd:
        st.warning("\n".join(f"- Rule {number}: {plain(words)}" for number, words in odd), icon=":material/warning:")


def _open_moved(workspace: Workspace, listed: ListedFilter) -> None:
    """Open the filter with its time spans moved, to be checked and saved. A change that was begun is continued."""
    stored, now, zone = listed.stored, datetime.now(UTC), viewers_zone()
    draft = from_filter(stored, filter_id=stored.id)
    unfinished = stored_drafts.list_unfinished_changes(workspace, FILTER_EDIT, stored.id or 0)
    if unfinished:
        draft = unfinished[0].draft
    else:
        draft = move_to_this_week(draft, ended_uids(draft, now), now, zone)
        stored_drafts.begin(workspace, FILTER_EDIT, draft)
    go_to(CONTACT_FILTER, id=stored.id, draft=draft.uid)


def _make_json(workspace: Workspace, listed: Sequence[ListedFilter]) -> list[dict[str, Any]]:
    """Return whole filters. Those that the list has without rules are read. Raises ServiceError."""
    api, found = workspace.client.contact_filters, {each.key: each.stored for each in listed}
    partial_ids = [each.stored.id for each in listed if each.stored.id and not each.stored.rules]
    for outcome in fan_out(api.retrieve, partial_ids, width=settings().fan_out):
        if outcome.error is not None:
            raise outcome.error
        if outcome.value is not None:
            found[str(outcome.item)] = outcome.value
    return [each.to_wire() for each in found.values()]


def _ended(listed: ListedFilter) -> str:
    now = datetime.now(UTC)
    local = local_moment(latest_end(rules_of(listed.stored), now), viewers_zone())
    return f"Ended {format_date(local, with_year=local.year != now.year)}" if local is not None else ""


def _summary(found: ListResult[ListedFilter]) -> str:
    ended = sum(_ended(each) != "" for each in found.loaded.records)
    summary = summarize_list(found.loaded.records, datetime.now(UTC))
    return f"{summary} · {ended:,} with a time span that has ended" if ended else summary


def _edit(_: Workspace, selected: Sequence[ListedFilter]) -> None:
    stored = selected[0].stored
    go_to(CONTACT_FILTER, id=stored.id or None, name=None if stored.id else stored.name)


def _edit_label(workspace: Workspace, listed: ListedFilter) -> str:
    filter_id = listed.stored.id
    is_begun = filter_id and stored_drafts.list_unfinished_changes(workspace, FILTER_EDIT, filter_id)
    return "Continue editing" if is_begun else "Edit filter"


CONTACT_FILTERS: Final = RecordList(
    key=LIST_KEY,
    noun=("filter", "filters"),
    source=AllRecords(
        lambda workspace, tell: read_filters(workspace.client, tell, known_names(workspace)),
        search=("name", "id", "contents"),
        search_hint="Name, ID, or part of a rule",
    ),
    identity=lambda listed: listed.key,
    name=lambda listed: listed.name,
    columns={
        "name": text("Name", lambda listed: name_of(listed.stored) or None),
        "rules": numbers("Rules", lambda listed: rule_count(listed.stored)),
        "contents": text("Rules as text", lambda listed: listed.rules_text).in_files_only(),
        "ended": text("Time span", _ended),
        "changed": times("Last changed", lambda listed: changed_at(listed.stored)),
        "by": text("By", lambda listed: changed_by(listed.stored)),
        "id": text("ID", lambda listed: str(listed.stored.id) if listed.stored.id else None).secondary(),
    },
    default_order="name",
    placeholder=UNKNOWN,
    url_parameter="id",
    subject_kind=KIND,
    selection="many",
    draw_detail=_draw_detail,
    retrieve=_retrieve,
    has_partial_records=True,
    has_numeric_ids=False,
    displayed_id=lambda listed: str(listed.stored.id) if listed.stored.id else None,
    icon="filter_alt",
    actions=(
        Action(_edit_label, _edit, icon=":material/edit:", key="edit"),
        Action(
            "Copy filter",
            lambda workspace, selected: open_copy(workspace, from_filter(selected[0].stored)),
            icon=":material/content_copy:",
            key="copy",
        ),
        deleting(FILTER_REMOVAL, lambda listed: target_of(listed.stored)),
    ),
    new=NewAction("New filter", open=lambda _: EDITOR.open_new()),
    summarize=lambda _, found: _summary(found),
    draw_above_list=_draw_above,
    make_json=_make_json,
    empty_message="A contact filter selects people by rules, such as everyone who is expected in France this week.",
)
