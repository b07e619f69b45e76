"""Crisis task list templates over HTTP: the header, each of the eight parameters, the envelope, the record."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest

from service.accounts.models import Caller
from service.crisis_templates import repository
from service.crisis_templates.models import template_row
from service.database import Database
from tests.running_service import RunningService

PATH = "/cm/v1/crisisTaskListTemplates"
DEMO = {"organizationId": "8800001"}


def read_page(service: RunningService, **parameters: Any) -> dict[str, Any]:
    """Return a page of the list of the demo organization."""
    answer = service.http.get(PATH, headers=DEMO, params=parameters)
    assert answer.status_code == 200, answer.text
    page: dict[str, Any] = answer.json()
    return page


def list_names(service: RunningService, **parameters: Any) -> list[str]:
    """Return the names on a page, in order."""
    return [item["name"] for item in read_page(service, **parameters)["data"]]


def test_templates_are_listed_in_an_envelope_by_default(demo_service: RunningService) -> None:
    """200: `pageSize`, `start`, `data`, `totalCount`, `totalPageCount`, `currentPageNo`; pageSize -1 is all of them."""
    page = read_page(demo_service)
    data = page.pop("data")
    assert page == {"pageSize": -1, "start": 0, "totalCount": len(data), "totalPageCount": 1, "currentPageNo": 1}
    changed = [item["lastModifiedDate"] for item in data]
    # columnName lastModifiedDate and orderDirection DESC are the defaults.
    assert changed == sorted(changed, reverse=True)
    assert len(data) >= 11


def test_a_record_has_the_documented_fields(demo_service: RunningService) -> None:
    """Every field of a returned item with its type; `folderName`, `ownerName` and two lists on some."""
    types = {
        **dict.fromkeys(("id", "name", "nameLowerCase", "title", "titleLowerCase", "description"), str),
        **dict.fromkeys(("localDescription", "eventType", "folderId", "createdName", "lastModifiedName"), str),
        **dict.fromkeys(("status", "deleteFlag"), str),
        **dict.fromkeys(("createdId", "createdDate", "lastModifiedId", "lastModifiedDate", "organizationId"), int),
        **dict.fromkeys(("bulkOpsTime", "ownerId"), int),
        **dict.fromkeys(("enableNotification", "enableAutoLaunch"), bool),
        **dict.fromkeys(("fileIds", "taskListTemplates", "crisisIncidents"), list),
    }
    on_some = {"folderName": str, "ownerName": str, "taskListTempIds": list, "dashboardTemplateIds": list}
    items = read_page(demo_service, containUsedNo="true")["data"]
    for item in items:
        assert {field: type(item[field]) for field in types} == types
        assert set(item) <= set(types) | set(on_some)
        assert all(type(item[field]) is kind for field, kind in on_some.items() if field in item)
        assert (item["status"], item["organizationId"]) == ("A", 8800001)
        assert (item["nameLowerCase"], item["titleLowerCase"]) == (item["name"].lower(), item["title"].lower())
        assert 10**12 < item["lastModifiedDate"] < 10**13
        for task_list in item["taskListTemplates"]:
            task_types = {"id": str, "performedDate": int, "performedById": int, "performedByName": str}
            assert {field: type(value) for field, value in task_list.items()} == task_types | {"enableAutoLaunch": bool}
    for field in on_some:
        assert 0 < sum(field in item for item in items) < len(items)


def test_filtered_searches_name_and_title(demo_service: RunningService) -> None:
    """`filtered`: matches name and title case-insensitively."""
    assert list_names(demo_service, filtered="FLOOD") == ["Flood warning"]
    assert list_names(demo_service, filtered="data center") == ["Flood warning"]
    assert list_names(demo_service, filtered="%") == []
    assert len(list_names(demo_service, filtered="")) == read_page(demo_service)["totalCount"]


def test_filtered_ignores_the_case_of_non_ascii_letters(any_service: RunningService) -> None:
    """In the name and in the title, on each database."""
    row = template_row(
        Caller(1, "ana", "Ana Silva", 8800),
        identity="one",
        name="Évacuation",
        title="ÜBUNG 50 %",
        description="",
        event_type="Drill",
        folder=("folder", None),
        created_at=1,
        modified_at=1,
    )
    with closing(Database(any_service.database_url)) as database, database.transaction() as connection:
        repository.add_if_absent(connection, [row])
    headers = {"organizationId": "8800"}
    for filtered, found in (("ÉVACUATION", 1), ("évac", 1), ("übung", 1), ("Übung 50 %", 1), ("EVAC", 0)):
        answer = any_service.http.get(PATH, headers=headers, params={"filtered": filtered, "needInit": "false"})
        assert answer.json()["totalCount"] == found, filtered


def test_templates_are_sorted_by_column_and_direction(demo_service: RunningService) -> None:
    """`columnName` and `orderDirection`, ASC and DESC."""
    ascending = list_names(demo_service, columnName="nameLowerCase", orderDirection="ASC")
    assert ascending == sorted(ascending, key=str.lower)
    assert list_names(demo_service, columnName="nameLowerCase", orderDirection="DESC") == ascending[::-1]
    assert list_names(demo_service, columnName="nameLowerCase") == ascending[::-1]
    oldest = read_page(demo_service, orderDirection="ASC")["data"]
    assert [item["lastModifiedDate"] for item in oldest] == sorted(item["lastModifiedDate"] for item in oldest)
    owners = [
        item.get("ownerName", "")
        for item in read_page(demo_service, columnName="ownerName", orderDirection="ASC")["data"]
    ]
    assert owners == sorted(owners)


def test_templates_are_listed_in_pages(demo_service: RunningService) -> None:
    """`pageNumber` and `pageSize`."""
    everything = list_names(demo_service)
    total = len(everything)
    page = read_page(demo_service, pageNumber=2, pageSize=4)
    assert [item["name"] for item in page.pop("data")] == everything[4:8]
    pages = -(-total // 4)
    assert page == {"pageSize": 4, "start": 4, "totalCount": total, "totalPageCount": pages, "currentPageNo": 2}
    assert list_names(demo_service, pageNumber=pages, pageSize=4) == everything[4 * (pages - 1) :]
    assert list_names(demo_service, pageNumber=pages + 1, pageSize=4) == []
    assert list_names(demo_service, pageNumber=2) == []


def test_folder_ids_select_templates(demo_service: RunningService) -> None:
    """`folderIds`: an array, repeated or with commas."""
    sites = list_names(demo_service, folderIds="folder-sites", containUsedNo="true")
    travel = list_names(demo_service, folderIds="folder-travel")
    assert sites
    assert travel
    both = {*sites, *travel}
    assert set(list_names(demo_service, folderIds=["folder-sites", "folder-travel"], containUsedNo="true")) == both
    assert set(list_names(demo_service, folderIds="folder-sites,folder-travel", containUsedNo="true")) == both
    assert list_names(demo_service, folderIds="elsewhere") == []


def test_contain_used_no_includes_used_templates(demo_service: RunningService) -> None:
    """`containUsedNo` false, the default, leaves used templates out."""
    unused, everything = read_page(demo_service)["data"], read_page(demo_service, containUsedNo="true")["data"]
    used = {item["id"] for item in everything} - {item["id"] for item in unused}
    assert used
    assert used == {item["id"] for item in everything if item["crisisIncidents"]}


def test_need_init_creates_the_system_template(any_service: RunningService) -> None:
    """`needInit` true, the default, creates a missing system event template; false does not."""

    def total(**parameters: Any) -> int:
        answer = any_service.http.get(PATH, headers={"organizationId": "8800"}, params=parameters)
        return int(answer.json()["totalCount"])

    assert total(needInit="false") == 0
    with ThreadPoolExecutor(6) as threads:
        assert set(threads.map(lambda _: total(), range(12))) == {1}
    assert total(needInit="false") == 1


def test_an_empty_list_has_no_page(service: RunningService) -> None:
    """An empty result has no pages."""
    answer = service.http.get(PATH, headers={"organizationId": "8800"}, params={"needInit": "false"})
    empty = {"pageSize": -1, "start": 0, "data": [], "totalCount": 0, "totalPageCount": 0, "currentPageNo": 1}
    assert answer.json() == empty


@pytest.mark.parametrize(
    "parameters",
    [
        *({"columnName": "secret"}, {"orderDirection": "UP"}, {"pageNumber": "0"}, {"pageNumber": "x"}),
        *({"pageSize": "0"}, {"pageSize": "-2"}, {"containUsedNo": "maybe"}, {"needInit": "maybe"}, {"filtered": "\0"}),
    ],
)
def test_invalid_parameters_are_refused(service: RunningService, parameters: dict[str, str]) -> None:
    """400 in the general envelope."""
    answer = service.http.get(PATH, headers={"organizationId": "8800"}, params=parameters)
    assert (answer.status_code, answer.json()["status"]) == (400, 400)


def test_headers_are_required(service: RunningService) -> None:
    """`organizationId` (long) and `Authorization` (string) are required."""

    def call(organization: str | None, **options: Any) -> httpx.Response:
        headers = {} if organization is None else {"organizationId": organization}
        return service.http.get(PATH, headers=headers, **options)

    assert call("8800").status_code == 200
    assert call(None).status_code == 400
    for organization in ("9900", "abc"):
        message = f"Org {organization} not accessible to this user, or does not exist."
        assert call(organization).json() == {"status": 401, "message": message}
    wrong = call("8800", auth=("ana", "wrong"))
    assert (wrong.status_code, wrong.json()["message"]) == (401, "Invalid credentials: Get User failed")
    assert service.http.get(f"/rest{PATH}", headers={"organizationId": "8800"}).status_code == 200
