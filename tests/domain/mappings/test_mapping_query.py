"""A search for mappings as URL, sentence, and request."""

from __future__ import annotations

from urllib.parse import parse_qs, quote, urlencode

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import ServiceClient
from client.vocabulary.lookup_mappings import SEARCH_PARAMETERS
from domain.mappings.mapping_query import (
    MappingQuery,
    attribute_problem,
    attributes_from_url,
    groups_from_url,
)
from tests.client.conftest import as_unread

NAMES = st.text(min_size=1).filter(lambda text: attribute_problem(text, ["x"]) is None)
VALUES = st.text(min_size=1).filter(lambda text: attribute_problem("x", [text]) is None)
QUERIES = st.builds(
    MappingQuery,
    attributes=st.dictionaries(NAMES, st.lists(VALUES, min_size=1, max_size=3, unique=True).map(tuple), max_size=3).map(
        lambda found: tuple(found.items())
    ),
    groups=st.lists(st.integers(1, 2**63 - 1), unique=True, max_size=3).map(tuple),
    newest_first=st.booleans(),
)


def is_utf8(query: MappingQuery) -> bool:
    try:
        str(query).encode()
    except UnicodeEncodeError:
        return False
    return True


@given(QUERIES.filter(is_utf8))
def test_a_query_is_the_same_in_url_and_request(query: MappingQuery):
    address = urlencode(
        [("attribute", f"{quote(name, safe=' ')}={value}") for name, values in query.attributes for value in values]
        + [("group", str(each)) for each in query.groups]
    )
    parsed = parse_qs(address, keep_blank_values=True)
    assert attributes_from_url(parsed.get("attribute", [])) == query.attributes
    assert groups_from_url(parsed.get("group", [])) == query.groups

    requests: list[httpx.QueryParams] = []

    def respond(request: httpx.Request) -> httpx.Response:
        requests.append(request.url.params)
        page = {"currentPageNo": 1, "totalPageCount": 0, "totalCount": 0, "data": []}
        return as_unread(httpx.Response(200, json=page))

    with ServiceClient(
        "http://127.0.0.1:9", 8800, "ana", "x", token="a.b.c", transport=httpx.MockTransport(respond)
    ) as client:
        client.lookup_mappings.search(**query.parameters())
    (params,) = requests
    expected = {name: ",".join(values) for name, values in query.attributes}
    if query.groups:
        expected["groups"] = ",".join(str(each) for each in query.groups)
    expected["sort"] = "-lastUpdatedOn" if query.newest_first else "+lastUpdatedOn"
    assert {name: params[name] for name in params if name not in {"currentPageNo", "pageSize"}} == expected


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (MappingQuery(), "All mappings, latest change first."),
        (
            MappingQuery((("department", ("Sales", "Legal")), ("site", ("BER",))), newest_first=False),
            "Mappings whose department is Sales or Legal and site is BER, earliest change first.",
        ),
        (MappingQuery(groups=(88011, 88012)), "Mappings that add people to group 88011 or 88012, latest change first."),
        (
            MappingQuery((("site", ("BER",)),), (7,)),
            "Mappings whose site is BER and that add people to group 7, latest change first.",
        ),
    ],
)
def test_a_query_reads_as_a_sentence(query: MappingQuery, sentence: str):
    assert query.sentence() == sentence


@pytest.mark.parametrize("name", SEARCH_PARAMETERS)
def test_the_name_of_a_search_parameter_is_rejected_as_an_attribute(name: str):
    assert name in (attribute_problem(name, ["x"]) or "")
    assert attributes_from_url([f"{name}=x"]) == ()


@pytest.mark.parametrize("values", [["department"], ["=Sales"], ["department="], ["department= "], ["department=a,b"]])
def test_invalid_attributes_in_a_url_are_ignored(values: list[str]):
    assert attributes_from_url(values) == ()


def test_invalid_group_ids_in_a_url_are_ignored():
    assert groups_from_url(["7", "seven", "9" * 5000, "0", "7"]) == (7,)
