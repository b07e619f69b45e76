"""The two lookups of public alerts: event groups of the organization, regions of the United States."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from service.accounts import provisioning
from service.accounts.passwords import hash_password
from service.command_line import main
from service.database import Database
from service.public_lookups import us_regions as regions_module
from service.public_lookups.routes import accepts_gzip
from service.public_lookups.us_regions import Regions, list_regions
from tests.contract.covering import covers
from tests.running_service import RunningService

LOOKUPS = ("/publicEventGroups/{}", "/publicRegionIds/{}")
BOSTON = 1_119_492_320
COOK_COUNTY = 2014258676
PROJECT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def service() -> Iterator[RunningService]:
    """One service for all tests of this module, with event groups."""
    with RunningService() as service:
        with closing(Database(service.database_url)) as database, database.transaction() as connection:
            for name in ("Schools", "Hospitals"):
                provisioning.add_event_group(connection, 8800, name)
            provisioning.add_event_group(connection, 9900, "Somebody else's")
            provisioning.add_user(connection, "without", hash_password("secret"), [8800], display_name="Without")
            provisioning.set_public_alerts(connection, "without", allowed=False)
        yield service


@pytest.fixture(scope="module")
def regions(service: RunningService) -> dict[str, list[dict[str, Any]]]:
    """The response of the region lookup."""
    answer = service.http.get("/publicRegionIds/8800")
    assert answer.status_code == 200
    found: dict[str, list[dict[str, Any]]] = answer.json()
    return found


def test_event_groups_of_the_organization_are_listed(service: RunningService) -> None:
    """GET `/publicEventGroups/{organizationId}`: array of `{id, groupName}`."""
    found = service.http.get("/publicEventGroups/8800").json()
    assert [set(item) for item in found] == [{"id", "groupName"}] * 2
    assert [item["groupName"] for item in found] == ["Schools", "Hospitals"]
    assert all(type(item["id"]) is int for item in found)


def test_an_organization_without_groups_has_an_empty_list() -> None:
    """GET `/publicEventGroups/{organizationId}`: an empty array."""
    with RunningService() as other:
        assert other.http.get("/publicEventGroups/8800").json() == []


def test_regions_are_three_arrays(regions: dict[str, list[dict[str, Any]]]) -> None:
    """GET `/publicRegionIds/{organizationId}`: `cities`, `zipcodes`, `counties`; items `state`, `id`, `name`."""
    assert list(regions) == ["cities", "zipcodes", "counties"]
    for items in regions.values():
        assert all(set(item) == {"state", "id", "name"} for item in items)
        assert all(type(item["id"]) is int and 0 < item["id"] < 2**31 for item in items)
        assert all(len(item["state"]) == 2 and item["state"].isupper() and item["name"] for item in items)


def test_regions_are_real_and_complete(regions: dict[str, list[dict[str, Any]]]) -> None:
    """Real US cities, ZIP codes and counties, of all states."""
    assert len(regions["cities"]) > 29_000
    assert len(regions["zipcodes"]) > 41_000
    assert len(regions["counties"]) > 3_100
    for items in regions.values():
        assert len({item["state"] for item in items}) >= 51
    names = {kind: {(item["state"], item["name"]) for item in items} for kind, items in regions.items()}
    assert {("MA", "Boston"), ("HI", "Honolulu"), ("AK", "Juneau"), ("DC", "Washington")} <= names["cities"]
    assert {("MA", "02108"), ("NY", "10001"), ("AK", "99801")} <= names["zipcodes"]
    assert {("CA", "Los Angeles County"), ("LA", "Orleans Parish"), ("IL", "Cook County")} <= names["counties"]
    assert all(len(item["name"]) == 5 and item["name"].isdigit() for item in regions["zipcodes"])


def test_no_two_regions_share_an_id(regions: dict[str, list[dict[str, Any]]]) -> None:
    """An alert names regions by ID alone, whatever their type."""
    ids = [item["id"] for items in regions.values() for item in items]
    assert len(ids) == len(set(ids))
    names = [(kind, item["state"], item["name"]) for kind, items in regions.items() for item in items]
    assert len(names) == len(set(names))


def test_no_region_is_listed_in_two_spellings(regions: dict[str, list[dict[str, Any]]]) -> None:
    """Neither by capitals, blanks or accents ("DeKalb", "St Louis County"), nor with and without "County"."""
    for kind, items in regions.items():
        spelled = Counter(
            (item["state"], re.sub(r"[^a-z0-9]|(county|municipio)$", "", item["name"].casefold())) for item in items
        )
        assert [name for name, times in spelled.items() if times > 1] == [], kind
    names = {(item["state"], item["name"]) for item in regions["counties"]}
    assert {
        ("GA", "DeKalb County"),
        ("MO", "St. Louis County"),
        ("MO", "St. Louis City"),
        ("IL", "DuPage County"),
    } <= names
    assert {("MD", "Baltimore County"), ("VA", "Richmond County"), ("VA", "James City County")} <= names


def test_region_ids_are_stable(regions: dict[str, list[dict[str, Any]]]) -> None:
    """They are derived from the names, so every process, release and data edition has the same."""
    found = {(kind, item["state"], item["name"]): item["id"] for kind, items in regions.items() for item in items}
    assert found["zipcodes", "MA", "02108"] == 2108
    assert found["cities", "MA", "Boston"] == BOSTON
    assert found["counties", "IL", "Cook County"] == COOK_COUNTY
    program = (
        "import zlib; from service.public_lookups.us_regions import list_regions; "
        "print(zlib.crc32(list_regions().body), zlib.crc32(list_regions().gzipped))"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=True)
    body, gzipped = map(int, result.stdout.split())
    assert (body, gzipped) == (zlib.crc32(list_regions().body), zlib.crc32(list_regions().gzipped))


def test_regions_can_be_compressed_with_gzip(service: RunningService) -> None:
    """The same document, a fifth of the bytes."""
    with service.http.stream("GET", "/publicRegionIds/8800", headers={"Accept-Encoding": "br, gzip"}) as answer:
        compressed = b"".join(answer.iter_raw())
        assert (answer.headers["content-encoding"], answer.headers["vary"]) == ("gzip", "Accept-Encoding")
    plain = service.http.get("/publicRegionIds/8800", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-type"] == "application/json"
    assert json.loads(gzip.decompress(compressed)) == plain.json()
    assert len(compressed) * 5 < len(plain.content)


@pytest.mark.parametrize(
    ("header", "takes"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("deflate, gzip;q=0.5", True),
        ("gzip; q=1", True),
        ("*", True),
        ("x-gzip", True),
        ("", False),
        ("identity", False),
        ("gzip;q=0", False),
        ("*, gzip;q=0.0", False),
        ("br;q=1.0, *;q=0", False),
        ("gzip;q=x", False),
    ],
)
def test_accept_encoding_decides_about_gzip(header: str, takes: bool) -> None:
    """`Accept-Encoding` with its weights."""
    assert accepts_gzip(header) is takes


def test_regions_are_built_once(service: RunningService, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once per process, whatever the number of concurrent requests; then they are served from memory."""
    built: list[Regions] = []

    def build() -> Regions:
        built.append(Regions(b"{}", gzip.compress(b"{}"), frozenset()))
        return built[-1]

    monkeypatch.setattr(regions_module, "_made", cache(build))
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: list_regions(), range(32)))
    assert len(built) == 1
    assert all(one is built[0] for one in found)
    assert service.http.get("/publicRegionIds/8800").json() == {}
    assert len(built) == 1


