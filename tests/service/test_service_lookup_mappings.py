"""Lookup mappings over HTTP: the five endpoints, the two 401 bodies, and each error row."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import jwt
import pytest

from service.accounts import tokens
from tests.running_service import RunningService

Payload = dict[str, Any]
UNAUTHORIZED = {"code": 401, "message": "Unauthorized"}


def mapping(*attributes: tuple[str, list[str]], groups: tuple[int, ...] = (1,)) -> Payload:
    """Return the body of a create."""
    return {
        "data": {
            "targetGroups": [{"id": group, "name": f"Group {group}"} for group in groups],
            "attributes": [{"name": name, "values": values} for name, values in attributes or [("city", ["Lisbon"])]],
        }
    }


class Api:
    """The endpoints with a token."""

    def __init__(self, service: RunningService, token: str | None = None, organization: object = 8800) -> None:
        self.path = f"/lookup/{organization}/mappings"
        self.service = service
        self.headers = {"Authorization": f"Bearer {token or service.token()}"}

    def __call__(self, method: str, path: str = "", **options: Any) -> httpx.Response:
        options = {"headers": self.headers} | options
        return self.service.http.request(method, self.path + path, auth=None, **options)

    def add(self, body: Payload | None = None) -> Payload:
        answer = self("POST", json=body or mapping())
        assert answer.status_code == 200, answer.text
        data: Payload = answer.json()["data"]
        return data

    def search(self, query: str = "") -> Payload:
        answer = self("GET", f"/search{query}")
        assert answer.status_code == 200, answer.text
        page: Payload = answer.json()
        return page

    def list_first_values(self, query: str) -> list[str]:
        return [item["attributes"][0]["values"][0] for item in self.search(query)["data"]]


@pytest.fixture
def api(any_service: RunningService) -> Api:
    """The endpoints on each kind of database."""
    return Api(any_service)


@pytest.fixture
def sqlite_api(service: RunningService) -> Api:
    """The endpoints on SQLite only."""
    return Api(service)


def test_a_mapping_is_created_and_read(api: Api) -> None:
    """POST and GET: `{data: LookupMapping}` with every field of the table."""
    body = mapping(("city", ["Lisbon", "Porto"]), ("grade", ["A"]), ("city", ["Faro"]), groups=(7, 8))
    created = api.add(body)
    assert set(created) == {
        *("id", "organizationId", "deleted", "targetGroups", "attributes", "createdBy", "lastUpdatedBy"),
        "lastUpdatedOn",
    }
    assert isinstance(created["id"], str)
    assert created["id"]
    assert (created["organizationId"], created["deleted"]) == (8800, False)
    assert created["targetGroups"] == [{"id": 7, "name": "Group 7"}, {"id": 8, "name": "Group 8"}]
    # The same name may occur in more than one element.
    assert created["attributes"] == body["data"]["attributes"]
    assert (created["createdBy"], created["lastUpdatedBy"]) == ("ana", "ana")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", created["lastUpdatedOn"])
    answer = api("GET", f"/{created['id']}")
    assert (answer.status_code, answer.json()) == (200, {"data": created})


def test_update_replaces_a_mapping(api: Api) -> None:
    """PUT: `{data: LookupMapping}`; search no longer finds the old values."""
    created = api.add(mapping(("city", ["Lisbon"]), groups=(1,)))
    answer = api("PUT", f"/{created['id']}", json=mapping(("city", ["Porto"]), groups=(2,)))
    updated = answer.json()["data"]
    assert updated["id"] == created["id"]
    assert updated["attributes"] == [{"name": "city", "values": ["Porto"]}]
    assert (updated["createdBy"], updated["lastUpdatedBy"]) == ("ana", "ana")
    assert updated["lastUpdatedOn"] >= created["lastUpdatedOn"]
    assert api.list_first_values("?city=Lisbon") == []
    assert api.list_first_values("?groups=1") == []
    assert api.list_first_values("?city=Porto&groups=2") == ["Porto"]


def test_delete_removes_a_mapping(api: Api) -> None:
    """DELETE: `{data: text}` confirms the deletion; then 404, and the mapping can be created again."""
    created = api.add()
    answer = api("DELETE", f"/{created['id']}")
    assert answer.status_code == 200
    assert "deleted successfully" in answer.json()["data"]
    assert api.search()["totalCount"] == 0
    assert api("GET", f"/{created['id']}").status_code == 404
    assert api.add()["id"] != created["id"]


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("identity", ["unknown", "1", "a%00b"])
def test_an_unknown_mapping_is_404_with_no_body(sqlite_api: Api, method: str, identity: str) -> None:
    """Lookup mapping errors: 404, unknown `mappingId` on read, update, delete: no body."""
    answer = sqlite_api(method, f"/{identity}", json=mapping() if method == "PUT" else None)
    assert (answer.status_code, answer.content) == (404, b"")


def test_search_in_an_empty_organization_is_empty(api: Api) -> None:
    """Search: an empty organization yields `totalCount` 0 and an empty `data`; the defaults of both page parameters."""
    assert api.search() == {"currentPageNo": 1, "totalPageCount": 0, "totalCount": 0, "pageSize": 20, "data": []}


def test_search_has_pages_and_two_sort_orders(api: Api) -> None:
    """Search: `currentPageNo`, `pageSize`, `sort` with + (the default: oldest first) and -."""
    for number in range(5):
        api.add(mapping(("n", [str(number)])))
    assert api.list_first_values("") == ["0", "1", "2", "3", "4"]
    assert api.list_first_values("?sort=%2BlastUpdatedOn") == ["0", "1", "2", "3", "4"]
    assert api.list_first_values("?sort=+lastUpdatedOn") == ["0", "1", "2", "3", "4"]
    assert api.list_first_values("?sort=-lastUpdatedOn") == ["4", "3", "2", "1", "0"]
    page = api.search("?pageSize=2&currentPageNo=2")
    assert [item["attributes"][0]["values"] for item in page.pop("data")] == [["2"], ["3"]]
    assert page == {"currentPageNo": 2, "totalPageCount": 3, "totalCount": 5, "pageSize": 2}
    assert api.search("?pageSize=2&currentPageNo=9")["data"] == []
    # An update moves a mapping to the end.
    first = api.search()["data"][0]
    time_of_last = api.search()["data"][-1]["lastUpdatedOn"]
    wait_for_a_later_millisecond(time_of_last)
    api("PUT", f"/{first['id']}", json=mapping(("n", ["0"])))
    assert api.list_first_values("") == ["1", "2", "3", "4", "0"]


def wait_for_a_later_millisecond(moment: str) -> None:
    """Wait until the clock is past this moment."""
    while time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime()) + f".{time.time_ns() // 1_000_000 % 1000:03d}Z" <= moment:
        pass


def test_groups_and_attributes_select_mappings(api: Api) -> None:
    """Search: `groups` comma-separated; attribute pairs with several values; several names are combined with AND."""
    api.add(mapping(("city", ["Lisbon"]), ("grade", ["A", "B"]), groups=(1, 2)))
    api.add(mapping(("city", ["Porto"]), ("grade", ["B"]), groups=(2, 3)))
    # Every element of the same name is searched.
    api.add(mapping(("city", ["Faro"]), ("city", ["Evora"]), groups=(4,)))
    assert api.list_first_values("?city=Lisbon") == ["Lisbon"]
    assert api.list_first_values("?city=Lisbon,Porto") == ["Lisbon", "Porto"]
    assert api.list_first_values("?city=Lisbon&city=Porto") == ["Lisbon", "Porto"]
    assert api.list_first_values("?city=Faro") == api.list_first_values("?city=Evora") == ["Faro"]
    assert api.list_first_values("?city=lisbon") == []
    assert api.list_first_values("?grade=B&city=Porto,Faro") == ["Porto"]
    assert api.list_first_values("?grade=C") == []
    assert api.list_first_values("?groups=2") == ["Lisbon", "Porto"]
    assert api.list_first_values("?groups=1,3,4") == ["Lisbon", "Porto", "Faro"]
    assert api.list_first_values("?groups=2&grade=A") == ["Lisbon"]
    assert api.search("?groups=9")["totalCount"] == 0


@pytest.mark.parametrize(
    "query", ["?currentPageNo=0", "?pageSize=0", "?pageSize=1001", "?pageSize=x", "?sort=name", "?groups=a"]
)
def test_invalid_parameters_are_refused(sqlite_api: Api, query: str) -> None:
    """400 with the general envelope."""
    answer = sqlite_api("GET", f"/search{query}")
    assert (answer.status_code, answer.json()["status"]) == (400, 400)


@pytest.mark.parametrize("method", ["POST", "PUT"])
@pytest.mark.parametrize("field", ["attributes", "targetGroups"])
@pytest.mark.parametrize("value", [[], None])
def test_empty_lists_are_refused(sqlite_api: Api, method: str, field: str, value: object) -> None:
    """Lookup mapping errors: 400, create with empty `attributes` or `targetGroups`: the whole entry."""
    body = mapping(("other", ["x"]))
    body["data"][field] = value
    answer = sqlite_api(method, f"/{sqlite_api.add()['id']}" if method == "PUT" else "", json=body)
    assert answer.status_code == 400
    [error] = answer.json()["errors"]
    assert set(error) == {
        *("codes", "arguments", "defaultMessage", "objectName", "field", "rejectedValue", "bindingFailure", "code"),
    }
    assert error["field"] == f"data.{field}"
    assert (error["code"], error["objectName"]) == ("NotEmpty", "resourceObject")
    assert (error["rejectedValue"], error["bindingFailure"]) == (value, False)
    assert "may not be empty" in error["defaultMessage"]
    assert error["codes"][-1] == "NotEmpty"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ([], ["data"]),
        ({}, ["data"]),
        ({"data": {}}, ["data.attributes", "data.targetGroups"]),
        ({"data": {"attributes": "x", "targetGroups": {}}}, ["data.attributes", "data.targetGroups"]),
        ({"data": {"attributes": [1], "targetGroups": [None]}}, ["data.attributes[0]", "data.targetGroups[0]"]),
        (
            {"data": {"attributes": [{"name": " ", "values": "x"}], "targetGroups": [{"id": 1.5}]}},
            ["data.attributes[0].name", "data.attributes[0].values", "data.targetGroups[0].id"],
        ),
    ],
)
def test_fields_of_the_wrong_type_are_refused(sqlite_api: Api, body: Any, fields: list[str]) -> None:
    """Validation errors have their own envelope, all in one response."""
    answer = sqlite_api("POST", json=body)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == fields


def test_creating_an_existing_mapping_is_500(api: Api) -> None:
    """Lookup mapping errors: 500 with `timestamp`, `status`, `error`, `exception`, `message`, `path`."""
    first = api.add(mapping(("city", ["Lisbon", "Porto"]), ("grade", ["A"]), groups=(1,)))
    answer = api("POST", json=mapping(("grade", ["A"]), ("city", ["Porto", "Lisbon"]), groups=(2,)))
    assert answer.status_code == 500
    error = answer.json()
    assert set(error) == {"timestamp", "status", "error", "exception", "message", "path"}
    assert (error["status"], error["error"], error["path"]) == (500, "Internal Server Error", "/lookup/8800/mappings")
    assert api.search()["totalCount"] == 1
    other = api.add(mapping(("city", ["Faro"])))
    duplicate = api("PUT", f"/{other['id']}", json=mapping(("city", ["Porto", "Lisbon"]), ("grade", ["A"])))
    assert duplicate.status_code == 500
    # An update with unchanged attributes is not a duplicate.
    assert api("PUT", f"/{first['id']}", json={"data": first}).status_code == 200


def test_concurrent_requests_create_a_mapping_once(api: Api) -> None:
    """Concurrent creates of the same attributes: one succeeds, the others get a duplicate error."""
    with ThreadPoolExecutor(8) as threads:
        statuses = list(threads.map(lambda _: api("POST", json=mapping()).status_code, range(16)))
    assert sorted(statuses) == [200] + [500] * 15
    assert api.search()["totalCount"] == 1


def test_an_invalid_token_is_401(sqlite_api: Api) -> None:
    """Lookup mapping errors: `{code: 401, message: Unauthorized}` for a malformed or forged token."""
    forged = tokens.sign("x" * 40, "ana")
    with_other_algorithm = jwt.encode({"sub": "ana", "exp": 9_999_999_999}, None, algorithm="none")
    for header in (None, "", "Bearer", "Bearer nonsense", f"Bearer {forged}", f"Bearer {with_other_algorithm}"):
        answer = sqlite_api("GET", "/search", headers={} if header is None else {"Authorization": header})
        assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED), header
        assert answer.headers["www-authenticate"].startswith("Bearer")
    basic = sqlite_api.service.http.get("/lookup/8800/mappings/search")
    assert (basic.status_code, basic.json()) == (401, UNAUTHORIZED)
    # Only a valid token reveals whether the organization exists.
    for organization in ("9900", "4711", "abc"):
        answer = Api(sqlite_api.service, "nonsense", organization=organization)("GET", "/search")
        assert (answer.status_code, answer.json()) == (401, UNAUTHORIZED), organization


@pytest.mark.parametrize("organization", ["9900", "4711", "abc"])
def test_an_organization_without_access_is_another_401(service: RunningService, organization: str) -> None:
    """Lookup mapping errors: `{status: 401, message: Org … not accessible to this user, or does not exist.}`"""
    answer = Api(service, organization=organization)("GET", "/search")
    message = f"Org {organization} not accessible to this user, or does not exist."
    assert (answer.status_code, answer.json()) == (401, {"status": 401, "message": message})


def test_a_token_expires(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """After 28,800 s."""
    monkeypatch.setenv(tokens.SECRET_VARIABLE, secret := "s" * 40)
    now = time.time()
    for age, status in ((28_790, 200), (28_801, 401)):
        token = tokens.sign(secret, "ana", now=now - age)
        assert Api(service, token)("GET", "/search").status_code == status
    nobody = tokens.sign(secret, "nobody")
    assert Api(service, nobody)("GET", "/search").json() == UNAUTHORIZED


def test_organizations_do_not_see_mappings_of_each_other(api: Api) -> None:
    """A mapping of one organization is unknown in another."""
    from sqlalchemy import create_engine, text

    created = api.add()
    engine = create_engine(api.service.database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE organization_access SET organization_id = 9900"))
    engine.dispose()
    other = Api(api.service, organization=9900)
    assert other.search()["totalCount"] == 0
    assert other("GET", f"/{created['id']}").status_code == 404
