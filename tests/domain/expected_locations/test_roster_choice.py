"""The rosters that the map shows, and its first selection."""

from datetime import UTC, datetime

from domain.expected_locations.roster_choice import after_selection, chosen_rosters, offered_rosters, opening_choice
from journal import Roster

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def roster(number: int, name: str, *, is_default: bool = False) -> Roster:
    return Roster(number, "s", 1, name, "ana", NOW, NOW, 3, lambda _: [], is_default)


def test_the_map_opens_on_the_last_choice_else_the_default_else_the_first() -> None:
    rosters = [roster(4, "Alpha"), roster(2, "Beta", is_default=True)]
    last_choices = ("4", "all", "77", None, "2,4", "2,77")
    assert [opening_choice(rosters, last) for last in last_choices] == [["4"], ["all"], ["2"], ["2"], ["2", "4"], ["2"]]
    assert opening_choice(rosters[:1], "all") == ["4"], "a single roster cannot be combined"


def test_all_rosters_are_offered_if_there_are_several() -> None:
    rosters = [roster(4, "Alpha"), roster(2, "Beta")]
    assert list(offered_rosters(rosters)) == ["all", "4", "2"]
    assert list(offered_rosters(rosters[1:])) == ["2"]


def test_several_rosters_are_one_choice_in_any_order() -> None:
    rosters = [roster(4, "Alpha"), roster(2, "Beta"), roster(5, "Gamma")]
    combined, reordered = (chosen_rosters(each, rosters) for each in (["2", "4", "77"], ["4", "2"]))
    assert combined == reordered
    assert combined is not None
    assert (combined.value, combined.name) == ("4,2", "Alpha and Beta")
    assert chosen_rosters(["77"], rosters) is None
    assert len(getattr(chosen_rosters(["all"], rosters), "rosters", ())) == 3


def test_all_rosters_and_single_ones_exclude_each_other() -> None:
    assert after_selection(["4"], ["4", "all"]) == ["all"]
    assert after_selection(["all"], ["all", "4"]) == ["4"]
    assert after_selection(["4"], ["4", "2"]) == ["4", "2"]
