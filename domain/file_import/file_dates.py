"""What a whole file shows about its dates: the order of day and month in each row, and years that are not written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.cell_times import (
    DateOrder,
    DayAndMonth,
    add_year,
    date_in_order,
    find_dates,
    has_both_orders,
    is_without_year,
    read_clocks,
    read_day_and_month,
)

Mask = npt.NDArray[np.bool_]
Order = Literal["day first", "month first"]
NEAR_DAYS: Final = 31
"""A date this near to a date of known order is plausible in that order."""
FAR_DAYS: Final = 62
"""A date farther than this from a date of known order is not plausible in that order."""
MIN_PROOFS: Final = 4
"""From this number of rows that show an order on, the only row with the other order doesn't decide about others."""
_OTHER: Final[dict[Order, Order]] = {"day first": "month first", "month first": "day first"}
_REPORT_WORDS: Final = re.compile(
    r"report|print|creat|generat|\brun\b|issued|as of|exported|erstellt|stand|druck|ausgabe|export|rapport|édit|edit"
    r"|généré|imprim|créé|informe|fecha|emisi|impres|generad|stampa|generat|emess|relat",
    re.IGNORECASE,
)


class CompletedTexts(NamedTuple):
    """The texts of a column with complete dates."""

    texts: pd.Series[str]
    in_order_of_block: Mask
    """The dates that fit both orders and follow their block of rows."""
    in_rare_order: Mask
    """The dates that show the order of fewer rows than the other order."""


@dataclass(frozen=True)
class _Evidence:
    """The dates of a file with two numbers that can be day and month, by row."""

    first_dates: dict[int, DayAndMonth]
    """The first such date of each row."""
    proofs: dict[int, Order]
    """The rows in which a number above 12 shows the order."""


