"""Count whom a filter would reach among people whose expected locations are loaded.

Rules about expected locations are counted for the same stay: one expected location that has the place and the time. The
service checks each rule separately, so two stays of a person may match: these people are counted apart. A negative rule
("is not") holds for people without a matching location.

    reach = LoadedPeople.of(locations).count(draft, options)
    reach.same_stay, reach.only_separately      row numbers of `locations.people`
    reach.uncounted                             (number of the rule, why)
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from cachetools import LRUCache

from domain.expected_locations.location_frame import Locations
from domain.file_import.cell_times import Spans
from domain.filters import columns
from domain.filters.estimate.filter_estimate import CellValues, value_hits
from domain.filters.estimate.rule_questions import OPPOSITES, EstimateOptions, NotEvaluated, Question, build_question
from domain.filters.filter_draft import FilterDraft
from domain.filters.values import milliseconds_of

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

_CACHE_SIZE: Final = 128
_EXPECTED_DATE: Final = "expectedDate|SYSTEM_EXPECTED_OBJECT|"
_EXTERNAL_ID: Final = "externalId|SYSTEM|"
PLACE_COLUMNS: Final = {
    "country|SYSTEM_EXPECTED_OBJECT|address": "country",
    "city|SYSTEM_EXPECTED_OBJECT|address": "city",
    "iata|SYSTEM_EXPECTED_OBJECT|address": "iata",
    "locationName|SYSTEM_EXPECTED_OBJECT|address": "name",
}
"""The columns of `Locations.places` that rules over expected locations compare."""
NOT_IN_TRIPS: Final = "the loaded trips do not have this data"


@dataclass(frozen=True)
class Reach:
    """Whom a filter would reach, as row numbers of `Locations.people`."""

    same_stay: Rows
    """The people with one stay that matches all counted rules about expected locations."""
    only_separately: Rows
    """The people whom the service would match too, across different stays."""
    total: int
    """The number of people."""
    counted: tuple[int, ...]
    """The numbers of the counted rules."""
    uncounted: tuple[tuple[int, str], ...]
    """The numbers of the other rules, and why they are not counted."""


class LoadedPeople:
    """The people of one snapshot of locations, with cached results by rule."""

    def __init__(self, locations: Locations) -> None:
        """Prepare the values that rules compare. Nothing is evaluated yet."""
        self._locations = locations
        self._person = locations.codes("person")
        self._place = locations.codes("place")
        self._hits: LRUCache[Hashable, Mask] = LRUCache(_CACHE_SIZE)
        times = (locations.times("arrives") // 1000, locations.times("expires") // 1000)
        read = Spans(*times, np.ones(len(self._person), dtype=bool))
        self._times = CellValues(len(self._person), np.arange(len(self._person)), _texts([]), spans=read)
        self._texts = {
            **{key: _cells(locations.places[name]) for key, name in PLACE_COLUMNS.items()},
            _EXTERNAL_ID: _cells(locations.people["external_id"]),
        }

    @classmethod
    def of(cls, locations: Locations) -> LoadedPeople:
        """Return the people of a snapshot, prepared once."""
        return locations.memo.get("people of filters", lambda: cls(locations))

    def count(self, draft: FilterDraft, options: EstimateOptions) -> Reach:
        """Count the people who match all rules that can be counted. Muted rules are ignored."""
        total = len(self._locations.people)
        people, stays = np.ones(total, dtype=bool), np.ones(len(self._person), dtype=bool)
        counted: list[int] = []
        uncounted: list[tuple[int, str]] = []
        has_stay_rules = False
        for number, rule in enumerate(draft.rules, start=1):
            if rule.muted or not rule.payload:
                continue
            key, question = columns.key_of_rule(rule.payload), build_question(rule, options)
            if key != _EXPECTED_DATE and key not in self._texts:
                uncounted.append((number, NOT_IN_TRIPS))
            elif isinstance(question, NotEvaluated):
                uncounted.append((number, question.reason))
            else:
                counted.append(number)
                hits = self._hits_of(key, question, options)
                is_negative = question.operator in OPPOSITES
                if key == _EXTERNAL_ID:
                    people &= ~hits if is_negative else hits
                    continue
                with_hit = np.zeros(total, dtype=bool)
                with_hit[self._person[hits]] = True
                people &= ~with_hit if is_negative else with_hit
                if not is_negative:
                    has_stay_rules = True
                    stays &= hits
        same = people.copy()
        if has_stay_rules:
            with_stay = np.zeros(total, dtype=bool)
            with_stay[self._person[stays]] = True
            same &= with_stay
        if not counted:
            same = people = np.zeros(total, dtype=bool)
        return Reach(np.flatnonzero(same), np.flatnonzero(people & ~same), total, tuple(counted), tuple(uncounted))

    def _hits_of(self, key: str, question: Question, options: EstimateOptions) -> Mask:
        """Return which expected locations (or people) match; for a negative rule, the opposite."""
        cached = (question, options.case_matters)
        if cached not in self._hits:
            if key == _EXPECTED_DATE:
                self._hits[cached] = value_hits(self._times, question, options)
            else:
                hits = value_hits(self._texts[key], question, options)
                self._hits[cached] = hits if key == _EXTERNAL_ID else hits[self._place]
        return self._hits[cached]


def options_at(now: datetime) -> EstimateOptions:
    """Return the options for a time, rounded to the minute so that results for “now” can be reused."""
    # Codes of countries and airports are compared as the service writes them; people type cities in any case.
    return replace(EstimateOptions(), at_ms=milliseconds_of(now.replace(second=0, microsecond=0)), case_matters=False)


def _texts(values: list[str]) -> pd.Series[str]:
    return pd.Series(values, dtype="str")


def _cells(column: pd.Series[str]) -> CellValues:
    texts = [str(each) if each else "" for each in column]
    return CellValues(len(texts), np.arange(len(texts)), _texts(texts))
