"""What the test bench answers: who matches, what each rule keeps, why a person is in or out, in words and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.filter_test_bench.bench import BenchResult, ContactBench, RuleResult
from components.filter_test_bench.cell_values import CellValues
from components.filter_test_bench.judging import NOT_SET, OPPOSITES, Judging, Question, from_ms
from components.filter_test_bench.rule_masks import unread, value_hits
from components.filter_test_bench.subjects import person_columns
from components.intake.cell_times import EARLIEST, LATEST, needs_date_order
from components.intake.source_file import SourceFile
from components.widgets.number_text import count, names
from components.widgets.time_text import DAYS, MONTHS

ESTIMATE = (
    "An estimate, made here and not by the service: the rules are held against the rows of your file. It takes it that "
    "all rules must hold. The service may know more of a person than the file does, and may compare otherwise."
)
PRIVACY = (
    "The file is read into this session's memory and nowhere else: it is not stored, not put into the journal and not "
    "sent to the service. It is gone when you forget it here, sign out or close the tab."
)
COMMON_VALUES = 3


def headline(result: BenchResult) -> str:
    """The answer in one line; "at most" where rules had to be set aside."""
    total = count(result.total, "contact", "contacts")
    if not result.rules:
        return f"{total} loaded. Add a rule to see who matches."
    if not result.judged:
        if result.set_aside:
            return f"None of the rules can be judged here, so nothing can be said about the {total}."
        return f"Every rule is muted: all {total} match, and the service would refuse a filter without rules."
    at_most = "At most " if result.set_aside else ""
    verb = "matches" if 1 in (result.matching, result.total) else "match"
    return f"{at_most}{result.matching:,} of {total} {verb}"


def kept_words(result: BenchResult) -> str:
    """What each rule leaves of those before it: "rule 1 keeps 140 · rule 2 keeps 96"."""
    return " · ".join(f"rule {rule.number} keeps {rule.kept:,}" for rule in result.judged if rule.kept is not None)


def set_aside_words(result: BenchResult) -> str | None:
    """Which rules could not be judged, why, and what that makes of the number; None where all could."""
    if not result.set_aside:
        return None
    reasons = "; ".join(f"rule {rule.number}: {rule.not_judged.words}" for rule in result.set_aside if rule.not_judged)
    which = count(len(result.set_aside), "rule", "rules")
    they = ("it is", "it") if len(result.set_aside) == 1 else ("they are", "they")
    columns = any(rule.not_judged is not None and rule.not_judged.is_missing for rule in result.set_aside)
    ask = " Say below which column it is, where the file has one." if columns else ""
    if not result.judged:
        return f"{which} cannot be judged here ({reasons}).{ask}"
    return (
        f"{which} cannot be judged here ({reasons}). Here {they[0]} set aside, as if {they[1]} held for everybody, so "
        f"the real number can only be the same or smaller.{ask}"
    )


def rule_note(rule: RuleResult, values: CellValues | None, judging: Judging) -> str:
    """What is to be known of a rule's number; `values` are those it looks at, to name some where nobody has the right
    one."""
    if rule.not_judged is not None:
        # Of one that would be sent, it is said above, with what that makes of the number.
        return f"not judged here: {rule.not_judged.words}" if rule.is_muted else ""
    notes = []
    if rule.absent and rule.holds_for_absent:
        taken = "count as holding" if judging.absent_is_other else "are left out"
        notes.append(f"without a value: {rule.absent:,}, which {taken}")
    elif rule.absent and rule.question is not None and rule.question.kind != "presence":
        notes.append(f"without a value: {rule.absent:,}, which are left out")
    if rule.unread:
        kind = "number" if rule.question is not None and rule.question.kind == "number" else "time"
        examples = names([f"“{text}”" for text in rule.unread_examples])
        notes.append(f"{count(rule.unread, 'value is', 'values are')} no {kind} ({examples})")
        if kind == "time" and values is not None and needs_date_order(values.texts):
            notes.append("say under “How it is judged” whether the day or the month comes first")
    if rule.alone == 0 and values is not None and len(values.texts):
        usual = values.texts.value_counts().head(COMMON_VALUES)
        said = names([f"“{_short(str(text))}” {number:,}" for text, number in usual.items()])
        notes.append(f"it holds for nobody: the file's most frequent values are {said}{_sent(rule)}")
    return "; ".join(notes)


def compared_with(rule: RuleResult) -> str | None:
    """What the rule really compares with, where its words say it otherwise: a country's code for its name."""
    if rule.question is None or rule.question.kind != "text":
        return None
    hidden = [f"“{operand}”" for operand in rule.question.operands if str(operand) not in rule.words]
    return names(hidden) if hidden else None


