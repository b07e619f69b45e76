"""The texts of the count of people whom a filter would reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import pandas as pd

from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_load import Failure
from domain.filters.filter_draft import FilterDraft
from domain.filters.reach.reach_count import Reach, Rows
from domain.filters.sentence import describe_rule
from domain.text.plain_text import count, names, plain

_NAMES_SHOWN: Final = 4
_RULES_SHOWN: Final = 6
SAME_STAY: Final = "Same stay"
SEPARATELY: Final = "Different stays"


def headline(reach: Reach, locations: Locations, source: str) -> str:
    """Return how many people match, of how many, with the first names, as Markdown."""
    if not reach.counted:
        return "**No rule can be counted yet.**"
    number = len(reach.same_stay)
    if not number and reach.total < 2:
        return f"**No one** on {plain(source)} matches now."
    if not number:
        return f"**None** of the {reach.total:,} people on {plain(source)} match now."
    people = count(reach.total, "person", "people")
    who = plain(names(_names(reach.same_stay, locations), at_most=_NAMES_SHOWN))
    return f"**{number:,}** of {people} on {plain(source)} {'matches' if number == 1 else 'match'} now: {who}."


def separate_note(reach: Reach, locations: Locations) -> str:
    """Say who matches only across different stays; "" if no one does."""
    number = len(reach.only_separately)
    if not number:
        return ""
    who = names(_names(reach.only_separately, locations), at_most=_NAMES_SHOWN)
    match, them = ("person matches", "this person") if number == 1 else ("people match", "these people")
    return (
        f"{number:,} more {match} the rules, but only across different stays. The service checks each rule separately, "
        f"so it would reach {them} too: {who}."
    )


def uncounted_note(reach: Reach, draft: FilterDraft) -> str:
    """Name the rules that are not counted, and why; "" if all are."""
    if not reach.uncounted:
        return ""
    shown: defaultdict[str, list[int]] = defaultdict(list)
    for number, reason in reach.uncounted[:_RULES_SHOWN]:
        shown[reason].append(number)
    sentences = [f"{_rules(numbers, draft)} not counted, because {reason}." for reason, numbers in shown.items()]
    if (rest := len(reach.uncounted) - _RULES_SHOWN) > 0:
        sentences.append(f"{count(rest, 'other rule is', 'other rules are')} not counted.")
    return " ".join([*sentences, "The filter may reach fewer people."])


def _rules(numbers: Sequence[int], draft: FilterDraft) -> str:
    """Return "Rules 1 (City is “Oslo”) and 4 (Record type is 3) are", or the same for one rule."""
    described = [f"{number} ({describe_rule(draft.rules[number - 1].payload)})" for number in numbers]
    return f"Rule {described[0]} is" if len(described) == 1 else f"Rules {names(described, at_most=_RULES_SHOWN)} are"


def missing_note(failures: Sequence[Failure]) -> str:
    """Say how many trips of the rosters are not counted, and why."""
    missing = sum(each.reason == "not found" for each in failures)
    parts = [
        f"the service did not find {count(missing, 'trip', 'trips')} on the selected rosters" if missing else "",
        f"{count(len(failures) - missing, 'trip', 'trips')} could not be loaded" if len(failures) > missing else "",
    ]
    text = " and ".join(filter(None, parts))
    return f"{text[0].upper()}{text[1:]}. People who are only on these trips are not counted."


def people_frame(reach: Reach, locations: Locations) -> pd.DataFrame:
    """Return the people with their names, IDs, and how they match."""
    parts = []
    for rows, match in ((reach.same_stay, SAME_STAY), (reach.only_separately, SEPARATELY)):
        people = locations.people.iloc[rows][["name", "external_id"]]
        parts.append(people.assign(match=match).sort_values("name", kind="stable"))
    return pd.concat(parts, ignore_index=True)


def _names(rows: Rows, locations: Locations) -> list[str]:
    """Return the names as in a sentence, "Matías Acosta", in the order of family names."""
    found = sorted(str(each) for each in locations.people["name"].to_numpy()[rows])
    return [" ".join(reversed(each.split(", "))) if each.count(", ") == 1 else each for each in found]
