"""Replacement of typographic quotes, dashes, and ellipses by plain characters."""

from __future__ import annotations

import pytest

from domain.alerts.wording.sms import BASIC, EXTENSION, GSM_7, REPLACEMENTS, UCS_2, measure, plain_form, straighten


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("“Leave now,” says the mayor’s office", '"Leave now," says the mayor\'s office'),
        ("‘Leave’ ‚now‛ „please‟", "'Leave' 'now' \"please\""),
        ("«Fire» ‹near›", '"Fire" <near>'),
        ("10–12 — or‑so − 5°", "10-12 - or-so - 5 deg"),
        ("Stay inside…", "Stay inside..."),
        ("Route\u00a09\u202fnorth\u2009now", "Route 9 north now"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("one\u2028two", "one\ntwo"),
        ("e\u0301te\u0301 in Cafe\u0301", "été in Café"),
        ("½ mile, №5 ﬁre", "1/2 mile, No.5 fire"),
    ],
)
def test_typographic_characters_become_plain(text: str, plain: str) -> None:
    assert straighten(text) == plain
    assert measure(plain).encoding == GSM_7


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("1½ miles", "1 1/2 miles"),
        ("1 ½ miles", "1 1/2 miles"),
        ("10¼-mile zone, ⅔ full", "10 1/4-mile zone, 2/3 full"),
        ("2\u200b¾ hours", "2 3/4 hours"),
        ("½5", "1/2 5"),
        ("Call 555-123-4567", "Call 555-123-4567"),
        ("“Call” 555–123–4567", '"Call" 555-123-4567'),
        ("Call 555—123—4567", "Call 555-123-4567"),
        ("Highway 36—5 miles", "Highway 36 - 5 miles"),
        ("Lyons—go now", "Lyons - go now"),
        ("•5 shelters", "- 5 shelters"),
        ("30°C, 86 °F, 5° north", "30 deg C, 86 deg F, 5 deg north"),
    ],
)
def test_straightening_does_not_change_the_value_of_a_number(text: str, plain: str) -> None:
    assert straighten(text) == plain


@pytest.mark.parametrize("text", ["10² people", "CO₂", "5 km³"])
def test_superscript_digits_do_not_become_digits(text: str) -> None:
    assert straighten(text) == text


def test_a_dash_stays_if_spaces_around_it_would_not_fit() -> None:
    text = "й" * 66 + "36—5"
    assert straighten(text) == text


@pytest.mark.parametrize(
    "text", ["São Paulo", "Zürich", "Łódź", "Владивосток", "🔥 fire 👨‍👩‍👧", "a[b]", "naïve", "plain", ""]
)
def test_letters_of_names_and_emoji_are_preserved(text: str) -> None:
    assert straighten(text) == text


def test_quotes_are_straightened_even_if_a_name_needs_special_characters() -> None:
    assert straighten("“São Paulo”") == '"São Paulo"'
    assert measure(straighten("“São Paulo”")).encoding == UCS_2


def test_an_ellipsis_stays_if_three_periods_would_take_another_message_part() -> None:
    text = "й" * 69 + "…"
    assert straighten(text) == text
    assert straighten("й" * 60 + "…") == "й" * 60 + "..."
    assert straighten("й" * 68 + "“…") == "й" * 68 + '"…'


def test_every_replacement_is_plain_and_replaces_a_special_character() -> None:
    assert REPLACEMENTS.keys().isdisjoint(BASIC | EXTENSION)
    assert set("".join(REPLACEMENTS.values())) <= BASIC
    assert {sign: plain_form(sign) for sign in REPLACEMENTS} == REPLACEMENTS