def change_words(rule: RuleResult) -> str:
    """The effect of muting a rule, or of switching on one that is muted."""
    if rule.mask is None:
        return "–"
    if rule.is_muted:
        return f"−{-rule.change:,} if switched on" if rule.change else "no change if switched on"
    return f"+{rule.change:,}" if rule.change else "no change"


def judging_words(judging: Judging) -> list[str]:
    """How it is judged, a sentence each."""
    case = "capitals count" if judging.case_matters else "capitals make no difference"
    absent = "hold" if judging.absent_is_other else "do not hold"
    return [
        "All rules must hold. The interface does not say so; it is what several rules are taken to mean everywhere.",
        (
            f"Texts are compared as they are written: {case}; blanks around a value are set aside, accents are not. "
            "Before and after go by the order of characters."
        ),
        (
            "Of several values of a person, one that fits is enough, and each rule is judged for itself: two rules on "
            "an address may be met by two different addresses. “Is not”, “does not contain” and “none of” hold where "
            "no value fits."
        ),
        f"For somebody without a value these three {absent}; every other comparison does not hold.",
        "Numbers and ids are compared as numbers, whole ones to the last digit. What is no number fits nothing.",
        (
            f"Times without a zone are read in {judging.zone}. A date alone begins with its day; “is”, and expected "
            "and shift dates, take the whole day."
        ),
        "Each row of the file is one person.",
    ]


def now_words(result: BenchResult) -> str | None:
    """The moment that “now” was judged at; None where no rule asks for it."""
    if not any(rule.question is not None and rule.question.is_now for rule in result.rules):
        return None
    return f"“Now” is judged at {moment_words(result.judging.at_ms, result.judging.zone)}."


def moment_words(milliseconds: int, zone: str) -> str:
    """A moment in a zone, its year named: "Fri 20 Nov 2026, 12:05 UTC"."""
    at = from_ms(milliseconds, zone)
    return "a time no calendar has" if at is None else _moment_text(at, zone)


def rule_list(rules: Sequence[RuleResult]) -> str:
    """Rules by number: "rule 2", "rules 2 and 4"."""
    numbers = [str(rule.number) for rule in rules]
    return f"rule {numbers[0]}" if len(numbers) == 1 else f"rules {names(numbers, at_most=len(numbers))}"


def _moment_text(at: datetime, zone: str) -> str:
    day = f"{DAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]} {at.year}"
    return f"{day}, {at.hour:02}:{at.minute:02} {zone}"


def _sent(rule: RuleResult) -> str:
    hidden = compared_with(rule)
    return f", and the rule compares with {hidden}" if hidden else ""


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"


Who = Literal["match", "nearly", "out", "all"]
OUT_BECAUSE: Final = "Rules that do not hold"
ROW: Final = "\u2063row"
"""The column that tells the row of the file; its invisible first character keeps it apart from the file's own."""
_SHOWN_COLUMNS: Final = 12


def rules_frame(bench: ContactBench, result: BenchResult) -> pd.DataFrame:
    """A row a rule: number, words, how many it holds for alone and leaves in sequence, the effect of muting it, a note.

    `share` is in percent of all contacts.
    """
    rows = []
    for rule in result.rules:
        values = bench.values(rule.subject, result.matches) if rule.subject and rule.mask is not None else None
        rows.append(
            {
                "number": rule.number,
                "rule": f"{rule.words} (muted)" if rule.is_muted else rule.words,
                "alone": rule.alone if rule.mask is not None else None,
                "share": 100 * rule.alone / result.total if rule.mask is not None and result.total else None,
                "kept": rule.kept,
                "change": change_words(rule),
                "note": rule_note(rule, values, result.judging),
            }
        )
    table = pd.DataFrame(rows, columns=["number", "rule", "alone", "share", "kept", "change", "note"])
    return table.astype({"alone": "Int64", "kept": "Int64", "share": "Float64"})


