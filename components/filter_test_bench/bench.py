"""A file of contacts held against a filter: who matches, what each rule keeps, and what muting one would change.

What was worked out is kept by rule and columns, so that the change of one rule works out one rule.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from cachetools import LRUCache

from components.contact_filters.filter_draft import FilterDraft, RuleDraft
from components.contact_filters.sentence import rule_words
from components.filter_test_bench.judging import OPPOSITES, Judging, NotJudged, Question, question_of
from components.filter_test_bench.rule_masks import CellValues, Mask, holds, take_apart, unread
from components.filter_test_bench.subjects import UNTIL, Subject, columns_of_draft
from components.intake.column_matching import Match, match_columns
from components.intake.source_file import SourceFile

KEPT: Final = 64
"""So many masks, and values of as many columns, are kept; those not used for longest go first."""
EXAMPLES: Final = 3


@dataclass(frozen=True)
class RuleResult:
    """What a rule does to the contacts; `mask` is None where it cannot be judged, and then it is set aside.

    `alone` counts whom it holds for by itself; `kept` whom it and the rules before it leave, None for a muted rule;
    `change` how many more would match if it were muted, or how many fewer if a muted one were switched on.
    `absent` counts contacts without a value, `unread` values that are no number or no time.
    """

    number: int
    words: str
    is_muted: bool
    question: Question | None = None
    not_judged: NotJudged | None = None
    mask: Mask | None = None
    alone: int = 0
    kept: int | None = None
    change: int = 0
    absent: int = 0
    unread: int = 0
    unread_examples: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it takes part: neither muted nor set aside."""
        return self.mask is not None and not self.is_muted


@dataclass(frozen=True)
class BenchResult:
    """A filter held against a file. `missed` counts, for each contact, the rules that do not hold."""

    file: SourceFile
    judging: Judging
    rules: tuple[RuleResult, ...]
    matches: Mapping[str, Match]
    missed: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        """How many contacts there are."""
        return self.file.rows

    @property
    def judged(self) -> list[RuleResult]:
        """The rules that take part."""
        return [rule for rule in self.rules if rule.counts]

    @property
    def set_aside(self) -> list[RuleResult]:
        """The rules that would be sent and cannot be judged here."""
        return [rule for rule in self.rules if rule.mask is None and not rule.is_muted]

    @property
    def matching(self) -> int:
        """How many match: those for whom every judged rule holds."""
        return int((self.missed == 0).sum())


class ContactBench:
    """One file, and what has been worked out of it."""

    def __init__(self, file: SourceFile) -> None:
        """Take the file; nothing is worked out before it is asked for."""
        self.file = file
        self._values: LRUCache[Hashable, CellValues] = LRUCache(KEPT)
        self._masks: LRUCache[Hashable, Mask] = LRUCache(KEPT)
        self.worked_out = 0
        """How many masks had to be worked out so far."""

    @cached_property
    def search_text(self) -> pd.Series[str]:
        """All cells of a row as one text without regard to case, to find a person by any of them."""
        first, *others = self.file.headers
        return self.file.frame[first].str.cat(self.file.frame[others], sep="\n").str.lower()

    def hold_against(
        self, draft: FilterDraft, judging: Judging, chosen: Mapping[str, Sequence[str]] | None = None
    ) -> BenchResult:
        """Judge every rule for every contact; `chosen` names columns by slot where a person said which ones."""
        matches = match_columns(self.file.headers, columns_of_draft(draft), chosen)
        judged = [self._judged(number, rule, judging, matches) for number, rule in enumerate(draft.rules, start=1)]
        missed = np.zeros(self.file.rows, dtype=np.int64)
        for result in judged:
            if result.counts and result.mask is not None:
                missed += ~result.mask
        return BenchResult(
            file=self.file,
            judging=judging,
            rules=tuple(_in_sequence(judged, missed)),
            matches=matches,
            missed=missed,
        )

    def values(self, subject: Subject, matches: Mapping[str, Match]) -> CellValues:
        """The values of a subject, out of the columns that stand for it."""
        headers = matches[subject.key].headers
        ends = matches[subject.key + UNTIL].headers if subject.is_span else ()
        key = (headers, ends, subject.separators)
        if key not in self._values:
            self._values[key] = take_apart(
                self.file.frame,
                headers,
                subject.separators,
                ends=ends[0] if ends else None,
                decimal_comma=self.file.decimal_comma,
            )
        return self._values[key]

    def _judged(self, number: int, rule: RuleDraft, judging: Judging, matches: Mapping[str, Match]) -> RuleResult:
        asked = question_of(rule, judging)
        of = RuleResult(number, rule_words(rule.wire, judging.zone), rule.muted)
        if isinstance(asked, NotJudged):
            return replace(of, not_judged=asked)
        if not any(matches[column.name].headers for column in asked.subject.columns):
            missing = NotJudged(f"no column of the file stands for “{asked.subject.label}”", is_missing=True)
            return replace(of, question=asked, not_judged=missing)
        values, mask = self.values(asked.subject, matches), self.mask_of(asked, judging, matches)
        not_read = unread(values, asked, judging)
        examples = values.texts[not_read].iloc[:20] if not_read.any() else ()
        return replace(
            of,
            question=asked,
            mask=mask,
            alone=int(mask.sum()),
            absent=self.file.rows - int(values.present.sum()),
            unread=int(not_read.sum()),
            unread_examples=tuple(dict.fromkeys(examples))[:EXAMPLES],
        )

    def mask_of(self, question: Question, judging: Judging, matches: Mapping[str, Match]) -> Mask:
        """Whom a question holds for: worked out once for the columns and what was taken of the judging."""
        used = tuple(matches[column.name].headers for column in question.subject.columns)
        taken = (
            judging.case_matters if question.kind == "text" else None,
            judging.absent_is_other if question.operator in OPPOSITES else None,
            (judging.zone, judging.date_order) if question.kind in ("moment", "span") else None,
        )
        key = (question, used, taken)
        if key not in self._masks:
            self.worked_out += 1
            self._masks[key] = holds(self.values(question.subject, matches), question, judging)
        return self._masks[key]


def _in_sequence(judged: Sequence[RuleResult], missed: npt.NDArray[np.int64]) -> list[RuleResult]:
    """Add to each rule what it leaves of those before it, and what muting or switching it on would change."""
    left = np.ones(len(missed), dtype=bool)
    matching = missed == 0
    results = []
    for result in judged:
        if result.mask is None:
            results.append(result)
        elif result.is_muted:
            results.append(replace(result, kept=None, change=-int((matching & ~result.mask).sum())))
        else:
            left = left & result.mask
            only_this = (missed == 1) & ~result.mask
            results.append(replace(result, kept=int(left.sum()), change=int(only_this.sum())))
    return results