@dataclass(frozen=True)
class FileDates:
    """The date columns of a file, and what a person selected about them."""

    columns: Sequence[pd.Series[str]]
    selected_order: DateOrder
    reported_on: date | None
    """The date of the report: as selected, or as the rows above the headings show."""

    @cached_property
    def order(self) -> DateOrder:
        """The order of day and month in all rows, or "as the file shows" if it is open or differs by row."""
        if self.is_mixed:
            return "as the file shows"
        if self.selected_order != "as the file shows":
            return self.selected_order
        return self.shown_order or "as the file shows"

    @property
    def shown_order(self) -> Order | None:
        """The first order that a date shows."""
        return next(iter(self._evidence.proofs.values()), None)

    @property
    def is_contradicted(self) -> bool:
        """Whether the dates show one order, and a person selected the other."""
        return not self.is_mixed and self.shown_order is not None and self.order != self.shown_order

    @cached_property
    def is_mixed(self) -> bool:
        """Whether some rows show that the day comes first, and others that the month does."""
        return len({*self._evidence.proofs.values()}) > 1

    @cached_property
    def lacks_years(self) -> bool:
        """Whether dates have no year. Times of day with a dot, such as 10.12, don't count."""
        for texts in self.columns:
            unique = pd.Series(texts.unique(), dtype="str")
            lacking = unique[is_without_year(unique)]
            if len(lacking) and not read_clocks(lacking)[1].all():
                return True
        return False

    def proof_rows(self, order: Order) -> list[int]:
        """Return the rows that show this order."""
        return [row for row, shown in self._evidence.proofs.items() if shown == order]

    @cached_property
    def rare_order(self) -> Order | None:
        """The order that fewer rows show than the other one, in a file with both."""
        numbers = Counter(self._evidence.proofs.values()).most_common()
        return numbers[1][0] if len(numbers) > 1 and numbers[1][1] < numbers[0][1] else None

    def order_of_row(self, row: int) -> DateOrder:
        """Return the order of a row: as it shows, as its block of rows shows, or as selected."""
        if not self.is_mixed:
            return self.order
        return self._orders_by_row.get(row, self.selected_order)

    def complete(self, texts: pd.Series[str], *, is_clock: bool, is_past: bool) -> CompletedTexts:
        """Write dates whose order or year the rest of the file decides in full. Others stay as they are.

        `is_clock` is for columns of times of day, in which 10.12 is no date. `is_past` is for dates before the report.
        """
        is_rare, follows = np.zeros((2, len(texts)), dtype=bool)
        unchanged = CompletedTexts(texts, follows, is_rare)
        codes, uniques = pd.factorize(texts)
        unique = pd.Series(uniques, dtype="str")
        lacks_year = is_without_year(unique)
        if lacks_year.any() and is_clock:
            lacks_year &= ~read_clocks(unique)[1]
        numbers: list[DayAndMonth | None] = [None] * len(unique)
        if self.is_mixed or lacks_year.any():
            numbers = [read_day_and_month(text) for text in unique]
        is_open = np.array([each is not None for each in numbers], dtype=bool) & self.is_mixed
        if not (is_open | (lacks_year & (self.reported_on is not None))).any():
            return unchanged
        cells = texts.tolist()
        for row in np.flatnonzero((is_open | lacks_year)[codes]).tolist():
            code = codes[row]
            order = self.order_of_row(row)
            if lacks_year[code] and self.reported_on is not None:
                cells[row] = add_year(cells[row], self.reported_on, order, is_past=is_past)
            number = read_day_and_month(cells[row])
            if self.is_mixed and number is not None and order != "as the file shows":
                proof = number.shown_order
                is_rare[row] = proof is not None and proof == self.rare_order
                follows[row] = row in self._orders_by_row and proof is None and number.first != number.second
                cells[row] = date_in_order(cells[row], proof or order)
        return CompletedTexts(pd.Series(cells, texts.index, dtype="str"), follows, is_rare)

    @cached_property
    def _evidence(self) -> _Evidence:
        first_dates: dict[int, DayAndMonth] = {}
        proofs: dict[int, Order] = {}
        factorized = [pd.factorize(texts) for texts in self.columns]
        shown = [has_both_orders(pd.Series(uniques, dtype="str")) for _, uniques in factorized]
        shows_day_first, shows_month_first = any(day for day, _ in shown), any(month for _, month in shown)
        if not (shows_day_first and shows_month_first):  # Rows matter only if they differ.
            order: Order | None = "day first" if shows_day_first else "month first" if shows_month_first else None
            return _Evidence({}, {} if order is None else {-1: order})
        by_column = [(codes, [read_day_and_month(text) for text in uniques]) for codes, uniques in factorized]
        for codes, numbers in by_column:
            for row, code in enumerate(codes.tolist()):
                if (number := numbers[code]) is None:
                    continue
                order = number.shown_order
                if order is not None and row not in proofs:
                    proofs[row] = order
                    first_dates[row] = number
                else:
                    first_dates.setdefault(row, number)
        return _Evidence(dict(sorted(first_dates.items())), dict(sorted(proofs.items())))

    @cached_property
    def _orders_by_row(self) -> dict[int, Order]:
        """The order of each row that the rows around it decide, in a file with both orders."""
        first_dates, decided = self._evidence.first_dates, dict(self._evidence.proofs)
        # A single row is no block.
        is_block = len(decided) < MIN_PROOFS or sum(order == self.rare_order for order in decided.values()) != 1
        proofs = {row: order for row, order in decided.items() if is_block or order != self.rare_order}
        rows = [*first_dates]
        above: dict[int, int | None] = {}
        below: dict[int, int | None] = {}
        for neighbors, ordered in ((above, rows), (below, rows[::-1])):
            nearest = None
            for row in ordered:
                neighbors[row] = nearest
                nearest = row if row in proofs else nearest
        for row in rows:
            if row in decided:
                continue
            around = {proofs[proof]: first_dates[proof] for proof in (below[row], above[row]) if proof is not None}
            order = _decide_order(first_dates[row], around)
            if order is not None:
                decided[row] = order
        return decided


def _decide_order(number: DayAndMonth, around: dict[Order, DayAndMonth]) -> Order | None:
    """Return the order of a date between dates of known orders, or None if nothing decides."""
    if len(around) == 1:
        [(order, proof)] = around.items()
        is_less_plausible = _is_far(number, order, proof, order) and _is_near(number, _OTHER[order], proof, order)
        return None if is_less_plausible else order
    fitting: list[Order] = [order for order, proof in around.items() if _is_near(number, order, proof, order)]
    others = [order for order, proof in around.items() if _is_far(number, order, proof, order)]
    return fitting[0] if len(fitting) == 1 and len(others) == 1 else None


def _is_near(number: DayAndMonth, order: Order, proof: DayAndMonth, proof_order: Order) -> bool:
    days = _days_between(number, order, proof, proof_order)
    return days is not None and days <= NEAR_DAYS


def _is_far(number: DayAndMonth, order: Order, proof: DayAndMonth, proof_order: Order) -> bool:
    days = _days_between(number, order, proof, proof_order)
    return days is None or days > FAR_DAYS


def _days_between(number: DayAndMonth, order: Order, proof: DayAndMonth, proof_order: Order) -> int | None:
    one, other = number.date_in(order), proof.date_in(proof_order)
    return None if one is None or other is None else abs((one - other).days)


def find_report_date(titles: Sequence[str], order: DateOrder) -> date | None:
    """Return the date of a report from the lines above its headings, or None if there is none or more than one."""
    found = [(bool(_REPORT_WORDS.search(line)), day) for line in titles for day in find_dates(line, order)]
    named = {day for is_named, day in found if is_named}
    days = named or {day for _, day in found}
    return days.pop() if len(days) == 1 else None
