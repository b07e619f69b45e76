"""Tables of the test bench: what each rule keeps, and the people with what keeps them out."""

from __future__ import annotations

import re
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.filter_test_bench.bench import BenchResult, ContactBench
from components.filter_test_bench.bench_words import change_words, rule_note
from components.filter_test_bench.column_matching import person_columns

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
