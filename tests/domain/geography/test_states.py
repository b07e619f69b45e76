"""States and provinces by abbreviation and name."""

import pytest

from domain.geography.states import STATES, state_code, state_name


@pytest.mark.parametrize(
    ("text", "country", "code"),
    [
        *(("IL", "US", "IL"), ("Illinois", "US", "IL"), (" illinois ", "US", "IL"), ("US-IL", "US", "IL")),
        *(("N.Y.", "US", "NY"), ("District of Columbia", "US", "DC"), ("Québec", "CA", "QC"), ("PQ", "CA", "PQ")),
        *(("Ontario", "CA", "ON"), ("CA-ON", "CA", "ON"), ("New South Wales", "AU", "NSW"), ("nsw", "AU", "NSW")),
        *(("WA", "US", "WA"), ("Western Australia", "AU", "WA"), ("Western Australia", "US", "Western Australia")),
        *(("Bayern", "DE", "Bayern"), ("", "US", ""), ("Springfield", "US", "Springfield")),
    ],
)
def test_a_state_is_found_by_its_letters_and_its_name(text: str, country: str, code: str) -> None:
    assert state_code(text, country) == code


def test_every_state_is_known_by_its_name_and_its_letters() -> None:
    for country, states in STATES.items():
        for code, name in states.items():
            assert {state_code(each, country) for each in (code, name, code.lower(), f"{country}-{code}")} == {code}


def test_a_state_of_the_united_states_has_a_name() -> None:
    assert [state_name(text) for text in ("co", "Colorado", "XX", "")] == [
        "Colorado",
        "Colorado",
        "XX",
        "no state given",
    ]
