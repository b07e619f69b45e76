"""One click to straighten quotes, dashes and dots."""

from __future__ import annotations

import pytest

from components.alert_wording.sms_encoding import BASIC, EXTENSION, GSM_7, UCS_2
from components.alert_wording.sms_meter import measure
from components.alert_wording.straighten import REPLACEMENTS, plain_form, straighten


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
def test_signs_become_plain(text: str, plain: str) -> None:
    assert straighten(text) == plain
    assert measure(plain).encoding == GSM_7


@pytest.mark.parametrize(
    "text", ["São Paulo", "Zürich", "Łódź", "Владивосток", "🔥 fire 👨‍👩‍👧", "a[b]", "naïve", "plain", ""]
)
def test_letters_of_names_and_pictures_are_kept(text: str) -> None:
    assert straighten(text) == text


def test_quotes_are_straightened_even_where_a_name_keeps_the_text_costly() -> None:
    assert straighten("“São Paulo”") == '"São Paulo"'
    assert measure(straighten("“São Paulo”")).encoding == UCS_2


def test_an_ellipsis_stays_where_writing_it_out_would_take_another_message() -> None:
    text = "й" * 69 + "…"
    assert straighten(text) == text
    assert straighten("й" * 60 + "…") == "й" * 60 + "..."
    assert straighten("й" * 68 + "“…") == "й" * 68 + '"…'


@pytest.mark.parametrize("sign", sorted(REPLACEMENTS))
def test_every_replacement_is_plain_and_its_sign_is_not(sign: str) -> None:
    assert sign not in BASIC | EXTENSION
    assert set(REPLACEMENTS[sign]) <= BASIC
    assert plain_form(sign) == REPLACEMENTS[sign]
