"""Every check of an alert text takes time in proportion to its length, whatever the text is."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import cache
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from client.models.public_lookups import Regions
from domain.alerts.alert_form import MAX_LENGTHS
from domain.alerts.alert_problems import alert_problems
from domain.alerts.draft import ALL_CLEAR, AlertDraft
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.alerts.sending.facts import questions_before_sending
from domain.alerts.sending.hints import find_hints
from domain.alerts.wording.fixed_times import replace_fixed_times
from domain.alerts.wording.sms import measure
from tests.domain.alerts.recipients.sample_regions import region

NOW = datetime(2026, 11, 20, 21, 5, tzinfo=UTC)
LONGEST = MAX_LENGTHS["text"]
UNITS = [
    *(
        " ",
        "\n",
        "\t",
        "1",
        "1 ",
        "12:",
        "(",
        "[",
        "a",
        "A ",
        "á ",
        "Aa. ",
        ": ",
        "TEST: ",
        "until ",
        "until 6 ",
        "6 pm ",
    ),
    *(
        "tornado ",
        "Fire: ",
        "evacuate ",
        "no ",
        "do not ",
        "may return ",
        "from 1 to ",
        "about ",
        "las ",
        "hasta las ",
        "y ",
    ),
    *(
        "for the next ",
        "expected ",
        "Boil ",
        "boil water ",
        "near A ",
        "of the ",
        "City of A ",
        "- ",
        "call 911 ",
        "if ",
    ),
    *("Denver ", "Lake County, ", "80202 ", "St. ", "zone 4 ", "in Colorado ", "condado de "),
]


LONG, SHORT = 2_000, 500
"""The lengths that are compared. The time of the shortest texts is mostly the same for each text."""
_NUMBERS = count()


LIVE = AlertDraft(event="Tornado Warning", urgency="Immediate", hours=4, jurisdiction="some", regions=[1, 2])
TEST = LIVE.model_copy(update={"event": "Routine Weekly Test"})


@cache
def build_catalog() -> RegionCatalog:
    """Return a city and a county whose positions are known, so that places in texts are compared with them."""
    regions = Regions(cities=[region(1, "Boulder", "CO")], counties=[region(2, "Larimer County", "CO")])
    return RegionCatalog(regions, us_places())


def cpu_seconds(unit: str, length: int, draft: AlertDraft = LIVE) -> float:
    """Return the CPU time of all checks of a text that repeats a unit, and of an all clear after a live one."""
    # Each text is new, because what was read is cached by its text.
    text, other = (
        f"{begins}{unit * (length // len(unit))}"[:length] + str(next(_NUMBERS))
        for begins in ("Evacuate now.", "Gas leak. Stay inside.")
    )
    draft = draft.model_copy(update={"sms": text, "title": text[: MAX_LENGTHS["title"]], "written_at": NOW})
    over = {"follow_up": ALL_CLEAR, "sms": other, "sent_texts": {"sms": text}, "sent_event": draft.event}
    catalog = build_catalog()
    begun = time.thread_time()
    for each in (draft, *([] if draft.is_test else [draft.model_copy(update=over)])):
        find_hints(each, catalog, now=NOW, zone="America/Denver")
        questions_before_sending(each, catalog)
    replace_fixed_times(draft, NOW, "America/Denver")
    measure(text)
    return time.thread_time() - begun


def takes_more_than_linear_time(unit: str, draft: AlertDraft) -> bool:
    """Return whether four times the length takes more than eight times as long. Quadratic time would be 16 times."""
    long = cpu_seconds(unit, LONG, draft)
    # Short times are not compared, because they are noise.
    if long < 0.05 or long <= 8 * cpu_seconds(unit, SHORT, draft):
        return False
    # The shortest of several times, because the processor is shared.
    long, short = (min(cpu_seconds(unit, length, draft) for _ in range(4)) for length in (LONG, SHORT))
    return long > 8 * short


@pytest.mark.parametrize("draft", [LIVE, TEST], ids=["live", "test"])
def test_four_times_the_length_takes_at_most_eight_times_as_long(draft: AlertDraft) -> None:
    cpu_seconds("a ", SHORT, draft)
    assert [unit for unit in UNITS if takes_more_than_linear_time(unit, draft)] == []


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(UNITS), min_size=1, max_size=4).map("".join), st.text(min_size=0, max_size=3))
def test_no_text_of_the_longest_allowed_length_takes_seconds(repeated: str, more: str) -> None:
    assert cpu_seconds(f"{repeated}{more}", LONGEST) < 5


def test_texts_longer_than_their_limit_are_errors() -> None:
    draft = AlertDraft(sms="a" * (MAX_LENGTHS["sms"] + 1), title="a" * MAX_LENGTHS["title"])
    problems = alert_problems(draft)
    assert [words for slot, words in problems.of(draft.uid) if slot == "sms"] == [
        "This text has 2,001 characters. Shorten it to 2,000."
    ]
    assert "title" not in {slot for slot, _ in problems.of(draft.uid)}