@covers("Errors: Public-alert lookups 401 Invalid credentials: Get User failed")
@pytest.mark.parametrize("path", LOOKUPS)
def test_wrong_credentials_are_401(service: RunningService, path: str) -> None:
    """Public-alert lookup errors: 401 `Invalid credentials: Get User failed`."""
    answer = service.http.get(path.format(8800), auth=("ana", "wrong"))
    assert (answer.status_code, answer.json()) == (
        401,
        {"code": 401, "message": "Invalid credentials: Get User failed"},
    )


@covers("Errors: Public-alert lookups 401 User does not have API permissions for this method")
@pytest.mark.parametrize("path", LOOKUPS)
def test_a_user_without_the_feature_is_401(service: RunningService, path: str) -> None:
    """Public-alert lookup errors: 401 `User does not have API permissions for this method`."""
    answer = service.http.get(path.format(8800), auth=("without", "secret"))
    assert (answer.status_code, answer.json()) == (
        401,
        {"code": 401, "message": "User does not have API permissions for this method"},
    )
    assert service.http.get("/contactFilters/8800", auth=("without", "secret")).status_code == 200


@pytest.mark.parametrize("path", LOOKUPS)
@pytest.mark.parametrize("organization", ["9900", "4711", "x"])
def test_an_organization_without_access_is_refused(service: RunningService, path: str, organization: str) -> None:
    """`organizationId` (long, required); Lookup mapping errors."""
    answer = service.http.get(path.format(organization))
    message = f"Org {organization} not accessible to this user, or does not exist."
    assert (answer.status_code, answer.json()["message"]) == (401, message)


def test_the_feature_can_be_restored(service: RunningService) -> None:
    """A setting of the user that an operator switches off and on."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        provisioning.add_user(connection, "turned", hash_password("secret"), [8800], display_name="Turned")
        for allowed in (False, False, True, True):
            provisioning.set_public_alerts(connection, "turned", allowed=allowed)
    assert service.http.get("/publicEventGroups/8800", auth=("turned", "secret")).status_code == 200


def test_a_group_is_added_once(service: RunningService) -> None:
    """Operators add event groups."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        for organization, name in ((8800, "Schools"), (8800, "  "), (8800, "x" * 256), (4711, "Schools")):
            with pytest.raises(provisioning.ProvisioningError):
                provisioning.add_event_group(connection, organization, name)


def test_an_operator_can_change_groups_and_the_feature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`event-group add`, `user add --without-public-alerts`, `user public-alerts … on|off`."""
    url = f"sqlite:///{tmp_path / 'service.sqlite'}"
    monkeypatch.setenv("MUSTER_SERVICE_PASSWORD", "secret")

    def run(*arguments: str) -> str:
        capsys.readouterr()
        assert main((*arguments, "--database-url", url)) == 0
        return capsys.readouterr().out

    run("organization", "add", "8800", "Test")
    run("user", "add", "ana", "--organization", "8800", "--without-public-alerts")
    assert "Schools" in run("event-group", "add", "Schools", "--organization", "8800")
    with RunningService(database_url=url) as service:
        auth = ("ana", "secret")
        assert service.http.get("/publicEventGroups/8800", auth=auth).status_code == 401
        assert "can send" in run("user", "public-alerts", "ana", "on")
        assert [item["groupName"] for item in service.http.get("/publicEventGroups/8800", auth=auth).json()] == [
            "Schools"
        ]
        assert "cannot send" in run("user", "public-alerts", "ana", "off")
        assert service.http.get("/publicEventGroups/8800", auth=auth).status_code == 401


def test_the_demo_has_event_groups(demo_service: RunningService) -> None:
    """Schools and hospitals, for example."""
    names = [item["groupName"] for item in demo_service.http.get("/publicEventGroups/8800001").json()]
    assert {"Schools", "Hospitals"} <= set(names)