def rule_notes(table: pd.DataFrame) -> list[str]:
    """What is to be known of the rules, out of their table: "Rule 2: without a value: 3, which are left out"."""
    return [f"Rule {number}: {note}" for number, note in zip(table["number"], table["note"], strict=True) if note]


def rows_of_people(result: BenchResult, who: Who) -> npt.NDArray[np.int64]:
    """The rows of the file that a choice of people stands for, in the file's order."""
    masks = {
        "match": result.mask,
        "nearly": result.nearly,
        "out": ~result.mask,
        "all": np.ones(result.total, dtype=bool),
    }
    return np.flatnonzero(masks[who]).astype(np.int64)


def shown_columns(result: BenchResult, *, with_reasons: bool = False) -> list[str]:
    """The columns worth seeing first: who it is, what the rules look at, then the file's others up to a dozen."""
    used = [header for match in result.matches.values() for header in match.headers]
    first = list(dict.fromkeys([*person_columns(result.file.headers), *used]))
    rest = [header for header in result.file.headers if header not in first]
    reason = [_reason_heading(result)] if with_reasons else []
    return [*reason, *first, *rest[: max(_SHOWN_COLUMNS - len(first), 0)]]


def people_frame(result: BenchResult, rows: npt.NDArray[np.int64], *, with_reasons: bool) -> pd.DataFrame:
    """These rows of the file, all columns and `ROW`; with the numbers of the rules that do not hold where asked for."""
    table = result.file.frame.iloc[rows].reset_index(drop=True)
    table[ROW] = rows
    if with_reasons:
        table.insert(0, _reason_heading(result), pd.Series(reasons(result, rows), dtype="str"))
    return table


def reasons(result: BenchResult, rows: npt.NDArray[np.int64]) -> list[str]:
    """For each of these rows, the numbers of the rules that do not hold: "2, 4"."""
    failing = [(str(rule.number), ~rule.mask[rows]) for rule in result.judged if rule.mask is not None]
    if not failing:
        return [""] * len(rows)
    numbers, masks = zip(*failing, strict=True)
    return [
        ", ".join(number for number, fails in zip(numbers, row, strict=True) if fails)
        for row in np.column_stack(masks).tolist()
    ]


def _reason_heading(result: BenchResult) -> str:
    heading = OUT_BECAUSE
    while heading in result.file.headers:
        heading += " *"
    return heading


def file_stem(draft_title: str, who: Who) -> str:
    """What a download of these people is called."""
    plain = re.sub(r"[^\w]+", "-", draft_title).strip("-").lower()[:60]
    return f"{plain or 'contact-filter'}-{who}-estimate"


MOST_FOUND: Final = 20
MOST_VALUES: Final = 8


@dataclass(frozen=True)
class WhyLine:
    """One rule for one person; `holds` is None where it was not judged. `because` names what the person has."""

    number: int
    words: str
    holds: bool | None
    because: str
    is_muted: bool


@dataclass(frozen=True)
class Why:
    """A person, whether in or out (None where no rule was judged), and what each rule says of them."""

    row: int
    who: str
    is_in: bool | None
    summary: str
    lines: tuple[WhyLine, ...]


def find_people(bench: ContactBench, text: str, *, at_most: int = MOST_FOUND) -> list[int]:
    """Rows in which every word of the text stands, in whichever column and case; in the file's order."""
    words = text.lower().split()
    if not words:
        return []
    found = np.ones(bench.file.rows, dtype=bool)
    for word in words:
        found &= bench.search_text.str.contains(word, regex=False).to_numpy(dtype=bool)
    return [int(row) for row in np.flatnonzero(found)[:at_most]]


