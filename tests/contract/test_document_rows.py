"""Every row of the document's endpoint, error and limit tables is named by a contract test, and every name is a row."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.service.interface_document import endpoints, errors, limits

PROJECT = Path(__file__).resolve().parents[2]
PLACES = [PROJECT / "tests" / "contract", PROJECT / "tests" / "service"]

ENDPOINT_TESTS = "tests/contract/test_itinerary_endpoints.py"
ERROR_TESTS = "tests/contract/test_itinerary_errors.py"
SAME_FIELDS = f"{ERROR_TESTS}::test_client_and_service_refuse_the_same_trips_at_the_same_fields"

# Tests of itineraries have no `covers` mark; they cover these rows.
ITINERARY_ROWS: dict[str, list[str]] = {
    "Endpoints: POST /itineraries/{organizationId}": [
        f"{ENDPOINT_TESTS}::test_add_returns_a_modification_result",
        f"{ENDPOINT_TESTS}::test_add_creates_expected_locations_for_every_traveler_and_place",
    ],
    "Endpoints: POST /itineraries/{organizationId}/batch": [
        f"{ENDPOINT_TESTS}::test_a_batch_add_succeeds_row_by_row",
        f"{ENDPOINT_TESTS}::test_a_batch_add_that_partly_fails_reports_the_failed_rows",
        f"{ENDPOINT_TESTS}::test_a_batch_add_that_fails_entirely_returns_a_result",
    ],
    "Endpoints: PUT /itineraries/{organizationId}/{id}": [
        f"{ENDPOINT_TESTS}::test_update_replaces_the_trip_and_its_expected_locations",
    ],
    "Endpoints: DELETE /itineraries/{organizationId}/{id}": [
        f"{ENDPOINT_TESTS}::test_delete_removes_the_trip_and_its_expected_locations",
    ],
    "Endpoints: POST /itineraries/query/{organizationId}": [
        f"{ENDPOINT_TESTS}::test_search_finds_several_values_of_either_field",
        f"{ENDPOINT_TESTS}::test_search_returns_pages_of_1000",
    ],
    "Endpoints: DELETE /itineraries/{organizationId}/batch": [
        f"{ENDPOINT_TESTS}::test_a_batch_delete_succeeds_fails_or_partly_fails_by_row",
    ],
    "Endpoints: GET /itineraries/expectedLocations/{organizationId}/{id}": [
        f"{ENDPOINT_TESTS}::test_windows_open_a_day_before_departure_and_close_a_day_after_arrival",
        f"{ENDPOINT_TESTS}::test_every_page_of_expected_locations_is_read_once",
    ],
    "Errors: Itineraries 400 Travel matching error, no contact matching.": [
        f"{ERROR_TESTS}::test_travelers_without_a_contact_are_refused_on_add_and_update",
        f"{ENDPOINT_TESTS}::test_a_batch_add_that_partly_fails_reports_the_failed_rows",
    ],
    "Errors: Itineraries 400 The itinerary does not contain any segments": [SAME_FIELDS],
    "Errors: Itineraries 400 All segments of the itinerary are invalid, PNR creation failed": [
        f"{ERROR_TESTS}::test_trips_with_only_invalid_segments_are_refused_on_add_and_update",
    ],
    'Errors: Itineraries 400 Field ["segments.type"] is empty.': [SAME_FIELDS],
    "Errors: Itineraries 401 Invalid credentials: Get User failed": [
        f"{ERROR_TESTS}::test_wrong_credentials_are_reported_whatever_the_status",
    ],
    "Errors: Itineraries 404 Invalid credentials: Get User failed": [
        f"{ERROR_TESTS}::test_wrong_credentials_are_reported_whatever_the_status",
    ],
    "Errors: Itineraries 401 Can not find the trip itinerary with ID. <id> within the organization <organizationId>.": [
        f"{ERROR_TESTS}::test_an_unknown_trip_is_not_found_whatever_the_status",
    ],
    "Limits: Batch add, no contact to create": [
        f"{ERROR_TESTS}::test_the_service_refuses_batches_larger_than_the_client_sends",
    ],
    "Limits: Batch add, contacts to create": [
        f"{ENDPOINT_TESTS}::test_a_batch_add_above_the_limits_uses_several_calls",
    ],
    "Limits: Batch delete": [
        f"{ENDPOINT_TESTS}::test_search_returns_pages_of_1000",
        f"{ERROR_TESTS}::test_the_service_refuses_batches_larger_than_the_client_sends",
    ],
}


@cache
def find_covered_rows() -> dict[str, list[str]]:
    """Return the rows that `@covers(…)` names, each with its tests."""
    tests_by_row: dict[str, list[str]] = {}
    for path in sorted(path for place in PLACES for path in place.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
                continue
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "covers":
                    for argument in decorator.args:
                        row = ast.literal_eval(argument)
                        tests_by_row.setdefault(row, []).append(f"{path.relative_to(PROJECT)}::{node.name}")
    return tests_by_row


ROWS = {
    *(f"Endpoints: {endpoint}" for _, endpoint in endpoints()),
    *(f"Errors: {area} {status} {message}" for area, status, message in errors()),
    *(f"Limits: {name}" for name, _ in limits()),
}


def test_the_tables_are_read_completely() -> None:
    by_section = {name: sum(row.startswith(name) for row in ROWS) for name in ("Errors", "Limits")}
    assert by_section == {"Errors": 7 + 2 + 6 + 4, "Limits": 3 + 1 + 2 + 1 + 2 + 1}


@pytest.mark.parametrize("row", sorted(ROWS))
def test_every_row_is_named_by_a_test(row: str) -> None:
    assert find_covered_rows().get(row, []) + ITINERARY_ROWS.get(row, [])


def test_every_name_is_a_row() -> None:
    assert ({*find_covered_rows(), *ITINERARY_ROWS}) - ROWS == set()


def test_tests_of_itinerary_rows_exist() -> None:
    for name in {name for names in ITINERARY_ROWS.values() for name in names}:
        path, _, function = name.partition("::")
        tree = ast.parse((PROJECT / path).read_text(encoding="utf-8"))
        assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, name
