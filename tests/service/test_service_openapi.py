"""Every response of the service matches its own OpenAPI description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from sqlalchemy.engine import URL

from service.areas import modules_of_areas
from service.demo import generator
from tests.running_service import RunningService
from tests.service.conftest import create_database
from tests.service.shape_files import kml, placemark
from tests.service.test_service_assets import asset, create_assets
from tests.service.test_service_dynamic_locations import row, to_csv, wait_for_batch
from tests.service.test_service_lookup_mappings import Api
from tests.service.trips import add

AREAS = sorted(
    {route.path.split("/")[1] for area in modules_of_areas("routes") for route in area.router.routes},
)
EXAMPLES_THAT_FIT, EXAMPLES_THAT_DO_NOT = 3, 2
CHECKS = [
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ORGANIZATION_HEADERS = ("X-SVC-Organization-Id", "organizationId")
SAME_EVERY_TIME = settings(
    max_examples=1,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


class Subject:
    """A service with a record in each area, and its OpenAPI description."""

    def __init__(self, service: RunningService) -> None:
        self.service = service
        self.document = service.http.get("/openapi.json").json()
        self.schema = schemathesis.openapi.from_dict(self.document)
        self.session = requests.Session()
        self.session.trust_env = False
        self.basic = requests.auth._basic_auth_str(service.username, service.password)
        self.bearer = f"Bearer {service.token()}"
        self.ids = self._records()

    def operations(self, area: str) -> list[Any]:
        """Return the operations whose path starts with the name of the area."""
        found = [result.ok() for result in self.schema.get_all_operations()]
        return [operation for operation in found if operation.path.split("/")[1] == area]

    def _records(self) -> dict[str, Any]:
        api = Api(self.service)
        ids: dict[str, Any] = {
            "itinerary_id": add(self.service),
            "mapping_id": api.add()["id"],
            "asset": create_assets(self.service, asset())[0],
        }
        paths = {"notification_event_id": "notificationEvents", "category_id": "notificationCategories"}
        for name, path in paths.items():
            assert self.service.http.post(f"/{path}/8800", json={"name": "First"}).status_code == 200
            ids[name] = self.service.http.get(f"/{path}/8800?launchPolicyId=1").json()["page"]["data"][0]["id"]
        rule = {"columnName": "firstName", "columnValue": "A", "contactFieldId": 1, "dataType": "STRING"}
        rule |= {"type": "SYSTEM", "operator": "E", "contactFilterOption": "E"}
        answer = self.service.http.post("/contactFilters/8800", json={"name": "First", "contactFilterRules": [rule]})
        assert answer.status_code == 200, answer.text
        ids["contact_filter_id"] = answer.json()["id"]
        shape = {"file": ("a.kml", kml(placemark("One")))}
        assert self.service.http.post("/shapeLibrary/8800?regionName=A", files=shape).status_code == 200
        upload = self.service.http.post(
            "/dynamicLocations/8800", files={"file": ("a.csv", to_csv(row("E1"), row("E9")))}
        )
        ids["upload_batch_id"] = wait_for_batch(self.service, upload.json()["id"])["id"]
        return ids

    def send(self, case: Any, *, is_known: bool) -> None:
        """Send one case as a user of the organization. `is_known`: with the IDs of existing records."""
        headers = dict(case.headers or {})
        path_parameters = dict(case.path_parameters or {})
        if is_known:
            path_parameters |= {name: value for name, value in self.ids.items() if name in path_parameters}
            if "organization_id" in path_parameters:
                path_parameters["organization_id"] = self.service.organization_id
            for header in ORGANIZATION_HEADERS:
                if header in {parameter.name for parameter in case.operation.headers}:
                    headers[header] = str(self.service.organization_id)
        headers["Authorization"] = self.bearer if "/lookup/" in case.operation.path else self.basic
        case.path_parameters, case.headers = path_parameters, headers
        response = case.call(base_url=self.service.url, session=self.session, timeout=30)
        case.validate_response(response, checks=self._checks(case, response))

    def _checks(self, case: Any, response: Any) -> list[Any]:
        # The only documented 500: creating an existing mapping.
        is_documented_500 = "/lookup/" in case.operation.path and response.status_code == 500
        return CHECKS if is_documented_500 else [not_a_server_error, *CHECKS]


@pytest.fixture(scope="module")
def subjects(postgresql_server: URL, postgresql_template: str) -> Iterator[list[Subject]]:
    """One service for this module on each kind of database. Examples change its records."""
    url = create_database(postgresql_server, "service_described", template=postgresql_template)
    with RunningService() as on_sqlite, RunningService(database_url=url) as on_postgresql:
        yield [Subject(on_sqlite), Subject(on_postgresql)]


@pytest.mark.parametrize("area", AREAS)
def test_every_response_matches_its_schema(subjects: list[Subject], area: str) -> None:
    """Valid and invalid requests to each operation; deterministic."""
    operations = subjects[0].operations(area)
    assert operations
    for operation in operations:
        for mode, examples in (
            (schemathesis.GenerationMode.POSITIVE, EXAMPLES_THAT_FIT),
            (schemathesis.GenerationMode.NEGATIVE, EXAMPLES_THAT_DO_NOT),
        ):
            strategy = operation.as_strategy(generation_mode=mode)

            @settings(SAME_EVERY_TIME, max_examples=examples)
            @given(case=strategy, is_known=st.sampled_from([True, True, True, False]))
            def send(case: Any, is_known: bool) -> None:
                # Generating an example takes longer than sending it.
                for subject in subjects:
                    subject.send(case, is_known=is_known)

            send()


def test_every_area_is_described(demo_service: RunningService) -> None:
    """The test above covers every path, and every operation declares its responses."""
    document = demo_service.http.get("/openapi.json").json()
    assert {path.split("/")[1] for path in document["paths"]} == set(AREAS)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
            assert schema, (method, path)
            declared = {parameter["name"] for parameter in operation.get("parameters", [])}
            assert {part.strip("{}") for part in path.split("/") if part.startswith("{")} <= declared, (method, path)


def test_responses_of_the_demo_match_their_schemas(demo_service: RunningService) -> None:
    """Every list of the demo organization, with its default parameters."""
    document = demo_service.http.get("/openapi.json").json()
    schema = schemathesis.openapi.from_dict(document)
    bearer = {"Authorization": f"Bearer {demo_service.token()}"}
    checked = 0
    for result in schema.get_all_operations():
        operation = result.ok()
        parameters = [part for part in operation.path.split("/") if part.startswith("{")]
        if operation.method.upper() != "GET" or parameters not in ([], ["{organization_id}"]):
            continue
        headers = bearer if "/lookup/" in operation.path else {}
        headers = headers | dict.fromkeys(ORGANIZATION_HEADERS, str(generator.ORGANIZATION_ID))
        path = operation.path.replace("{organization_id}", str(generator.ORGANIZATION_ID))
        auth = None if "/lookup/" in operation.path else (demo_service.username, demo_service.password)
        answer = demo_service.http.get(path, headers=headers, auth=auth)
        assert answer.status_code == 200, path
        assert len(answer.content) > 150, f"{path} is empty in the demo"
        operation.validate_response(schemathesis.Response.from_httpx(answer, verify=False))
        checked += 1
    assert checked >= 8