def who_is(file: SourceFile, row: int) -> str:
    """What to call a person of the file: names and external id, and the row where there is neither."""
    parts = [str(file.frame[header].iloc[row]) for header in person_columns(file.headers)]
    named = " · ".join(part for part in parts if part)
    return named or f"The contact in row {file.row_number(row)}"


def explain(bench: ContactBench, result: BenchResult, row: int) -> Why:
    """Say of every rule whether it holds for the person in this row, and because of what."""
    lines = tuple(_line(bench, result, rule, row) for rule in result.rules)
    who = who_is(result.file, row)
    is_in = bool(result.mask[row]) if result.judged else None
    out = [rule for rule in result.judged if rule.mask is not None and not rule.mask[row]]
    return Why(row, who, is_in, _summary(result, out), lines)


def _summary(result: BenchResult, out: Sequence[RuleResult]) -> str:
    if out:
        return f"Out: {rule_list(out)} {'does' if len(out) == 1 else 'do'} not hold."
    if not result.judged:
        return "Neither in nor out: no rule was judged."
    if result.set_aside:
        return f"In, as far as can be told here: every judged rule holds, {rule_list(result.set_aside)} set aside."
    return "In: every rule holds."


def _line(bench: ContactBench, result: BenchResult, rule: RuleResult, row: int) -> WhyLine:
    question, mask = rule.question, rule.mask
    if mask is None or question is None:
        because = f"Not judged: {rule.not_judged.words}." if rule.not_judged else ""
        return WhyLine(rule.number, rule.words, None, because, rule.is_muted)
    values = bench.values(question.subject, result.matches)
    because = _because(values, question, result, row, bool(mask[row]))
    hidden = compared_with(rule)
    if hidden and not mask[row]:
        because += f" The rule compares with {hidden}."
    if not mask[row] and question.kind == "text" and result.judging.case_matters:
        otherwise = bench.mask_of(question, replace(result.judging, case_matters=False), result.matches)
        if otherwise[row]:
            because += " It would hold if capitals made no difference."
    return WhyLine(rule.number, rule.words, bool(mask[row]), because, rule.is_muted)


def _because(values: CellValues, question: Question, result: BenchResult, row: int, is_held: bool) -> str:
    of_row = np.flatnonzero(values.owner == row)
    if question.kind == "presence":
        if not len(of_row):
            return "There is no value."
        shown = names([f"“{values.texts.iloc[place]}”" for place in of_row], at_most=MOST_VALUES)
        counts_as_none = is_held == (question.operator == NOT_SET)
        return f"There is {shown}, which says that there is none." if counts_as_none else f"There is {shown}."
    if not len(of_row):
        if question.operator not in OPPOSITES:
            return "There is no value, so nothing fits."
        return "There is no value, and that is taken as different." if is_held else "There is no value to be different."
    fits = value_hits(values, question, result.judging)[of_row]
    not_read = unread(values, question, result.judging)[of_row]
    said = [_value_words(values, question, result, int(place)) for place in of_row]
    shown = names(said, at_most=MOST_VALUES)
    words = f"The file says {shown}."
    if fits.any() and len(said) > 1:
        words += f" {names([s for s, fit in zip(said, fits, strict=True) if fit], at_most=MOST_VALUES)} fits."
    if not_read.any():
        kind = "number" if question.kind == "number" else "time"
        words += f" {names([s for s, bad in zip(said, not_read, strict=True) if bad])} is no {kind} and fits nothing."
    return words


def _value_words(values: CellValues, question: Question, result: BenchResult, place: int) -> str:
    text = f"“{values.texts.iloc[place]}”"
    if question.kind not in ("moment", "span"):
        return text
    spans = values.spans(result.judging.zone, result.judging.date_order)
    if not spans.is_read[place]:
        return text
    zone = result.judging.zone
    begin, end = int(spans.begin[place]), int(spans.end[place])
    if begin == end:
        return f"{text} ({moment_words(begin, zone)})"
    since = "no known begin" if begin == EARLIEST else moment_words(begin, zone)
    until = "no known end" if end == LATEST else moment_words(end, zone)
    return f"{text} ({since} – {until})"
