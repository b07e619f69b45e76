"""The rule builder: the name of the filter, one row per rule, adding rules, and the filter as a sentence."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.filters.builder import rule_actions
from components.filters.builder.box_panel import draw_box_button, draw_box_panel
from components.filters.builder.rule_actions import JSON_NOTES
from components.filters.builder.rule_row import rule_row
from components.forms.form_view import FormView
from components.shell.notices import field_problem
from components.widgets.downloads import download
from domain.filters.columns import COLUMN_LABELS, CUSTOM_KEY, CUSTOM_TYPES, ColumnLabels, search_columns
from domain.filters.filter_draft import FilterDraft, to_json
from domain.filters.filter_form import FILTER_FORM, PREFIX, RULES, field_values
from domain.filters.filter_problems import find_problems, problems_to_show
from domain.filters.known_ids import KnownIds, guess_field_id
from domain.filters.rule_warnings import find_warnings
from domain.filters.sentence import describe_filter, find_separate_matches
from domain.filters.suggestions import Source, ValuesByColumn, by_column
from domain.geography.country_order import order_countries
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_LINE, MAX_PASTE

if TYPE_CHECKING:
    from domain.forms.form import Problems
    from domain.runtime.workspace import Workspace


def rule_builder(
    workspace: Workspace, draft: FilterDraft, on_trips: ValuesByColumn, in_file: Source | None = None
) -> Problems:
    """Draw the builder for the draft, which has to be `EDITOR.current()` of this run. Return the problems it shows.

    `on_trips` and `in_file` have values to suggest. The countries on trips come first in lists.
    """
    rule_actions.learn_ids(workspace, draft)
    sources = [by_column(on_trips), *([in_file] if in_file is not None else [])]
    ids = replace(
        rule_actions.known_ids(draft),
        countries=order_countries(on_trips.get(COUNTRY, ())),
        values=rule_actions.known_values(workspace, draft, sources),
    )
    problems = problems_to_show(draft, find_problems(draft))
    form = FormView(rule_actions.form_for(draft), draft, problems)
    warnings = _warnings_by_rule(draft)
    form.draw("name")
    json_notes(draft)
    st.header("People who match all of these", anchor=False)
    current_uid = rule_actions.changed_rule()
    for number, rule in enumerate(draft.rules, start=1):
        rule_row(rule, number, len(draft.rules), form, warnings[rule.uid], ids, current_uid)
    _move_focus(draft)
    field_problem(*problems.at(RULES, ""), *problems.at(draft.uid, ""))
    for note in find_separate_matches(draft):
        st.caption(f":material/info: {plain(note)}")
    with st.container(horizontal=True):
        add_a_rule(ids, first=not draft.rules)
        draw_box_button(draft)
    draw_box_panel(draft)
    read_back(draft, rule_actions.viewers_zone())
    return problems


def _warnings_by_rule(draft: FilterDraft) -> defaultdict[str, list[str]]:
    warnings: defaultdict[str, list[str]] = defaultdict(list)
    for warning in find_warnings(draft):
        for uid in warning.uids:
            warnings[uid].append(warning.message)
    return warnings


def _move_focus(draft: FilterDraft) -> None:
    """Have the browser move the focus into the rule that was added last, to what is to be entered next."""
    added = rule_actions.ADDED_RULE.get()
    rule_actions.ADDED_RULE.clear()
    rule = next((rule for rule in draft.rules if rule.uid == added), None)
    if rule is not None:
        paths = [path for path in field_values(rule) if path.partition("/")[0] in _FIRST_FIELDS]
        # `focus.js` reads the key. The marker is hidden; Streamlit leaves out an empty container.
        target = FILTER_FORM.key(rule.uid, (paths or ["operator"])[0]).replace("/", "-")
        st.container(key=f"takes-focus-{target}").space("small")


MOST_SHOWN = 12
_FIRST_FIELDS: Final = ("attribute_id", "value", "values", "from")
COUNTRY: Final = "country|SYSTEM_EXPECTED_OBJECT|address"
_LOCKED: Final = ":material/key_off:"
_CUSTOM_GROUP: Final = COLUMN_LABELS[-1].group


def add_a_rule(ids: KnownIds, *, first: bool) -> None:
    """Draw the button that opens the list of columns. `first` makes it the primary button."""
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
            "Find a column",
            key=f"{key}.find",
            max_chars=MAX_LINE,
            type="search",
            placeholder="Such as country, mobile phone, or shift",
            live=True,
            width=520,
        )
        if text and text.strip():
            _draw_matches(text, ids)
        else:
            _draw_groups(ids)


def _draw_groups(ids: KnownIds) -> None:
    if not all(ids.can_use(words.key) for words in COLUMN_LABELS):
        st.caption(
            f"{_LOCKED} The service requires the ID of the contact field, and Muster doesn’t know the ID yet. You can "
            "add the rule and enter the ID, or add the ID in *IDs and names* once for everyone."
        )
    for group, columns in groupby(COLUMN_LABELS, key=lambda words: words.group):
        st.markdown(f"**{plain(group)}**")
        with st.container(horizontal=True, gap="xsmall"):
            for words in columns:
                _column(words, ids, with_help=True)
            if group == _CUSTOM_GROUP:
                for number in list(ids.names.of_kind("custom attribute"))[:MOST_SHOWN]:
                    _attribute(number, ids)


def _draw_matches(text: str, ids: KnownIds) -> None:
    attributes = list(ids.names.find("custom attribute", text))
    for number in attributes[:MOST_SHOWN]:
        with st.container(gap="xxsmall"):
            _attribute(number, ids)
            st.caption(f"{_CUSTOM_GROUP} · ID {number}")
    matches = search_columns(text)
    if not matches and not attributes:
        st.caption(
            f"No column matches “{plain(text.strip())}”. Try another word. For a field of your organization, use "
            "a custom attribute."
        )
        matches = [words for words in COLUMN_LABELS if words.key in CUSTOM_TYPES]
    for words in matches[:MOST_SHOWN]:
        with st.container(gap="xxsmall"):
            _column(words, ids)
            lock = f"  \n{_LOCKED} {plain(_why_locked(words, ids))}" if not ids.can_use(words.key) else ""
            st.caption(f"{plain(words.group)} · {plain(words.help)}{lock}")
    if len(matches) > MOST_SHOWN:
        st.caption(f"{len(matches) - MOST_SHOWN} more. Keep typing to narrow the list.")


def _column(words: ColumnLabels, ids: KnownIds, *, with_help: bool = False) -> None:
    is_locked = not ids.can_use(words.key)
    st.button(
        plain(words.label),
        key=f"{PREFIX}.add_column/{words.key}",
        icon=_LOCKED if is_locked else None,
        help=plain(f"{words.help} {_why_locked(words, ids) if is_locked else ''}") if with_help else None,
        on_click=rule_actions.add_rule,
        args=(words.key,),
    )


def _why_locked(words: ColumnLabels, ids: KnownIds) -> str:
    guess = guess_field_id(words.key, ids.field_ids)
    if guess is not None:
        return f"Muster doesn’t know the contact field ID but can guess it: {guess.field_id}. {guess.reason}"
    return "No filter of your organization uses this column, so Muster doesn’t know its contact field ID."


def _attribute(number: int, ids: KnownIds) -> None:
    use = ids.attributes.get(number)
    key = next((key for key, each in CUSTOM_TYPES.items() if use is not None and each == use.rule_type), CUSTOM_KEY)
    st.button(
        plain(ids.names.label("custom attribute", number)),
        key=f"{PREFIX}.add_attribute/{number}",
        on_click=rule_actions.add_rule,
        args=(key, number),
    )


NOTES_SHOWN: Final = 12


def read_back(draft: FilterDraft, zone: str) -> None:
    """Draw the filter as a sentence and as JSON."""
    with st.container(border=True, key="contact_filter-sentence"):
        st.markdown(
            f":material/format_quote: {plain(describe_filter(draft, zone, rule_actions.KNOWN_IDS.get().names))}"
        )
        muted = len(draft.rules) - len(draft.active_rules)
        if muted and draft.active_rules:
            st.caption(f"{count(muted, 'muted rule is', 'muted rules are')} not included and will not be saved.")
    payload = st.expander("JSON to be sent", icon=":material/data_object:", key=f"{PREFIX}.json", on_change="rerun")
    if payload.open:
        with payload:
            _draw_json(draft)
    opening = st.expander(
        "Open a filter from JSON", icon=":material/file_open:", key=rule_actions.json_key("opens"), on_change="rerun"
    )
    if opening.open:
        with opening:
            _draw_open_json()


def json_notes(draft: FilterDraft) -> None:
    """Draw the problems of the JSON that was opened last, until the person dismisses them."""
    opened = JSON_NOTES.get()
    if opened is None or opened[0] != draft.uid or not (opened[1] or opened[2]):
        return
    _, problem, notes = opened
    if problem:
        st.error(f"**The JSON was not opened. The rules have not changed.** {plain(problem)}", icon=":material/error:")
    else:
        lines = [f"- {plain(f'Rule {number}: {note}' if number else note)}" for number, note in notes[:NOTES_SHOWN]]
        if len(notes) > NOTES_SHOWN:
            lines.append(f"- and {len(notes) - NOTES_SHOWN:,} more, shown next to their rules")
        text = "\n".join(lines)
        st.warning(
            f"**The JSON was opened with {count(len(notes), 'problem', 'problems')}:**\n{text}",
            icon=":material/warning:",
        )
    st.button("Dismiss", key=f"{PREFIX}.json_notes", type="tertiary", on_click=JSON_NOTES.clear)


def _draw_json(draft: FilterDraft) -> None:
    text = to_json(draft)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Muted rules and values that cannot be read are not included.", width="content")
        st.space("stretch")
        download(
            "Download",
            lambda: text,
            f"{draft.file_stem}.json",
            mime="application/json",
            key=f"{PREFIX}.json_download",
        )
    st.code(text, language=None, wrap_lines=True)


def _draw_open_json() -> None:
    st.caption(
        "Paste a filter, a response from the service, or a list of rules. The rules are replaced. *Undo* restores them."
    )
    example = '{"name": …, "contactFilterRules": […]}'
    st.text_area("Paste JSON", key=rule_actions.json_key("text"), max_chars=MAX_PASTE, height=140, placeholder=example)
    st.file_uploader("Or upload a file", type=["json", "txt"], key=rule_actions.json_key("file"))
    st.button("Open JSON", key=f"{PREFIX}.json_open", on_click=rule_actions.open_json)
