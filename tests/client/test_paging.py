"""Pages: every known envelope, and iteration that always ends."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import Page
from client.models.itineraries import ExpectedLocation, ItineraryReference
from client.paging import read_page

NEXT = "https://service.example/rest/itineraries/query/8800?pageNumber=2"


def page_of(body: Any, number: int = 1) -> Page[ItineraryReference]:
    return read_page(ItineraryReference, json.dumps(body).encode(), number=number)


def ids(page: Page[ItineraryReference]) -> list[int]:
    return [reference.id for reference in page]


ITEMS = [{"id": 1}, {"id": "2"}]
COUNTS = {"start": 0, "totalCount": 5, "totalPageCount": 3, "currentPageNo": 1}


@pytest.mark.parametrize(
    "body",
    [
        {"message": "OK", "nextPageUri": NEXT, **COUNTS, "page": {"pageSize": 2, "data": ITEMS}},
        {"message": "OK", "nextPageUri": NEXT, "page": {"pageSize": 2, "data": ITEMS, **COUNTS}},
        {"page": {"pageSize": 2, "data": ITEMS, **COUNTS}},
        {"pageSize": 2, "data": ITEMS, **COUNTS},
        {"pageSize": "2", "data": ITEMS, **{key: str(value) for key, value in COUNTS.items()}},
        {"message": "OK", "nextPageUri": NEXT, "page": ITEMS, "pageSize": 2, **COUNTS},
    ],
    ids=["counts beside", "counts inside", "without uris", "bare counts", "texts for numbers", "page is the list"],
)
def test_all_envelopes_become_one_page_type(body: Any) -> None:
    page = page_of(body)
    assert ids(page) == [1, 2]
    assert (page.number, page.page_size, page.total_count, page.total_pages) == (1, 2, 5, 3)
    assert page.has_next


def test_bare_data_is_a_page() -> None:
    assert ids(page_of(ITEMS)) == [1, 2]
    assert not page_of(ITEMS).has_next
    assert ids(page_of({"data": ITEMS})) == [1, 2]


def test_a_single_record_instead_of_a_list_is_a_page_of_one() -> None:
    assert ids(page_of({"message": "OK", "page": {"data": {"id": 7}}})) == [7]


@pytest.mark.parametrize(
    "body",
    [[None, *ITEMS], {"data": [*ITEMS, None]}, {"page": [None, *ITEMS]}, {"page": {"data": [None, *ITEMS, None]}}],
    ids=str,
)
def test_a_null_record_does_not_hide_others(body: Any) -> None:
    assert ids(page_of(body)) == [1, 2]


def test_a_page_of_nulls_does_not_hide_later_pages() -> None:
    page = page_of({"page": {"data": [None, None], "totalCount": 4, "pageSize": 2, "totalPageCount": 2}})
    assert page.has_next
    whole = replace(page, load=lambda number: page_of({"page": {"data": ITEMS, "totalCount": 4}}, number))
    assert list(whole) == page_of(ITEMS).items


def test_null_records_count_toward_a_full_page() -> None:
    assert page_of({"page": {"pageSize": 3, "data": [None, *ITEMS]}}).has_next


@pytest.mark.parametrize(
    ("body", "number", "has_next"),
    [
        ({"firstPageUri": NEXT, "lastPageUri": NEXT, "page": {"data": ITEMS, **COUNTS}}, 1, False),
        ({"firstPageUri": NEXT, "nextPageUri": None, "page": {"data": ITEMS, **COUNTS}}, 1, False),
        ({"currentPageUri": NEXT, "page": {"data": ITEMS, **COUNTS}}, 1, False),
        ({"previousPageUri": NEXT, "page": {"data": ITEMS, **COUNTS}}, 2, False),
        ({"nextPageUri": NEXT, "page": {"data": ITEMS, "totalPageCount": 1}}, 1, True),
        ({"nextPageUri": NEXT, "page": {"data": []}}, 1, False),
        ({"nextPageUri": "https://nextPageUri?pageNumber=0", "page": {"data": ITEMS}}, 1, True),
        ({"page": {"data": ITEMS, "totalPageCount": 2, "currentPageNo": 0}}, 2, False),
        ({"page": {"data": ITEMS, "totalPageCount": 3, "currentPageNo": 0}}, 2, True),
        ({"page": {"data": ITEMS, "pageSize": 2}}, 1, True),
        ({"page": {"data": ITEMS, "pageSize": 3}}, 1, False),
        ({"page": {"data": ITEMS}}, 1, False),
        ({"page": {"data": ITEMS, "pageSize": 2, "totalCount": 5, "totalPageCount": 1}}, 1, True),
        ({"page": {"data": ITEMS, "pageSize": 2, "totalCount": 2, "totalPageCount": 3}}, 1, True),
        ({"page": {"data": ITEMS, "pageSize": 2, "totalCount": 2, "totalPageCount": 1}}, 1, False),
        ({"page": {"data": ITEMS, "pageSize": 10, "totalCount": 12, "totalPageCount": 2}}, 2, False),
        ({"data": ITEMS, "pageSize": -1, "totalCount": 2, "totalPageCount": 1}, 1, False),
        ({"data": ITEMS, "pageSize": 1, "totalCount": 2}, 1, False),
        ({"data": ITEMS, "totalCount": 5}, 1, True),
        ({"data": ITEMS, "pageSize": 2, "totalCount": 0, "totalPageCount": 0}, 1, True),
        ({"data": ITEMS, "pageSize": 3, "totalCount": 0, "totalPageCount": 0}, 1, False),
    ],
    ids=[
        "other uris but no next",
        "next is null",
        "only this page's uri",
        "only the uri of the page before",
        "next against the totals",
        "next on an empty page",
        "a nonsense next",
        "page 0 with totals reached",
        "page 0 with totals ahead",
        "full page without totals",
        "short page without totals",
        "nothing known",
        "more records than the pages counted hold",
        "more pages than the records counted fill",
        "a full page that is all",
        "a short page that is the last",
        "all on one page",
        "more on the page than its size says",
        "a total alone",
        "a full page under totals of 0",
        "a short page under totals of 0",
    ],
)
def test_the_next_page_is_detected(body: Any, number: int, has_next: bool) -> None:
    assert page_of(body, number).has_next is has_next


@pytest.mark.parametrize(
    ("inside", "outside", "expected"),
    [(0, 40, 40), (40, 1, 40), (0, 0, 2), (-1, 9, 9), (None, 9, 9), ("", "9", 9), ("many", None, None)],
)
def test_contradictory_totals_lose_no_record(inside: Any, outside: Any, expected: int | None) -> None:
    page = page_of({"totalCount": outside, "page": {"totalCount": inside, "data": ITEMS}})
    assert page.total_count == expected


@pytest.mark.parametrize(
    "body",
    [
        {"message": "OK"},
        {"message": "ok", "page": None},
        {"message": "OK", "page": {}},
        {"message": "OK", "page": {"pageSize": 1000, "data": None}},
        {"totalCount": 0, "data": []},
        {"totalCount": 0},
        [],
    ],
)
def test_an_empty_result_is_an_empty_page_in_every_form(body: Any) -> None:
    page = page_of(body)
    assert page.items == []
    assert not page.has_next


@pytest.mark.parametrize(
    "body",
    [
        {"status": 401, "message": "Invalid credentials: Get User failed"},
        {"code": "401", "message": "Unauthorized", "totalCount": 0},
        {"status": 500, "message": "broken", "page": {"data": []}},
        {},
        {"page": {"data": [{"name": "no id"}]}},
        {"page": {"data": [{"id": 1.0}]}},
        "OK",
        7,
    ],
)
def test_a_response_that_is_not_a_page_is_refused(body: Any) -> None:
    with pytest.raises(ValueError):
        page_of(body)


@pytest.mark.parametrize("identity", [2**53 + 1, 2**63 - 1, 2**63, 10**30])
@pytest.mark.parametrize("form", [int, str])
def test_ids_of_any_size_keep_every_digit(identity: int, form: Callable[[int], Any]) -> None:
    assert ids(page_of({"page": {"data": [{"id": form(identity)}]}})) == [identity]


@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=6), style=st.sampled_from(["uri", "totals", "full"]))
def test_iterating_over_pages_returns_every_record_once_in_order(sizes: list[int], style: str) -> None:
    records = list(range(1, sum(sizes) + 1))
    width = max(sizes)
    if style == "full":
        sizes = [width] * (len(records) // width) + [len(records) % width]
    starts = [sum(sizes[:index]) for index in range(len(sizes))]
    requested_pages = []

    def load(number: int) -> Page[ItineraryReference]:
        requested_pages.append(number)
        index = number - 1
        data = records[starts[index] : starts[index] + sizes[index]] if index < len(sizes) else []
        body: dict[str, Any] = {"message": "OK", "page": {"data": [{"id": record} for record in data]}}
        if style == "uri":
            body["firstPageUri"] = "https://nowhere.example"
            if index + 1 < len(sizes):
                body["nextPageUri"] = "https://elsewhere.example?pageNumber=0"
        elif style == "totals":
            body["totalPageCount"] = len(sizes)
        else:
            body["page"]["pageSize"] = width
        return replace(page_of(body, number), load=load)

    first = load(1)
    assert [reference.id for reference in first] == records
    assert requested_pages == list(range(1, len(requested_pages) + 1))


def test_a_service_that_repeats_its_last_page_does_not_cause_an_endless_loop() -> None:
    def load(number: int) -> Page[ItineraryReference]:
        body = {"nextPageUri": NEXT, "page": {"data": [{"id": min(number, 3)}]}}
        return replace(page_of(body, number), load=load)

    assert ids(load(1)) == [1, 2, 3]


def test_expected_locations_have_pages_too() -> None:
    body = {"message": "OK", "page": {"pageSize": 10, "data": [{"id": 1, "address": {"city": "Kuwait"}}]}}
    page = read_page(ExpectedLocation, json.dumps(body).encode(), number=1)
    assert page.items[0].address.city == "Kuwait"
