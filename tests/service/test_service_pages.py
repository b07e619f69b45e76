"""Pages, times on the wire, and whole numbers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.epoch import EPOCH, to_iso, to_ms
from service.field_types import as_long
from service.pages import PageRequest


@given(total=st.integers(0, 60), size=st.integers(1, 20))
def test_following_the_next_page_returns_every_item_once(total: int, size: int) -> None:
    """From the first page to the last."""
    items, collected, number = list(range(total)), [], 1
    while True:
        request = PageRequest(number, size)
        response = request.response((items[request.start : request.start + size], total), "u")
        collected += response["page"]["data"]
        assert response["last_page_uri"] == f"u?pageNumber={max(1, response['page']['total_page_count'])}"
        if response["next_page_uri"] is None:
            break
        number += 1
        assert response["next_page_uri"] == f"u?pageNumber={number}"
    assert collected == items


@pytest.mark.parametrize(("total", "pages"), [(0, 0), (1, 1), (25, 1)])
def test_a_page_can_hold_everything(total: int, pages: int) -> None:
    """The page is as large as needed."""
    page = PageRequest(1, None).page((range(total), total))
    assert (page["start"], page["page_size"], page["total_page_count"]) == (0, total, pages)


EARLIEST, LATEST = datetime.fromisoformat("1000-01-01"), datetime.fromisoformat("9998-12-31")


@given(st.datetimes(EARLIEST, LATEST, timezones=st.just(UTC)))
def test_times_keep_their_milliseconds(moment: datetime) -> None:
    """`Z` is UTC."""
    text = to_iso(to_ms(moment))
    assert text.endswith("Z")
    assert abs(datetime.fromisoformat(text) - moment).total_seconds() < 0.001
    assert to_ms(EPOCH) == 0


@given(st.integers())
def test_longs_have_64_bits(value: int) -> None:
    """Larger values are refused."""
    assert as_long(str(value)) == (value if -(2**63) <= value < 2**63 else None)


@pytest.mark.parametrize("text", ["", "1.0", "1e3", " 1", "٣", "1_000", "+1", "9" * 30, str(2**63), str(-(2**63) - 1)])
def test_values_that_are_not_longs_are_refused(text: str) -> None:
    """They are not converted."""
    assert as_long(text) is None
