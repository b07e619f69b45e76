"""Texts and tables of the filter test: who matches, how many contacts each rule leaves, and why a person matches or
not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.cell_times import EARLIEST, LATEST, needs_date_order
from domain.file_import.source_file import SourceFile
from domain.filters.estimate.filter_estimate import (
    CellValues,
    EstimateResult,
    FilterEstimate,
    RuleResult,
    find_unreadable,
    value_hits,
)
from domain.filters.estimate.rule_questions import NOT_SET, OPPOSITES, EstimateOptions, Question, person_columns
from domain.filters.values import format_moment
from domain.text.plain_text import count, in_short, names

COMMON_VALUES: Final = 3
SHOWN_COLUMNS: Final = 12
MOST_FOUND: Final = 20
MOST_VALUES: Final = 8


def headline(result: EstimateResult) -> str:
    """Return the result in one line; "At most" if some rules could not be evaluated."""
    total = count(result.total, "contact", "contacts")
    if not result.rules:
        return f"{total} loaded. Add a rule to see who matches."
    if not result.evaluated_rules:
        if result.unevaluated_rules:
            contacts = "this contact" if result.total == 1 else f"the {total}"
            return f"Muster cannot evaluate any of the rules for {contacts}."
        matches = f"{total} matches" if result.total == 1 else f"all {total} match"
        return f"All rules are muted, so {matches}. The service rejects a filter without rules."
    at_most = "At most " if result.unevaluated_rules else ""
    verb = "matches" if 1 in (result.match_count, result.total) else "match"
    return f"{at_most}{result.match_count:,} of {total} {verb}"


def remaining_summary(result: EstimateResult) -> str:
    """Return how many contacts each rule leaves of those before it: "rule 1 keeps 140 · rule 2 keeps 96"."""
    return " · ".join(
        f"rule {rule.number} keeps {rule.remaining_count:,}"
        for rule in result.evaluated_rules
        if rule.remaining_count is not None
    )


def not_evaluated_summary(result: EstimateResult) -> str | None:
    """Return which rules cannot be evaluated, why, and what this means for the number; None if all can be."""
    why = [(rule.number, rule.not_evaluated) for rule in result.unevaluated_rules if rule.not_evaluated is not None]
    if not why:
        return None
    summary = f"{count(len(why), 'rule', 'rules')} cannot be evaluated"
    summary += f" ({'; '.join(f'rule {number}: {not_evaluated.reason}' for number, not_evaluated in why)})."
    if result.evaluated_rules:
        summary += " The other rules decide who matches, so the actual number may be smaller."
    if any(not_evaluated.is_missing for _, not_evaluated in why):
        summary += f" If the file has a column for {'the' if len(why) == 1 else 'such a'} rule, select it below."
    return summary


def rule_note(rule: RuleResult, values: CellValues | None, options: EstimateOptions) -> str:
    """Return the notes on the numbers of a rule. `values` are the values it compares, for examples if no one
    matches.
    """
    question = rule.question
    if rule.not_evaluated is not None or question is None:
        # An unmuted rule is explained by `not_evaluated_summary`.
        return f"Not evaluated: {rule.not_evaluated.reason}." if rule.is_muted and rule.not_evaluated else ""
    notes = []
    if rule.absent_count and question.kind != "presence":
        notes.append(
            count(
                rule.absent_count,
                "contact without a value counts as a match.",
                "contacts without a value count as matches.",
            )
            if question.operator in OPPOSITES and options.absent_is_other
            else count(
                rule.absent_count,
                "contact has no value and does not match.",
                "contacts have no value and do not match.",
            )
        )
    if rule.unreadable_count:
        examples = names([f"“{text}”" for text in rule.unreadable_examples])
        invalid = (
            count(rule.unreadable_count, "value is not a valid number", "values are not valid numbers")
            if question.kind == "number"
            else count(rule.unreadable_count, "value is not a valid time", "values are not valid times")
        )
        notes.append(f"{invalid} ({examples}).")
        if question.kind != "number" and values is not None and needs_date_order(values.texts):
            notes.append("In “Options”, select whether the day or the month comes first.")
    if rule.match_count == 0 and values is not None and len(values.texts):
        usual = values.texts.value_counts().head(COMMON_VALUES)
        summary = names([f"“{in_short(str(text), 40)}” {number:,}" for text, number in usual.items()])
        notes.append(f"No one matches. The most frequent values in the file are {summary}.")
        hidden = hidden_operands(rule)
        if hidden:
            notes.append(f"The rule compares with {hidden}.")
    return " ".join(notes)


def hidden_operands(rule: RuleResult) -> str | None:
    """Return the compared values if the words of the rule show others: a country code instead of a name."""
    if rule.question is None or rule.question.kind != "text":
        return None
    hidden = [f"“{operand}”" for operand in rule.question.operands if str(operand) not in rule.text]
    return names(hidden) if hidden else None


def describe_mute(rule: RuleResult) -> str:
    """Return the effect of muting a rule, or of unmuting a muted one."""
    if rule.mask is None:
        return "–"
    change = f"{'−' if rule.is_muted else '+'}{abs(rule.mute_effect):,}" if rule.mute_effect else "no change"
    return f"{change} if unmuted" if rule.is_muted else change


def option_notes(options: EstimateOptions) -> list[str]:
    """Describe the options and the rules of the evaluation, a sentence each."""
    case = "Text comparisons are case-sensitive." if options.case_matters else "Text comparisons ignore case."
    return [
        "A person must match all rules.",
        f"{case} Accents count, and spaces around a value do not. “Before” and “after” use the order of characters.",
        (
            "If a person has several values, one match is enough. Rules are evaluated separately: two rules about "
            "an address may match two different addresses. “Is not”, “does not contain”, and “none of” match if "
            "no value matches."
        ),
        "If a person has no value, only these three and “is not set” match."
        if options.absent_is_other
        else "If a person has no value, only “is not set” matches.",
        "Numbers and IDs are compared exactly, as numbers. A value that is not a number never matches.",
        (
            f"Times without a time zone are in {options.zone}. A date without a time is the start of the day. “Is”, "
            "expected dates, and shift dates use the whole day."
        ),
        "Each row of the file is one person.",
    ]


def now_note(result: EstimateResult) -> str | None:
    """Return the time that “now” stands for; None if no rule uses it."""
    if not any(rule.question is not None and rule.question.is_now for rule in result.rules):
        return None
    return f"“Now” is {format_moment(result.options.at_ms, result.options.zone)}."


def rule_list(rules: Sequence[RuleResult]) -> str:
    """List rules by number: "rule 2", "rules 2 and 4"."""
    numbers = [str(rule.number) for rule in rules]
    return f"rule {numbers[0]}" if len(numbers) == 1 else f"rules {names(numbers, at_most=len(numbers))}"


Who = Literal["match", "nearly", "out", "all"]
OUT_BECAUSE: Final = "Rules not matched"
ROW: Final = "\u2063row"
"""The column with the row number in the file. Its invisible first character keeps it distinct from columns of the
file.
"""


def rules_frame(estimate: FilterEstimate, result: EstimateResult) -> pd.DataFrame:
    """Return a table with one row per rule: its text, matches alone and in sequence, the effect of muting it, and a
    note.

    `share` is in percent of all contacts.
    """
    rows = []
    for rule in result.rules:
        is_judged = rule.mask is not None and rule.question is not None
        values = estimate.values(rule.question.subject, result.matches) if rule.question and is_judged else None
        rows.append(
            {
                "number": rule.number,
                "rule": f"{rule.text} (muted)" if rule.is_muted else rule.text,
                "alone": rule.match_count if is_judged else None,
                "share": 100 * rule.match_count / result.total if is_judged and result.total else None,
                "kept": rule.remaining_count,
                "change": describe_mute(rule),
                "note": rule_note(rule, values, result.options),
            }
        )
    table = pd.DataFrame(rows, columns=["number", "rule", "alone", "share", "kept", "change", "note"])
    return table.astype({"alone": "Int64", "kept": "Int64", "share": "Float64"})


def rule_notes(table: pd.DataFrame) -> list[str]:
    """Return the notes in the table as lines: "Rule 2: 3 contacts have no value and do not match."."""
    return [f"Rule {number}: {note}" for number, note in zip(table["number"], table["note"], strict=True) if note]


def rows_of_people(result: EstimateResult, group: Who) -> npt.NDArray[np.int64]:
    """Return the rows of the file in this group of people, in the order of the file."""
    missed = {"match": result.failed_counts == 0, "nearly": result.failed_counts == 1, "out": result.failed_counts > 0}
    return np.flatnonzero(missed.get(group, result.failed_counts >= 0)).astype(np.int64)


def shown_columns(result: EstimateResult, *, with_reasons: bool = False) -> list[str]:
    """Return the most useful columns: the person, the columns that rules use, then others up to `SHOWN_COLUMNS`."""
    used = [header for match in result.matches.values() for header in match.headers]
    first = list(dict.fromkeys([*person_columns(result.file.headers), *used]))
    rest = [header for header in result.file.headers if header not in first]
    reason = [_reason_heading(result)] if with_reasons else []
    return [*reason, *first, *rest[: max(SHOWN_COLUMNS - len(first), 0)]]


def people_frame(result: EstimateResult, rows: npt.NDArray[np.int64], *, with_reasons: bool) -> pd.DataFrame:
    """Return these rows of the file with all columns and `ROW`, and if wanted the numbers of the rules that fail."""
    table = result.file.frame.iloc[rows].reset_index(drop=True)
    table[ROW] = rows
    if with_reasons:
        failing = [(str(rule.number), ~rule.mask[rows]) for rule in result.evaluated_rules if rule.mask is not None]
        numbers, masks = [number for number, _ in failing], [mask for _, mask in failing]
        fails = np.column_stack(masks) if masks else np.zeros((len(rows), 0), dtype=bool)
        reasons = [", ".join(n for n, is_out in zip(numbers, row, strict=True) if is_out) for row in fails.tolist()]
        table.insert(0, _reason_heading(result), pd.Series(reasons, dtype="str"))
    return table


def _reason_heading(result: EstimateResult) -> str:
    heading = OUT_BECAUSE
    while heading in result.file.headers:
        heading += " *"
    return heading


@dataclass(frozen=True)
class WhyLine:
    """One rule for one person. `holds` is None if the rule was not evaluated; `because` names the person's values."""

    number: int
    words: str
    holds: bool | None
    because: str
    is_muted: bool


