"""Each endpoint of the interface has a method, and each method an endpoint, by the document and by the requests."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

import httpx
import pytest

from client import NotAuthenticated, ServiceClient
from client.models.assets import Asset
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.models.itineraries import Address, Itinerary, Segment
from client.models.lookup_mappings import LookupMappingRequest, MappingAttribute, TargetGroup
from client.models.notifications import NotificationMessage, NotificationRequest
from client.vocabulary.contact_filters import COLUMNS
from tests.client.conftest import Clients
from tests.service.interface_document import endpoints

TRIP = Itinerary(pnr="A", segments=[Segment(type="Hotel", from_address=Address(city="Kuwait"))])
FILTER = ContactFilter(
    name="F", contact_filter_rules=[ContactFilterRule.for_column(COLUMNS[0], "E", "Ana", contact_field_id=1)]
)
MAPPING = LookupMappingRequest(
    target_groups=[TargetGroup(id=1)], attributes=[MappingAttribute(name="site", values=["A"])]
)
NOTIFICATION = NotificationRequest(message=NotificationMessage(title="T", text_message="M"))
NEW_ASSET = Asset(asset_type_id="T", external_id="E", name="N")
ASSET = Asset(id="a-1", asset_type_id="T", external_id="E", name="N")

# Arguments by parameter name. Other parameters are IDs.
EXAMPLES: dict[str, object] = {
    "itinerary": TRIP,
    "itineraries": [TRIP],
    "itinerary_ids": [5],
    "contact_filter": FILTER,
    "mapping": MAPPING,
    "mapping_id": "m-1",
    "notification": NOTIFICATION,
    "assets": [NEW_ASSET],
    "asset_ids": ["a-1"],
    "name": "N",
    "region_name": "R",
    "field_name": "pnr",
    "values": ["A"],
    "source": b"PK",
    "file_name": "r.zip",
}
EXAMPLES_OF: dict[str, dict[str, object]] = {"assets.update_batch": {"assets": [ASSET]}}


def build_call(method: str, function: Callable[..., object]) -> Callable[[ServiceClient], object]:
    """Return a function that calls the method of a resource with all required arguments."""
    examples = EXAMPLES | EXAMPLES_OF.get(method, {})
    arguments = {
        name: examples.get(name, 5)
        for name, parameter in inspect.signature(function).parameters.items()
        if name == "file_name" or (parameter.default is parameter.empty and name != "self")
    }
    return lambda client: attrgetter(method)(client)(**arguments)


METHODS = {
    f"{area}.{name}": build_call(f"{area}.{name}", function)
    for area, resource in ServiceClient.__annotations__.items()
    if area != "connection"
    for name, function in vars(resource).items()
    if not name.startswith("_") and callable(function)
}

TOKEN_AREAS = {"lookup_mappings"}


def endpoints_of_the_document() -> dict[str, re.Pattern[str]]:
    """Return each `METHOD /path/{with}/{slots}` of the document, with the pattern of its requests."""
    ours = {endpoint: endpoint.replace("{organizationId}", "8800") for _, endpoint in endpoints()}
    return {
        endpoint: re.compile(re.sub(r"\\\{[A-Za-z]+\\\}", "[^/]+", re.escape(path))) for endpoint, path in ours.items()
    }


ENDPOINTS = endpoints_of_the_document()


def find_endpoint(request: httpx.Request) -> str | None:
    """Return the documented endpoint of a request. If several match, the one with the fewest slots."""
    path = request.url.path.removeprefix("/gate")
    paths = [path, path.removeprefix("/rest")]
    fitting = [
        endpoint
        for endpoint, pattern in ENDPOINTS.items()
        if any(pattern.fullmatch(f"{request.method} {one}") for one in paths)
    ]
    return min(fitting, key=lambda endpoint: endpoint.count("{"), default=None)


def serve(request: httpx.Request) -> httpx.Response:
    """Respond to any request with a body that its method can read."""
    body: Any = {"message": "OK", "id": 5, "code": 100, "data": ["5"], "name": "N", "individualResponses": None}
    path = request.url.path
    if path.endswith("/batch") and "asset" in path:
        body = {"status": 200, "message": "OK", "errors": [], "individualResponses": []}
    elif "publicEventGroups" in path:
        body = [{"id": 1, "groupName": "G"}]
    elif "publicRegionIds" in path:
        body = {"cities": [], "zipcodes": [], "counties": []}
    elif "/lookup/" in path and request.method != "DELETE":
        body = {"data": [], "totalCount": 0} if path.endswith("search") else {"data": {"id": "m-1"}}
    elif "/lookup/" in path:
        body = {"data": "The mapping was deleted successfully."}
    elif find_endpoint(request) in LISTS:
        body = {"message": "OK", "page": {"data": [], "totalCount": 0, "currentPageNo": 1}}
    return httpx.Response(200, json=body)


LISTS = {
    "GET /contactFilters/{organizationId}",
    "GET /notifications",
    "GET /notificationEvents/{organizationId}",
    "GET /notificationCategories/{organizationId}",
    "GET /cm/v1/crisisTaskListTemplates",
    "POST /itineraries/query/{organizationId}",
    "GET /itineraries/expectedLocations/{organizationId}/{id}",
}


def requests_of(clients: Clients, method: str, **options: Any) -> list[httpx.Request]:
    client, exchange = clients(serve, token="eyJ.x.y", **options)
    METHODS[method](client)
    return exchange.requests


def test_every_endpoint_has_a_method(clients: Clients) -> None:
    reached = {find_endpoint(request) for method in METHODS for request in requests_of(clients, method)}
    assert set(ENDPOINTS) - reached == set()


def test_every_method_has_an_endpoint(clients: Clients) -> None:
    requests = {method: requests_of(clients, method) for method in METHODS}
    assert all(requests.values())
    assert [
        (method, str(one.url)) for method in METHODS for one in requests[method] if find_endpoint(one) is None
    ] == []


def test_every_area_has_its_authentication(clients: Clients) -> None:
    for method in METHODS:
        scheme = "Bearer" if method.partition(".")[0] in TOKEN_AREAS else "Basic"
        for request in requests_of(clients, method):
            (authorization,) = request.headers.get_list("Authorization")
            assert authorization.split()[0] == scheme, method


@pytest.mark.parametrize("base_url", ["https://service.example/rest", "https://service.example/gate/rest/"])
def test_a_configured_rest_segment_is_in_every_path_once(clients: Clients, base_url: str) -> None:
    paths = [request.url.path for method in METHODS for request in requests_of(clients, method, base_url=base_url)]
    assert [path for path in paths if path.split("/").count("rest") != 1] == []
    assert [path for path in paths if not path.startswith(httpx.URL(base_url).path.rstrip("/"))] == []


def test_only_the_asset_paths_contain_rest(clients: Clients) -> None:
    with_rest = {
        method
        for method in METHODS
        for request in requests_of(clients, method)
        if request.url.path.startswith("/rest/")
    }
    assert with_rest == {method for method in METHODS if method.startswith("assets.")}


@pytest.mark.parametrize("host", ["https://elsewhere.example", "https://"])
def test_uris_in_responses_are_not_followed(clients: Clients, host: str) -> None:
    names = ("baseUri", "instanceUri", "firstPageUri", "nextPageUri", "lastPageUri", "currentPageUri")
    uris = dict.fromkeys(names, f"{host}//rest/x/8800?pageNumber=0")

    def serve_with_uris(request: httpx.Request) -> httpx.Response:
        body = serve(request).json()
        if isinstance(body, dict):
            body |= uris
            if find_endpoint(request) in LISTS:
                body["page"]["data"] = [{"id": 5}]
        return httpx.Response(200, json=body)

    client, exchange = clients(serve_with_uris, token="eyJ.x.y")
    for call in METHODS.values():
        call(client)
    assert {request.url.host for request in exchange.requests} == {"service.example"}


CREATES = [method for method in METHODS if method.rpartition(".")[2] in ("create", "upload") and "batch" not in method]


@pytest.mark.parametrize("method", CREATES)
@pytest.mark.parametrize(
    "answer",
    [
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("dropped"),
        httpx.Response(502, text="<html>gateway</html>"),
        httpx.Response(503),
        httpx.Response(429),
    ],
    ids=["slow", "dropped", "502", "503", "429"],
)
def test_a_call_that_creates_is_sent_at_most_once(
    clients: Clients, method: str, answer: httpx.Response | Exception
) -> None:
    client, exchange = clients(answer, token="eyJ.x.y")
    with pytest.raises(Exception, match=r"lost|busy"):
        METHODS[method](client)
    assert len(exchange.requests) == 1


def test_every_method_reports_a_refused_sign_in(clients: Clients) -> None:
    body = {"code": 401, "message": "Unauthorized"}
    client, _ = clients(lambda request: httpx.Response(401, json=body), token="eyJ.x.y")
    for method, call in METHODS.items():
        with pytest.raises(NotAuthenticated, match="token" if method.partition(".")[0] in TOKEN_AREAS else "password"):
            call(client)


def test_every_path_parameter_is_one_segment_whatever_it_contains(clients: Clients) -> None:
    client, exchange = clients(serve, token="eyJ.x.y")
    calls: list[partial[object]] = [
        partial(client.contact_filters.retrieve_by_name, "a/b ?&#%"),
        partial(client.contact_filters.delete_by_name, "a/b ?&#%"),
        partial(client.lookup_mappings.retrieve, "a/b ?&#%"),
        partial(client.dynamic_locations.retrieve, "a/b ?&#%"),
    ]
    for call in calls:
        call()
    for request in exchange.requests:
        assert request.url.raw_path.partition(b"?")[0].rpartition(b"/")[2] == b"a%2Fb%20%3F%26%23%25"
