"""The rule builder from top to bottom: the filter's name, a row a rule, adding, undoing, and the filter read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.edits.draft_editor import Step
from components.filters.builder import rule_actions
from components.filters.builder.rule_actions import JSON_NOTES
from components.filters.builder.rule_row import Told, rule_row
from components.shell.notices import field_problem
from components.streamlit_workarounds.widget_keys import Widgets
from components.widgets.downloads import download
from domain.filters.builder.editing import PREFIX
from domain.filters.columns import CUSTOM_TYPES, WORDS, ColumnWords, search_columns
from domain.filters.filter_draft import FilterDraft, as_json
from domain.filters.filter_problems import RULES, problems_of, worth_showing
from domain.filters.pointless import warnings_of
from domain.filters.sentence import sentence, separate_matches
from domain.forms.form import Problems
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


def rule_builder(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the builder for the draft, which is to be `EDITOR.current()` of this run."""
    rule_actions.learn_ids(workspace)
    zone = rule_actions.viewers_zone()
    told, widgets = _told(draft), Widgets(PREFIX)
    _name(draft, told.problems, widgets)
    json_notes(draft)
    _head()
    for number, rule in enumerate(draft.rules, start=1):
        rule_row(rule, number, len(draft.rules), told, zone, widgets)
    field_problem(*told.problems.at(RULES, ""), *told.problems.at(draft.uid, ""))
    for note in separate_matches(draft):
        st.caption(f":material/info: {plain(note)}")
    add_a_rule(first=not draft.rules)
    read_back(draft, zone)


def _told(draft: FilterDraft) -> Told:
    warnings: defaultdict[str, list[str]] = defaultdict(list)
    for pointless in warnings_of(draft):
        for uid in pointless.uids:
            warnings[uid].append(pointless.words)
    return Told(worth_showing(draft, problems_of(draft)), warnings)


def _name(draft: FilterDraft, problems: Problems, widgets: Widgets) -> None:
    st.text_input(
        "Name",
        value=draft.name,
        key=widgets.key((draft.uid, "name"), draft.name),
        placeholder="What people will look for, such as “Expected in France this week”",
        live=True,
    )
    field_problem(*problems.at(draft.uid, "name"))


def _head() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("People who match all of these", width="content", anchor=False)
        st.space("stretch")
        with st.container(horizontal=True, width="content"):
            _step_button("Undo", "undo", rule_actions.EDITOR.steps.get(), rule_actions.EDITOR.undo)
            _step_button("Redo", "redo", rule_actions.EDITOR.undone.get(), rule_actions.EDITOR.redo)


def _step_button(label: str, icon: str, steps: list[Step], action: Callable[[], None]) -> None:
    what = steps[-1].what if steps else ""
    st.button(
        plain(f"{label}: {what}") if what else label,
        key=f"{PREFIX}.{icon}",
        icon=f":material/{icon}:",
        disabled=not steps,
        on_click=action,
    )


MOST_SHOWN = 12


def add_a_rule(*, first: bool) -> None:
    """Draw the button that opens the choice of columns; `first` where there is no rule yet."""
    key = rule_actions.add_key()
    adding = st.popover(
        "Add a rule",
        icon=":material/add:",
        type="primary" if first else "secondary",
        key=key,
        on_change="rerun",
    )
    if not adding.open:
        return
    with adding:
        text = st.text_input(
            "What should it look at?",
            key=f"{key}.find",
            type="search",
            placeholder="Search: country, mobile phone, shift …",
            live=True,
            width=520,
        )
        if text and text.strip():
            _found(text)
        else:
            _groups()


def _groups() -> None:
    for group, columns in groupby(WORDS, key=lambda words: words.group):
        st.markdown(f"**{plain(group)}**")
        with st.container(horizontal=True, gap="xsmall"):
            for words in columns:
                _column(words, help=plain(words.help))


def _found(text: str) -> None:
    found = search_columns(text)
    if not found:
        st.caption(
            f"No field is called “{plain(text.strip())}”. Try another word. If your organization has added the field, "
            "use a custom attribute."
        )
        found = [words for words in WORDS if words.key in CUSTOM_TYPES]
    for words in found[:MOST_SHOWN]:
        with st.container(gap="xxsmall"):
            _column(words)
            st.caption(f"{plain(words.group)} · {plain(words.help)}")
    if len(found) > MOST_SHOWN:
        st.caption(f"and {len(found) - MOST_SHOWN} more: type on")


def _column(words: ColumnWords, **drawing: Any) -> None:
    key = f"{PREFIX}.add_column/{words.key}"
    st.button(plain(words.label), key=key, on_click=rule_actions.add_rule, args=(words.key,), **drawing)


NOTES_SHOWN: Final = 12


def read_back(draft: FilterDraft, zone: str) -> None:
    """Draw the sentence, and the JSON where the person asks for it."""
    with st.container(border=True, key="contact_filter-sentence"):
        st.markdown(f":material/format_quote: {plain(sentence(draft, zone))}")
        muted = len(draft.rules) - len(draft.live_rules)
        if muted and draft.live_rules:
            st.caption(f"{count(muted, 'muted rule is', 'muted rules are')} left out, here and when you save.")
    sent = st.expander(
        "The exact JSON that will be sent", icon=":material/data_object:", key=f"{PREFIX}.json", on_change="rerun"
    )
    if sent.open:
        with sent:
            _sent(draft)
    taken = st.expander(
        "Open a filter from JSON", icon=":material/file_open:", key=rule_actions.json_key("opens"), on_change="rerun"
    )
    if taken.open:
        with taken:
            _taken()


def json_notes(draft: FilterDraft) -> None:
    """Say what was wrong with the JSON that was opened last, until the person puts it away."""
    held = JSON_NOTES.get()
    if held is None or held[0] != draft.uid or not (held[1] or held[2]):
        return
    _, problem, notes = held
    if problem:
        st.error(f"**The JSON was not opened; the rules are as they were.** {plain(problem)}", icon=":material/error:")
    else:
        lines = [f"- {plain(f'Rule {number}: {words}' if number else words)}" for number, words in notes[:NOTES_SHOWN]]
        if len(notes) > NOTES_SHOWN:
            lines.append(f"- and {len(notes) - NOTES_SHOWN:,} more, each at its rule")
        said = "\n".join(lines)
        st.warning(
            f"**Opened, with {count(len(notes), 'thing', 'things')} to look at**, as the JSON had it:\n{said}",
            icon=":material/warning:",
        )
    st.button("Put this away", key=f"{PREFIX}.json_notes", type="tertiary", on_click=JSON_NOTES.clear)


def _sent(draft: FilterDraft) -> None:
    text = as_json(draft)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Muted rules, and fields that cannot be read yet, are not in it.", width="content")
        st.space("stretch")
        download(
            "Download",
            lambda: text,
            f"{draft.file_stem}.json",
            mime="application/json",
            key=f"{PREFIX}.json_download",
        )
    st.code(text, language=None, wrap_lines=True)


def _taken() -> None:
    st.caption(
        "A filter, an answer of the service, or a list of rules. It takes the place of the rules; *Undo* goes back."
    )
    example = '{"name": …, "contactFilterRules": […]}'
    st.text_area("Paste JSON", key=rule_actions.json_key("text"), height=140, placeholder=example)
    st.file_uploader("or upload a file", type=["json", "txt"], key=rule_actions.json_key("file"))
    st.button("Open it in the builder", key=f"{PREFIX}.json_open", on_click=rule_actions.open_json)
