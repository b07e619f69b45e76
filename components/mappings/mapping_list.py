"""The list of lookup mappings: search, details, edit, copy, delete, import from a file, and simulate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from client.models.lookup_mappings import LookupMapping
from components.edits.removal_view import deleting, draw_removed
from components.edits.send_status_view import draw_unfinished
from components.file_import.import_view import draw_import, draw_jobs, sent_field, show_job
from components.mappings.mapping_editor import EDITOR, open_copy
from components.record_list.declaration import (
    Action,
    ListQuery,
    ListResult,
    NewAction,
    PagedRecords,
    RecordList,
    text,
    times,
)
from components.record_list.filter_controls import MultiChoiceFilter
from components.record_list.list_data import describe_progress
from components.record_list.record_table import record_table
from components.shell.address import choices_field, go_to, link_to
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem
from components.shell.reading_view import draw_reading
from components.shell.state import StateKey
from domain.file_import.job import JOBS
from domain.filters.names.id_names import merge_names
from domain.filters.names.stored_names import read_names
from domain.mappings.mapping_change import KIND as MAPPING_EDIT
from domain.mappings.mapping_change import MAPPING_REMOVAL, describe_last_change, target_of
from domain.mappings.mapping_file import MAPPING_FILE, MOST_NAMED, attributes_in, describe_plans, plan_rows
from domain.mappings.mapping_query import (
    LIST_KEY,
    MOST_LISTED,
    MOST_OVERLAPS,
    PAGE_SIZES,
    Finding,
    MappingQuery,
    MappingSnapshot,
    attribute_problem,
    attributes_from_url,
    count_compared,
    groups_from_url,
    mappings_so_far,
    read_all_mappings,
    simulate,
)
from domain.mappings.mapping_text import attributes_of, attributes_text, groups_of, groups_text
from domain.mappings.mapping_undo import MAPPING_UNDO, find_undone, plan_undo
from domain.runtime.screens import LOOKUP_MAPPING, LOOKUP_MAPPINGS
from domain.tables.table_pages import Column, numbers
from domain.text.plain_text import count, plain
from domain.text.plain_text import names as plain_names
from journal import JournalError

if TYPE_CHECKING:
    from client.paging import Page
    from domain.file_import.checking import Check
    from domain.file_import.job_undo import Undo
    from domain.runtime.workspace import Workspace
    from journal import Job

ATTRIBUTES: Final = choices_field("mappings-attribute")
GROUPS: Final = choices_field("mappings-group")
_PERSON_VALUES: Final = StateKey[list[str]]("lookup_mappings.tried", list)
_VALUES_IN_A_ROW: Final = 6
_FILE: Final = "mapping-file"
_UNDO: Final = "mapping-undo"
_PROBLEM: Final = StateKey[dict[int, str]]("mapping-file.problem", dict)
"""Why an import was not undone, by the ID of the job."""
FILE_SHOWN: Final = f"{_FILE}-shown"
TRYOUT_SHOWN: Final = "lookup-mappings-tryout-shown"
_MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "contradicts": (":red[:material/error:]", "contradict each other"),
    "names a group differently": (":red[:material/label:]", "name a group differently"),
    "overlaps": (":orange[:material/join:]", "overlap"),
    "never matches": (":orange[:material/block:]", "never match"),
}


def _pair_problem(text: str) -> str | None:
    name, sign, value = _normalize_pair(text).partition("=")
    if not sign:
        return f"“{text}” has no value. Use the format department=Sales."
    return attribute_problem(name, [value])


def _normalize_pair(text: str) -> str:
    """Return the text without spaces around its first equals sign, as in exported files."""
    return text.replace(" = ", "=", 1)


def _group_problem(text: str) -> str | None:
    return None if groups_from_url([text]) else f"“{text}” is not a group ID."


def _query(query: ListQuery) -> MappingQuery:
    attributes, groups = query[ATTRIBUTES], query[GROUPS]
    newest_first = query.order is None or query.is_descending
    return MappingQuery(attributes_from_url(map(_normalize_pair, attributes)), groups_from_url(groups), newest_first)


def _search(workspace: Workspace, query: ListQuery) -> Page[LookupMapping]:
    return workspace.client.lookup_mappings.search(
        **_query(query).parameters(), page_number=query.page_number, page_size=query.page_size
    )


def _value_options(workspace: Workspace) -> dict[str, str]:
    """Return “name=value” options. The label must equal the value, or typed text would become a different option."""
    written = [f"{name}={value}" for name, values in mappings_so_far(workspace).values.items() for value in values]
    return dict(zip(written, written, strict=True))


def _group_options(workspace: Workspace) -> dict[str, str]:
    names = merge_names(read_names(workspace), {"group": mappings_so_far(workspace).groups}).of_kind("group")
    return {
        str(number): f"{number} {names.get(number, '')}".strip()
        for number in sorted({*names, *mappings_so_far(workspace).groups})
    }


def _summarize_list(workspace: Workspace, found: ListResult[LookupMapping]) -> str:
    parts = [count(found.total, "mapping", "mappings")]
    known = mappings_so_far(workspace)
    # Only if all mappings were read: a part does not show the number of groups or the latest change.
    if known.mappings and _query(found.query).is_everything and len(known.mappings) >= found.total:
        parts.append(count(len(known.groups), "group", "groups"))
        latest = max(known.mappings, key=lambda each: each.last_updated_on.timestamp() if each.last_updated_on else 0.0)
        parts.append(describe_last_change(latest).rstrip(".").replace("Last changed", "last changed"))
    return " · ".join(part for part in parts if part)


def _draw_above(workspace: Workspace, found: ListResult[LookupMapping]) -> None:
    st.markdown(f":material/format_quote: {plain(_query(found.query).sentence())}")
    draw_unfinished(workspace, EDITOR, are_unknown_listed=True)
    # Only a new and complete read shows which mappings no longer exist.
    read = read_all_mappings(workspace).now.latest
    is_whole = read is not None and read.are_all
    ids = {each.id for each in read.mappings} if read is not None else set()
    draw_removed(workspace, MAPPING_REMOVAL, is_there=(lambda target: target.subject_id in ids) if is_whole else None)


def _draw_detail(workspace: Workspace, mapping: LookupMapping) -> None:
    names = merge_names(read_names(workspace), {"group": mappings_so_far(workspace).groups}).of_kind("group")
    by_name = groupby(attributes_of(mapping), key=lambda each: each[0])
    for name, elements in by_name:
        values = " *or* ".join(plain(value) for _, values in elements for value in values)
        st.markdown(f"**{plain(name) or 'Without a name'}**  \n{values or '*no value, never matches*'}")
    st.markdown("**Groups**")
    for group in mapping.target_groups:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.code(str(group.id or "?"), language=None, width="content")
            st.markdown(plain(group.name or names.get(group.id or 0, "")), width="content")
    parts = [f"Created by {mapping.created_by}." if mapping.created_by else "", describe_last_change(mapping)]
    st.caption(plain(" ".join(part for part in parts if part)))


def _summary(mapping: LookupMapping) -> str:
    return " · ".join(f"{name}: {_join_values(values)}" for name, values in attributes_of(mapping))


def _join_values(values: Sequence[str]) -> str:
    more = len(values) - _VALUES_IN_A_ROW
    return " or ".join(values if more <= 0 else [*values[:_VALUES_IN_A_ROW], f"{more:,} more"])


MAPPINGS: Final = RecordList[LookupMapping](
    key=LIST_KEY,
    noun=("mapping", "mappings"),
    source=PagedRecords(_search, sortable=("modified",), page_sizes=PAGE_SIZES, file_page_size=500),
    identity=lambda mapping: mapping.id,
    name=lambda mapping: _summary(mapping) or "Mapping without attributes",
    columns={
        "attributes": text("Attributes", _summary).not_in_files(),
        "groups": text(
            "Groups",
            lambda mapping: "; ".join(f"{name or ''} {number or '?'}".strip() for number, name in groups_of(mapping)),
        ).not_in_files(),
        "written": text("Attributes", lambda mapping: attributes_text(attributes_of(mapping))).in_files_only(),
        "leads_to": text("Groups", lambda mapping: groups_text(groups_of(mapping))).in_files_only(),
        "modified": times("Last changed", lambda mapping: mapping.last_updated_on),
        "by": text("By", lambda mapping: mapping.last_updated_by).secondary(),
        "id": text("ID", lambda mapping: mapping.id).in_files_only(),
    },
    default_order="modified descending",
    filters=[
        MultiChoiceFilter(ATTRIBUTES, "Attributes", "department=Sales", _value_options, _pair_problem),
        MultiChoiceFilter(GROUPS, "Groups", "88011", _group_options, _group_problem),
    ],
    selection="many",
    url_parameter="mapping",
    subject_kind=MAPPING_EDIT,
    draw_detail=_draw_detail,
    retrieve=lambda workspace, mapping_id: workspace.client.lookup_mappings.retrieve(mapping_id),
    has_numeric_ids=False,
    actions=[
        Action(
            "Edit mapping",
            lambda _, picked: go_to(LOOKUP_MAPPING, id=picked[0].id),
            icon=":material/edit:",
            key="change",
        ),
        Action(
            "Copy mapping",
            lambda workspace, picked: open_copy(workspace, picked[0]),
            icon=":material/content_copy:",
            key="copy",
        ),
        deleting(MAPPING_REMOVAL, target_of),
    ],
    new=NewAction("New mapping", open=lambda _: EDITOR.open_new()),
    summarize=_summarize_list,
    draw_above_list=_draw_above,
    icon="account_tree",
    empty_message="A lookup mapping adds people with certain attributes to groups.",
)


def _draw_reading(workspace: Workspace, *, key: str) -> MappingSnapshot | None:
    """Return all mappings. Until they are read, draw the progress or the error and return None."""
    return draw_reading(read_all_mappings(workspace), partial(describe_progress, MAPPINGS), key=key).value


def draw_tryout(workspace: Workspace) -> None:
    """Draw the groups for some attribute values, and the mappings that contradict each other or overlap."""
    # Only while the expander is open, because comparing thousands of mappings takes a while.
    shown = st.expander("Simulate", icon=":material/labs:", key=TRYOUT_SHOWN, on_change="rerun")
    if not shown.open:
        return
    with shown:
        every = _draw_reading(workspace, key="mappings-tryout")
        if every is None:
            return
        known = every.mappings
        st.caption(
            f"This is Muster’s estimate from {count(len(known), 'mapping', 'mappings')}. A mapping matches a person "
            "who has one of its values for each of its attributes. Attribute names and values are case-sensitive."
        )
        if not every.are_all:
            st.warning(f"There are more mappings. Muster compares only the first {len(known):,}.")
        chosen = st.multiselect(
            "Attributes of a person",
            list(dict.fromkeys([*_PERSON_VALUES.get(), *_value_options(workspace)])),
            key=_PERSON_VALUES.widget_key,
            accept_new_options=True,
            select_all=False,
            persist_state="session",
            placeholder="department=Sales",
        )
        field_problem(
            *(f"“{each}” has no value. Use the format department=Sales." for each in chosen if "=" not in each)
        )
        _draw_simulation(every, chosen)
        if known:
            _draw_findings(known, every.findings)


def _draw_simulation(every: MappingSnapshot, chosen: Sequence[str]) -> None:
    given: dict[str, list[str]] = {}
    for each in chosen:
        name, sign, value = _normalize_pair(each).partition("=")
        if sign:
            given.setdefault(name, []).append(value)
    if not given:
        return
    found = simulate(every.mappings, given)
    matching = count(len(found.matching), "mapping matches", "mappings match")
    groups = groups_text(found.groups)
    st.markdown(f"**{matching}** → {plain(groups) if groups else 'no group'}")
    for mapping in found.matching[:MOST_LISTED]:
        link_to(LOOKUP_MAPPINGS, plain(_summary(mapping)), mapping=mapping.id)
    if variants := "".join(every.find_case_variants([list(given.items())])):
        st.markdown(f":orange[:material/match_case: {plain(variants)}]")
    for mapping, name in found.almost[:5]:
        st.caption(f"Matches except for {plain(name)}: {plain(_summary(mapping))}")


def _draw_findings(known: Sequence[LookupMapping], found: Sequence[Finding]) -> None:
    compared = count_compared(known)
    has = count(compared, "mapping has", "mappings have")
    st.caption(
        f"{has} the same attribute names as another mapping. Muster compares only those. A person who matches several "
        "mappings is added to the groups of all of them."
    )
    if not found:
        alike = "Mappings with the same attribute names don’t contradict each other or overlap. " if compared else ""
        st.markdown(f":green[:material/check_circle: {alike}Each mapping can match.]")
        return
    for kind, (mark, words) in _MARKS.items():
        of_kind = [each for each in found if each.kind == kind]
        if of_kind:
            with st.container(border=True):
                at_least = "At least " if kind == "overlaps" and len(of_kind) >= MOST_OVERLAPS else ""
                st.markdown(f"{mark} **{at_least}{count(len(of_kind), 'finding', 'findings')}: mappings that {words}**")
                for each in of_kind[:20]:
                    st.markdown(plain(each.words))
                    with st.container(horizontal=True):
                        for mapping in each.mappings[:MOST_NAMED]:
                            link_to(LOOKUP_MAPPINGS, plain(_summary(mapping)) or mapping.id, mapping=mapping.id)
                if len(of_kind) > 20:
                    st.caption(f"and {len(of_kind) - 20:,} more")


def draw_mapping_file(workspace: Workspace) -> None:
    """Draw the import of mappings from a file."""
    # Open if the URL shows a sent import.
    is_linked = any(sent_field(key).name in st.query_params for key in (_FILE, _UNDO))
    st.session_state.setdefault(FILE_SHOWN, is_linked)
    with st.expander("Mappings from a file", icon=":material/upload_file:", key=FILE_SHOWN, on_change="rerun"):
        draw_import(
            workspace,
            MAPPING_FILE,
            key=_FILE,
            preview=partial(_preview, workspace),
            draw_actions=partial(_after_import, workspace),
            undone_notes=lambda jobs: {job_id: each.summary for job_id, each in find_undone(workspace, jobs).items()},
        )
        if workspace.journal.ledger.jobs(workspace.actor, MAPPING_UNDO.kind, at_most=1):
            st.header("Undone imports", anchor=False)
            draw_jobs(workspace, MAPPING_UNDO, key=_UNDO)


def _after_import(workspace: Workspace, job: Job) -> None:
    """Draw the button that undoes a sent import, if it can be undone."""
    was_undone = find_undone(workspace, [job]).get(job.id)
    is_over = was_undone is not None and (was_undone.is_whole or was_undone.is_under_way)
    if not job.counts.get("done") or job.is_owned or is_over:
        return
    key = f"{_FILE}-{job.id}-undo"
    if st.button(":red[Undo this import]", key=key, icon=":material/undo:"):
        undo = plan_undo(workspace, job)
        if undo.rows:
            _ask_to_undo(workspace, job, undo, key)
        else:
            _PROBLEM.set({job.id: " ".join(["Nothing can be undone.", *undo.not_undoable])})
    field_problem(_PROBLEM.get().get(job.id))


def _ask_to_undo(workspace: Workspace, job: Job, undo: Undo, key: str) -> None:
    created = sum("attributes_before" not in row for row in undo.rows)
    changed = len(undo.rows) - created
    lines = [f"{count(created, 'mapping', 'mappings')} will be deleted."] if created else []
    lines += [f"{count(changed, 'mapping', 'mappings')} will be restored."] if changed else []
    not_undone = [f"- {plain(line)}" for line in undo.not_undoable]
    leaves = "\n".join(["Not undone:", *not_undone]) if not_undone else ""

    def begin() -> None:
        try:
            show_job(_UNDO, JOBS.begin(workspace, undo.check(MAPPING_UNDO, job)))
        except JournalError as error:
            _PROBLEM.set({job.id: f"Nothing was undone. {error}"})
        else:
            _PROBLEM.clear()

    confirm_dialog(
        "Undo this import?",
        [
            " ".join(lines),
            plain(undo.record_names),
            *filter(None, [leaves]),
            "A mapping that has changed since the import stays as it is.",
        ],
        f"Undo {count(len(undo.rows), 'mapping', 'mappings')}",
        begin,
        key=f"{key}-dialog",
        icon=":material/undo:",
    )


def _preview(workspace: Workspace, check: Check) -> None:
    if not check.is_ready.any():
        return
    every = _draw_reading(workspace, key="mappings-preview")
    if every is None:
        return
    ready = check.ready
    plans = plan_rows(every.mappings, ready.records())
    st.markdown(f"**What would happen:** {describe_plans(plans)}")
    if not every.are_all:
        first = count(len(every.mappings), "mapping", "mappings")
        st.caption(f"Compared with the first {first}. Muster looks up each mapping again before it sends it.")
    variants = every.find_case_variants(map(attributes_in, ready.records()))
    if any(variants):
        differing = [f"{row:,}" for row, note in zip(ready.numbers, variants, strict=True) if note]
        number, rows = len(differing), plain_names(differing)
        st.warning(
            f"Attributes and values are case-sensitive. In {count(number, 'row', 'rows')}, spellings differ from "
            f"others only in capitalization. Check {'row' if number == 1 else 'rows'} {rows}.",
            icon=":material/match_case:",
        )
    table = pd.DataFrame(
        {"row": ready.numbers, "plan": plans, "attributes": ready.texts["attributes"], "note": variants}
    )
    columns: dict[str, str | Column] = {"row": numbers("Row"), "plan": "Result", "attributes": "Attributes"}
    if any(variants):
        columns["note"] = "Note"
    record_table(
        table,
        columns,
        f"{_FILE}-plan",
        selection=None,
        height=260,
    )
