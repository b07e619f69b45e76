"""Stored payloads are read back equal."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client.redaction import redact
from journal import Journal
from journal.payload import decode, encode, search_text, storable
from tests.journal.conftest import ANA

# Any text, including NUL, lone surrogates, and emoji.
texts = st.text(st.characters(exclude_categories=()), max_size=30)
ids = st.integers(min_value=-(2**70), max_value=2**70)
values = st.recursive(
    st.none() | st.booleans() | ids | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)
payloads = st.dictionaries(texts, values, max_size=5)


@given(payloads)
def test_a_payload_survives_conversion_to_text_and_back(payload: dict[str, Any]) -> None:
    assert decode(encode(payload, redact)) == redact(payload)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(request=payloads, answer=payloads, subject=texts, message=texts)
def test_a_payload_survives_the_database(
    journal: Journal, request: dict[str, Any], answer: dict[str, Any], subject: str, message: str
) -> None:
    entry_id = journal.audit.begin(ANA, "test", subject_kind="itinerary", subject_name=subject, request=request)
    journal.audit.finish(entry_id, state="succeeded", answer=answer, message=message, subject_id=subject)
    entry = journal.audit.retrieve(entry_id)
    assert entry.request == redact(request)
    assert entry.answer == redact(answer)
    assert entry.subject_name == storable(subject)
    history = journal.audit.history(ANA.service, ANA.organization_id, subject_id=subject)
    assert entry_id in [entry.id for entry in history]


@given(ids)
def test_an_id_keeps_all_its_digits(number: int) -> None:
    decoded = decode(encode({"id": number}, redact))
    assert decoded == {"id": number}
    assert type(decoded["id"]) is int


def test_none_and_a_missing_value_are_distinguished() -> None:
    assert encode(None, redact) is None
    assert decode(encode({}, redact)) == {}


def test_nan_is_stored_as_nan() -> None:
    decoded = decode(encode({"x": math.nan}, redact))
    assert decoded is not None
    assert math.isnan(decoded["x"])


def test_search_text_has_lowercase_words_and_numbers_up_to_its_limit() -> None:
    assert search_text("Ana", {"Key": ["STRASSE", 7, None, True]}) == "ana strasse 7"
    assert len(search_text(["x" * 1000] * 100)) == 20_000