@dataclass(frozen=True)
class Why:
    """Whether a person matches (None if no rule was evaluated), and the result of each rule."""

    who: str
    is_in: bool | None
    summary: str
    lines: tuple[WhyLine, ...]


def find_people(estimate: FilterEstimate, text: str, *, at_most: int = MOST_FOUND) -> list[int]:
    """Find rows that contain every word of the text in any column, in the order of the file. Case is ignored."""
    words = text.lower().split()
    found = np.full(estimate.file.rows, bool(words))
    for word in words:
        found &= estimate.search_text.str.contains(word, regex=False).to_numpy(dtype=bool)
    return [int(row) for row in np.flatnonzero(found)[:at_most]]


def name_person(file: SourceFile, row: int) -> str:
    """Return the name of a person in the file: names and external ID, or else the row."""
    parts = [str(file.frame[header].iloc[row]) for header in person_columns(file.headers)]
    return " · ".join(filter(None, parts)) or f"The contact in row {file.row_number(row)}"


def explain(estimate: FilterEstimate, result: EstimateResult, row: int) -> Why:
    """Explain for every rule whether the person in this row matches it, and why."""
    out = [rule for rule in result.evaluated_rules if rule.mask is not None and not rule.mask[row]]
    if out:
        summary = f"No match: {rule_list(out)} {'does' if len(out) == 1 else 'do'} not match."
    elif not result.evaluated_rules:
        summary = "Unknown: no rule was evaluated."
    elif result.unevaluated_rules:
        aside = rule_list(result.unevaluated_rules)
        summary = f"Match, ignoring {aside}: every other rule matches."
    else:
        summary = "Match: every rule matches."
    lines = tuple(_line(estimate, result, rule, row) for rule in result.rules)
    return Why(name_person(result.file, row), not out if result.evaluated_rules else None, summary, lines)


