"""Contact filters for the people of an incident, with the people whom they reach beyond the list or miss.

All rules of a filter must match, and a place is compared with one value, so several airports, cities, or countries
become one filter each. Muster estimates whom they reach from the loaded trips. The service may match
differently, and also reaches people of other trips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import numpy as np
import pandas as pd

from client.vocabulary.contact_filters import COLUMNS, NAME_LENGTH, PATTERN_BETWEEN
from domain.expected_locations.location_frame import Locations
from domain.filters.columns import column_key
from domain.filters.filter_draft import FilterDraft
from domain.filters.rule_steps import add_rule, set_operator
from domain.geography.airports import airport
from domain.geography.countries import country_name
from domain.incidents.affected import Affected
from domain.text.plain_text import count, names
from domain.trips.presences import opening

Kind: TypeAlias = Literal["airport", "city", "country"]
_COLUMNS: Final[dict[Kind, str]] = {"airport": "iata", "city": "city", "country": "country"}
"""By kind, the column of the filter. `Locations.places` has the same columns."""
_KEYS: Final = {each.name: column_key(each) for each in COLUMNS if each.rule_type == "SYSTEM_EXPECTED_OBJECT"}
_OPEN_END: Final = timedelta(days=30)
"""The assumed duration of an incident without an end, for people whose records have no end."""


@dataclass(frozen=True)
class FilterPlan:
    """Filters of one kind for the people who are affected or possibly affected, and whom they reach. Names are
    sorted.
    """

    kind: Kind
    drafts: Sequence[FilterDraft]
    begins: datetime
    ends: datetime
    beyond: Sequence[str]
    """People who are reached and not on the list."""
    missed: Sequence[str]
    """People who are on the list and not reached."""

    @property
    def summary(self) -> str:
        """Describe whom the filters reach beyond the list and miss, by name."""
        is_one = len(self.drafts) == 1
        subject, reach, miss = ("This filter", "reaches", "misses") if is_one else ("These filters", "reach", "miss")
        if not self.beyond and not self.missed:
            return f"{subject} {reach} exactly the people on the list."
        sentences = []
        if self.beyond:
            people = count(len(self.beyond), "person", "people")
            beyond = names([_first_name_first(each) for each in self.beyond])
            sentences.append(f"{subject} also {reach} {people} not on the list: {beyond}.")
        if self.missed:
            people = count(len(self.missed), "person", "people")
            missed = names([_first_name_first(each) for each in self.missed])
            sentences.append(f"{subject} {miss} {people} on the list: {missed}.")
        return " ".join(sentences)


def plan_filters(
    locations: Locations, affected: Affected, begins: datetime | None, ends: datetime | None, *, name: str
) -> list[FilterPlan]:
    """Make filters by airport, by city, and by country. Those that miss and exceed the fewest people come first.

    A kind that no place on the list has is left out. An unknown beginning or end is taken from the records.
    """
    listed = affected.people[affected.people["section"].isin(["affected", "possiblyAffected"])]
    if listed.empty:
        return []
    since = begins or _earliest(listed["from"], ends or locations.rows["arrives"].min().to_pydatetime(warn=False))
    until = ends or _latest(listed["until"], since)
    places = locations.places.set_index("place_id")
    plans = []
    for kind, column in _COLUMNS.items():
        values = places[column].reindex(listed["place_id"]).replace("", np.nan).dropna()
        if values.empty:
            continue
        of_list = values.value_counts().index.tolist()
        reached = _reached(locations, column, of_list, since, until)
        people, on_list = locations.people.set_index("person")["name"], set(listed["person"])
        plans.append(
            FilterPlan(
                kind=kind,
                drafts=[_draft(kind, column, value, since, until, name) for value in of_list],
                begins=since,
                ends=until,
                beyond=sorted(people[person] for person in reached - on_list),
                missed=sorted(people[person] for person in on_list - reached),
            )
        )
    return sorted(plans, key=lambda plan: (len(plan.missed), len(plan.beyond)))


def _first_name_first(name: str) -> str:
    """Return a name without its comma, to list several in a sentence: "Ana Silva" for "Silva, Ana"."""
    return " ".join(reversed(name.split(", ", 1)))


def _reached(locations: Locations, column: str, values: Sequence[str], since: datetime, until: datetime) -> set[str]:
    """Return who has a record at one of the places and a record that overlaps the time. They may be two records
    (A86).
    """
    people = locations.people["person"].to_numpy()
    of_place = locations.places[column].isin(values).to_numpy()[locations.codes("place")]
    in_time = (locations.times("arrives") <= opening(until)) & (locations.times("expires") >= opening(since))
    person = locations.codes("person")
    return set(people[np.intersect1d(person[of_place], person[in_time])])


def _draft(kind: Kind, column: str, value: str, since: datetime, until: datetime, name: str) -> FilterDraft:
    label = {"country": country_name(value), "airport": port.label if (port := airport(value)) else value}.get(
        kind, value
    )
    draft = FilterDraft(name=f"{name}: {label}"[:NAME_LENGTH].strip())
    span = [PATTERN_BETWEEN, opening(since) // 1_000, opening(until) // 1_000]
    for key, operator, compared in ((_KEYS[column], "E", value), (_KEYS["expectedDate"], "BETWEEN", span)):
        draft = add_rule(draft, key)
        draft = set_operator(draft, draft.rules[-1].uid, operator)
        draft.rules[-1].payload["columnValue"] = compared
    return draft


def _earliest(times: pd.Series, otherwise: datetime) -> datetime:
    first = times.min()
    return otherwise if pd.isna(first) else first.to_pydatetime(warn=False)


def _latest(times: pd.Series, since: datetime) -> datetime:
    last = times.max()
    return since + _OPEN_END if pd.isna(last) else max(last.to_pydatetime(warn=False), since)
