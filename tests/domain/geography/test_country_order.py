"""Countries with people come first, then those that are usually meant, and none is lost."""

from __future__ import annotations

import pytest

from domain.geography.countries import all_countries
from domain.geography.country_order import order_countries


def test_every_country_is_in_the_list_once_and_unknown_codes_are_not() -> None:
    ordered = order_countries(["TM", "??", "FR", "TM"])
    assert ordered[:2] == ["TM", "FR"]
    assert sorted(ordered) == sorted(all_countries())


@pytest.mark.parametrize(
    ("common", "rare"),
    [("TR", "TM"), ("NG", "NE"), ("DO", "DM"), ("AU", "AT"), ("IN", "IO"), ("MX", "FM"), ("CD", "CG")],
)
def test_of_two_names_that_begin_alike_the_common_one_comes_first_unless_people_are_in_the_other(
    common: str, rare: str
) -> None:
    ordered = order_countries()
    assert ordered.index(common) < ordered.index(rare)
    ordered = order_countries([rare])
    assert ordered.index(rare) < ordered.index(common)
