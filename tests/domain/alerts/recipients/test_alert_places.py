"""Advice about places for alert texts with their recipients: none missed, none false."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.models.public_lookups import Regions
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_contradictions import place_advice
from domain.alerts.recipients.places_in_text import find_places_in_text
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from tests.domain.alerts.recipients.sample_regions import region

CASES: Mapping[str, list[dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parents[3] / "cases" / "alert-places.toml").read_text(encoding="utf-8")
)


def find_advice(case: Mapping[str, Any]) -> list[str]:
    """Return the advice for a text that is sent to the places of a case."""
    kinds: dict[str, list[Any]] = {"cities": [], "counties": [], "zipcodes": []}
    for number, label in enumerate(case["places"], start=1):
        name, state = label.split(", ")
        kind = "zipcodes" if name.isdigit() else "counties" if name.endswith(" County") else "cities"
        kinds[kind].append(region(number, name, state))
    texts = {name: case.get(name, "") for name in ("title", "text", "sms", "instructions")}
    draft = AlertDraft(jurisdiction="some", regions=list(range(1, len(case["places"]) + 1)), **texts)
    return [each.words for each in place_advice(draft, RegionCatalog(Regions(**kinds), us_places()))]


@pytest.mark.parametrize("case", CASES["other"], ids=lambda case: f"{case['places'][0]}: {case['sms'][:50]}")
def test_a_text_that_names_another_place_is_reported(case: dict[str, Any]) -> None:
    assert find_advice(case)


@pytest.mark.parametrize("case", CASES["own"], ids=lambda case: f"{case['places'][0]}: {case['sms'][:50]}")
def test_a_text_that_names_its_own_place_is_not_reported(case: dict[str, Any]) -> None:
    assert find_advice(case) == []


@settings(deadline=None, max_examples=60)
@given(st.text(st.sampled_from("In of St. County,:AZ0 9\n-'’"), max_size=40))
def test_the_time_to_read_a_text_is_linear_in_its_length(part: str) -> None:
    """Repeated words of any kind take no longer per word than few."""
    long = (part or " ") * (8_000 // (len(part) or 1))
    started = time.process_time()
    find_places_in_text(long, us_places())
    assert time.process_time() - started < 2
