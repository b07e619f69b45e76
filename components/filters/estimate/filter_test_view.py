"""Draw the filter test: a file of contacts, who matches, how many each rule leaves, and why a person matches or not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, get_args
from zoneinfo import ZoneInfo

import pandas as pd
import streamlit as st

from components.file_import.file_questions import DATE_ORDERS, draw_hidden_question
from components.file_import.steps import draw_column_step, draw_file_step
from components.filters.builder.rule_actions import draw_move_button, viewers_zone
from components.record_list.record_table import record_table
from components.shell.session import current_workspace
from components.shell.state import StateKey
from domain.file_import.cell_times import DateOrder
from domain.filters.ended_spans import ended_uids
from domain.filters.estimate import estimate_text
from domain.filters.estimate.estimate_text import MOST_FOUND, ROW, Who, WhyLine
from domain.filters.estimate.filter_estimate import EstimateResult, FilterEstimate
from domain.filters.estimate.rule_questions import CONTACTS, EstimateOptions, columns_of_draft
from domain.filters.filter_draft import FilterDraft
from domain.filters.sentence import join_items
from domain.filters.values import milliseconds_of
from domain.geography.time_zones import all_zones
from domain.tables.table_pages import Column, numbers
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_LINE

if TYPE_CHECKING:
    from domain.filters.suggestions import Source

# Only in the browser session: the file with its cached results, and the options of the evaluation.
CURRENT_ESTIMATE: Final = StateKey[FilterEstimate | None]("filter_test_bench.bench", lambda: None)
CASE_MATTERS: Final = StateKey[bool]("filter_test_bench.case_matters", lambda: True)
ABSENT_IS_OTHER: Final = StateKey[bool]("filter_test_bench.absent_is_other", lambda: True)
ZONE: Final = StateKey[str]("filter_test_bench.zone", lambda: viewers_zone())
"""The time zone of times without one; at first the zone in which the rules are typed."""
DATE_ORDER: Final = StateKey[DateOrder]("filter_test_bench.date_order", lambda: "as the file shows")
AT_MOMENT: Final = StateKey[bool]("filter_test_bench.at_moment", bool)
MOMENT: Final = StateKey[datetime | None]("filter_test_bench.moment", lambda: None)

ESTIMATE_NOTE: Final = (
    "This is Muster’s estimate for the contacts in your file. The service may have other data about a person and may "
    "match differently."
)
PRIVACY: Final = (
    "Muster does not store the file or send it to the service. Muster deletes the file when you remove it, sign out, "
    "or close the tab."
)
_WHO_LABELS: Final = {
    "match": "Who matches",
    "nearly": "All rules but 1",
    "out": "No match",
    "all": "Everyone",
}
_EMPTY_NOTES: Final = {
    "match": "No one in the file matches. Mute a rule to see who would match.",
    "nearly": "No one fails exactly 1 rule.",
    "out": "Everyone matches all evaluated rules.",
    "all": "",
}
_MARKS: Final = {
    True: ":green[:material/check_circle:]",
    False: ":red[:material/cancel:]",
    None: ":gray[:material/help:]",
}


@st.fragment
def draw_filter_test(draft: FilterDraft, *, key: str) -> None:
    """Draw the filter test for the current draft. A change inside the fragment reruns the fragment, not the page."""
    # A rerun of the fragment may come after the user signed out in another tab.
    if current_workspace() is None:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.header("Filter test", anchor=False, width="content")
        st.badge("Estimate", icon=":material/science:", color="orange")
        st.space("stretch")
        options = _draw_options(key)
    st.caption(ESTIMATE_NOTE)
    check = draw_file_step(CONTACTS, key=key)
    st.caption(PRIVACY)
    if check is None:
        CURRENT_ESTIMATE.set(None)
        return
    estimate = CURRENT_ESTIMATE.get()
    draw_hidden_question(check, key=key)
    if estimate is None or estimate.file is not check.included_source:
        estimate = FilterEstimate(check.included_source)
        CURRENT_ESTIMATE.set(estimate)
    columns = columns_of_draft(draft)
    check.declaration = replace(CONTACTS, columns=columns)
    result = estimate.evaluate(draft, options, check.decisions.selected_headings)
    _draw_result(result)
    _draw_ended(draft, key)
    if columns:
        draw_column_step(check, key=key)
    if result.rules:
        _draw_rules(estimate, result, key)
    picked = _draw_people(draft, result, key)
    _draw_explanation(estimate, result, picked, key)


def values_in_file() -> Source | None:
    """Return the values in the file of the filter test, to be suggested in rules; None without a file."""
    estimate = CURRENT_ESTIMATE.get()
    return estimate.frequent_values if estimate is not None else None


def _draw_options(key: str) -> EstimateOptions:
    """Draw the options that the interface leaves open, and return them."""
    for setting in (CASE_MATTERS, ABSENT_IS_OTHER, ZONE, DATE_ORDER, AT_MOMENT, MOMENT):
        setting.get()
    with st.popover("Options", icon=":material/rule:", key=f"{key}-judging"):
        case_matters = st.toggle("Case-sensitive", key=CASE_MATTERS.widget_key, persist_state="session")
        absent_is_other = st.toggle(
            "“Is not” matches people without a value",
            key=ABSENT_IS_OTHER.widget_key,
            persist_state="session",
            help="This also applies to “does not contain” and “is none of”.",
        )
        zones = dict.fromkeys((*all_zones(), ZONE.get()))
        zone = st.selectbox("Default time zone", tuple(zones), key=ZONE.widget_key, persist_state="session")
        order = st.selectbox(
            "Dates such as 03/04/2026",
            get_args(DateOrder),
            format_func=lambda order: DATE_ORDERS[order],
            key=DATE_ORDER.widget_key,
            persist_state="session",
        )
        at_moment = st.toggle("Use another time for “now”", key=AT_MOMENT.widget_key, persist_state="session")
        moment = None
        if at_moment:
            moment = st.datetime_input(
                f"“Now” is ({plain(zone)})",
                value=None,
                key=MOMENT.widget_key,
                format="YYYY-MM-DD",
                persist_state="session",
            )
            if moment is None:
                st.caption("Enter a time. Until then, Muster uses the current time.")
        # Rounded to the minute, so that cached results for “now” can be reused.
        at = datetime.now(UTC) if moment is None else moment.replace(tzinfo=ZoneInfo(zone))
        at_ms = milliseconds_of(at.replace(second=0, microsecond=0))
        options = EstimateOptions(at_ms, zone, case_matters, absent_is_other, order)
        st.markdown("\n".join(f"- {plain(words)}" for words in estimate_text.option_notes(options)))
    return options


def _draw_result(result: EstimateResult) -> None:
    st.header(plain(estimate_text.headline(result)), anchor=False)
    if remaining := estimate_text.remaining_summary(result):
        st.markdown(plain(remaining))
    if aside := estimate_text.not_evaluated_summary(result):
        st.warning(plain(aside), icon=":material/help:")
    if now := estimate_text.now_note(result):
        st.caption(f":material/info: {plain(now)}")


def _draw_ended(draft: FilterDraft, key: str) -> None:
    """Say which rules cannot match any more, and offer to move them to this week."""
    uids = ended_uids(draft, datetime.now(UTC))
    if not uids:
        return
    numbers_of = [str(number) for number, rule in enumerate(draft.rules, start=1) if rule.uid in uids]
    are = "has a time span that has" if len(uids) == 1 else "have time spans that have"
    rules = f"Rule {numbers_of[0]}" if len(uids) == 1 else f"Rules {join_items(numbers_of)}"
    st.warning(f"{rules} {are} ended. Only past times can match.", icon=":material/event_busy:")
    if draw_move_button(draft, uids, key=f"{key}-move-spans"):
        st.rerun()


def _draw_rules(estimate: FilterEstimate, result: EstimateResult, key: str) -> None:
    table = estimate_text.rules_frame(estimate, result)
    record_table(
        table,
        {
            "number": numbers("Rule"),
            "rule": "Rule",
            "alone": numbers("Matches"),
            "share": Column("Share", "{:.0f}%".format, is_numeric=True),
            "kept": numbers("Remaining"),
            "change": "If muted",
        },
        f"{key}-rules",
        selection=None,
        noun=("rule", "rules"),
        default_order="number",
        placeholder="–",
    )
    notes = estimate_text.rule_notes(table)
    if notes:
        # Below the table, because a narrow screen would hide a column of it.
        st.caption("\n".join(f"- {plain(note)}" for note in notes))


def _draw_people(draft: FilterDraft, result: EstimateResult, key: str) -> int | None:
    """Draw the contacts, a page at a time, and return the row of the file that is selected."""
    who: Who = st.radio(
        "People",
        get_args(Who),
        format_func=lambda who: _WHO_LABELS[who],
        horizontal=True,
        label_visibility="collapsed",
        key=f"{key}-who",
        persist_state="session",
    )
    rows = estimate_text.rows_of_people(result, who)
    if not len(rows):
        st.caption(_EMPTY_NOTES[who])
        return None
    with_reasons = who != "match"

    def frame(people: pd.DataFrame) -> pd.DataFrame:
        return estimate_text.people_frame(result, people[ROW].to_numpy(), with_reasons=with_reasons)

    picked = record_table(
        pd.DataFrame({ROW: rows}),
        {name: name for name in estimate_text.shown_columns(result, with_reasons=with_reasons)},
        f"{key}-people-{who}",
        id_column=ROW,
        noun=("contact", "contacts"),
        format_page=frame,
        sort_values=lambda name: frame(pd.DataFrame({ROW: rows}))[name],
        build_file=lambda ordered: frame(ordered).drop(columns=ROW),
        stem=f"{draft.file_stem}-{who}-estimate",
    )
    st.caption(f"The files contain {count(len(rows), 'contact', 'contacts')} with all columns of your file.")
    return None if picked.first_id is None else int(picked.first_id)


def _draw_explanation(estimate: FilterEstimate, result: EstimateResult, picked: int | None, key: str) -> None:
    """Draw the search for a person and the explanation. A person found by search comes before `picked`, the selected
    row.
    """
    st.header("Why a person matches or not", anchor=False)
    text = st.text_input(
        "Find a person",
        key=f"{key}-find",
        max_chars=MAX_LINE,
        live=True,
        placeholder="A name, an ID, or other text in the row",
        persist_state="session",
    )
    row = picked
    if text.strip():
        found = estimate_text.find_people(estimate, text)
        if not found:
            st.caption("No row of the file contains all of these words.")
            return
        row = found[0]
        if len(found) > 1:
            row = st.selectbox(
                "Person",
                found,
                format_func=lambda row: estimate_text.name_person(result.file, row),
                key=f"{key}-person",
            )
            if len(found) == MOST_FOUND:
                st.caption(f"These are the first {MOST_FOUND}. Keep typing to find others.")
    if row is None:
        st.caption("Select a person in the table above, or enter part of a name or ID.")
        return
    why = estimate_text.explain(estimate, result, row)
    with st.container(border=True):
        st.markdown(f"{_MARKS[why.is_in]} **{plain(why.who)}** · {plain(why.summary)}")
        st.markdown("\n".join(map(_why_line, why.lines)))


def _why_line(line: WhyLine) -> str:
    result_text = {True: "matches", False: "does not match", None: "is ignored"}[line.holds]
    muted = " (muted)" if line.is_muted else ""
    return f"{line.number}. {_MARKS[line.holds]} **{plain(line.words)}** {result_text}{muted}. {plain(line.because)}"