def _line(estimate: FilterEstimate, result: EstimateResult, rule: RuleResult, row: int) -> WhyLine:
    question, mask = rule.question, rule.mask
    if mask is None or question is None:
        because = f"Not evaluated: {rule.not_evaluated.reason}." if rule.not_evaluated else ""
        return WhyLine(rule.number, rule.text, None, because, rule.is_muted)
    values = estimate.values(question.subject, result.matches)
    because = _describe_reason(values, question, result.options, row, bool(mask[row]))
    hidden = hidden_operands(rule)
    if hidden and not mask[row]:
        because += f" The rule compares with {hidden}."
    if not mask[row] and question.kind == "text" and result.options.case_matters:
        otherwise = estimate.mask_of(question, replace(result.options, case_matters=False), result.matches)
        if otherwise[row]:
            because += " The value matches if case is ignored."
    return WhyLine(rule.number, rule.text, bool(mask[row]), because, rule.is_muted)


def _describe_reason(values: CellValues, question: Question, options: EstimateOptions, row: int, is_held: bool) -> str:
    places = np.flatnonzero(values.owner == row)
    summary = np.array([_describe_value(values, question, options, int(place)) for place in places], dtype=object)
    shown = names(summary.tolist(), at_most=MOST_VALUES)
    if question.kind == "presence":
        if not len(summary):
            return "There is no value."
        counts_as_none = is_held == (question.operator == NOT_SET)
        return f"The value is {shown}, which counts as no value." if counts_as_none else f"The value is {shown}."
    if not len(summary):
        if question.operator not in OPPOSITES:
            return "There is no value to match."
        return "There is no value, which counts as different." if is_held else "There is no value to compare."
    words = f"The file has {shown}."
    fits = summary[value_hits(values, question, options)[places]].tolist()
    if fits and len(summary) > 1:
        words += f" {names(fits, at_most=MOST_VALUES)} {'matches' if len(fits) == 1 else 'match'}."
    not_read = summary[find_unreadable(values, question, options)[places]].tolist()
    if not_read:
        kind = "number" if question.kind == "number" else "time"
        is_not_valid = f"is not a valid {kind}" if len(not_read) == 1 else f"are not valid {kind}s"
        words += f" {names(not_read)} {is_not_valid}."
    return words


def _describe_value(values: CellValues, question: Question, options: EstimateOptions, place: int) -> str:
    text, zone = f"“{values.texts.iloc[place]}”", options.zone
    if question.kind not in ("moment", "span"):
        return text
    spans = values.spans(zone, options.date_order)
    if not spans.is_read[place]:
        return text
    begin, end = int(spans.begin[place]), int(spans.end[place])
    since = "unknown start" if begin == EARLIEST else format_moment(begin, zone)
    until = "unknown end" if end == LATEST else format_moment(end, zone)
    return f"{text} ({since})" if begin == end else f"{text} ({since} – {until})"
