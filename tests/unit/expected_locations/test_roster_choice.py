"""Which roster the map opens on."""

from datetime import UTC, datetime

from domain.expected_locations.roster_choice import choices, opening_choice
from journal import Roster

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def roster(number: int, name: str, *, is_default: bool = False) -> Roster:
    return Roster(number, "s", 1, name, "ana", NOW, NOW, 3, lambda _: [], is_default)


def test_the_map_opens_on_the_last_choice_else_the_default_else_the_first() -> None:
    rosters = [roster(4, "Alpha"), roster(2, "Beta", is_default=True)]
    assert [opening_choice(rosters, last) for last in ("4", "all", "77", None)] == ["4", "all", "2", "2"]
    assert opening_choice(rosters[:1], None) == "4"
    assert opening_choice(rosters[:1], "all") == "4", "there is nothing to put together"


def test_all_rosters_are_offered_where_there_are_several() -> None:
    rosters = [roster(4, "Alpha"), roster(2, "Beta")]
    assert [(each.value, len(each.rosters)) for each in choices(rosters).values()] == [("all", 2), ("4", 1), ("2", 1)]
    assert list(choices(rosters[1:])) == ["2"]
