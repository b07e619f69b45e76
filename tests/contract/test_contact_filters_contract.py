"""The six contact filter endpoints, client and service over real HTTP, and their two readings of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from client import Invalid, NotFound, ServiceClient
from client.classify import classify
from client.models.contact_filter_rules import contact_filter_problems
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.vocabulary.contact_filters import COLUMNS, FilterColumn
from client.vocabulary.limits import CONTACT_FILTER_PAGE_SIZE
from tests.contract.covering import covers
from tests.filter_rules import OPERATORS, allowed_filters, forbidden_filters
from tests.running_service import RunningService

RULE = ContactFilterRule.for_column(COLUMNS[0], "E", "Ana", contact_field_id=1)


def filter_of(name: str = "Anas", *rules: ContactFilterRule) -> ContactFilter:
    return ContactFilter(name=name, contact_filter_rules=list(rules) or [RULE])


@covers("Endpoints: POST /contactFilters/{organizationId}")
def test_creating_a_filter_returns_a_modification_result(client: ServiceClient, service: RunningService) -> None:
    result = client.contact_filters.create(filter_of())
    assert result.message == "OK"
    assert result.base_uri == f"{service.url}/rest/contactFilters/8800/"
    assert result.instance_uri == f"{result.base_uri}{result.id}"


@covers(
    "Endpoints: GET /contactFilters/{organizationId}/{queryValue}",
    "Endpoints: POST /contactFilters/{organizationId}/{contactFilterId}",
)
def test_a_filter_is_read_by_id_by_name_and_by_post(client: ServiceClient) -> None:
    name = "Anas & others / 100 %"
    created = client.contact_filters.create(filter_of(name))
    by_id = client.contact_filters.retrieve(created.id)
    assert by_id == client.contact_filters.retrieve_by_name(name)
    assert by_id == client.contact_filters.retrieve_by_post(created.id)
    assert (by_id.id, by_id.name, by_id.contact_filter_type, by_id.status) == (created.id, name, "ContactRule", "A")
    assert (by_id.organization_id, by_id.created_name, by_id.last_modified_name) == (8800, "Ana Silva", "Ana Silva")
    assert by_id.created_date is not None
    assert by_id.created_date == by_id.last_modified_date == by_id.last_modified_time
    assert isinstance(by_id.dirty, bool)
    assert [{key: value for key, value in rule.to_wire().items() if key != "id"} for rule in by_id.rules] == [
        RULE.to_wire()
    ]
    assert all(rule.id for rule in by_id.rules)


@covers("Endpoints: PUT /contactFilters/{organizationId}/{contactFilterId}")
def test_a_filter_is_replaced(client: ServiceClient) -> None:
    created = client.contact_filters.create(filter_of())
    stored = client.contact_filters.retrieve(created.id)
    other = ContactFilterRule.for_column(COLUMNS[1], "LIKE", "il", contact_field_id=2)
    changed = stored.model_copy(update={"name": "Others", "contact_filter_rules": [*stored.rules, other]})
    assert client.contact_filters.update(created.id, changed, stored=stored).id == created.id
    now = client.contact_filters.retrieve(created.id)
    assert (now.name, [rule.column_name for rule in now.rules]) == ("Others", ["firstName", "lastName"])
    assert now.created_date == stored.created_date
    with pytest.raises(NotFound):
        client.contact_filters.retrieve_by_name("Anas")


@covers("Endpoints: DELETE /contactFilters/{organizationId}/{contactFilterId}")
def test_a_filter_deleted_by_id_or_by_name_is_no_longer_visible(client: ServiceClient) -> None:
    first, second = client.contact_filters.create(filter_of()), client.contact_filters.create(filter_of("Old ones"))
    assert client.contact_filters.delete(first.id).id == first.id
    assert client.contact_filters.delete_by_name("Old ones").id == second.id
    assert client.contact_filters.list().items == []
    for call in (
        lambda: client.contact_filters.retrieve(first.id),
        lambda: client.contact_filters.retrieve_by_post(first.id),
        lambda: client.contact_filters.update(first.id, filter_of()),
        lambda: client.contact_filters.delete(first.id),
        lambda: client.contact_filters.delete_by_name("Old ones"),
    ):
        with pytest.raises(NotFound):
            call()


@covers("Endpoints: GET /contactFilters/{organizationId}")
def test_filters_are_listed_in_pages_of_100(client: ServiceClient) -> None:
    assert client.contact_filters.list().items == []
    ids = [client.contact_filters.create(filter_of(f"F{number}")).id for number in range(CONTACT_FILTER_PAGE_SIZE + 2)]
    first, second = client.contact_filters.list(), client.contact_filters.list(page_number=2)
    assert (len(first.items), first.page_size, first.total_count, first.total_pages, first.has_next) == (
        CONTACT_FILTER_PAGE_SIZE,
        CONTACT_FILTER_PAGE_SIZE,
        len(ids),
        2,
        True,
    )
    assert (len(second.items), second.has_next) == (2, False)
    assert sorted(found.id or 0 for found in client.contact_filters.list()) == sorted(ids)


@pytest.fixture(scope="module")
def shared_service() -> Iterator[RunningService]:
    with RunningService() as running:
        yield running


def check_with_service(service: RunningService, payload: dict[str, Any]) -> Exception | None:
    """Return the error of the service for a filter, or None. Deletes an accepted filter."""
    path = f"/contactFilters/{service.organization_id}"
    answer = service.http.post(path, json=payload)
    if answer.status_code == 200:
        assert service.http.delete(f"{path}/{answer.json()['id']}").status_code == 200
    return classify(answer.status_code, answer.content)


few_examples = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@few_examples
@given(allowed_filters)
def test_client_and_service_accept_what_the_column_table_allows(
    shared_service: RunningService, payload: dict[str, Any]
) -> None:
    assert contact_filter_problems(ContactFilter.from_wire(payload)) == []
    assert check_with_service(shared_service, payload) is None


@few_examples
@given(forbidden_filters)
def test_client_and_service_refuse_what_the_column_table_forbids(
    shared_service: RunningService, payload: dict[str, Any]
) -> None:
    assert contact_filter_problems(ContactFilter.from_wire(payload))
    assert isinstance(check_with_service(shared_service, payload), Invalid)


def sample_rule(column: FilterColumn, operator: str) -> dict[str, Any]:
    sample: Any = {"STRING": "a", "NUMBER": 7, "DATE": 1_700_000_000_000, "BOOLEAN": True}[column.data_type]
    value = {"IN": [sample], "NIN": [sample], "BETWEEN": [sample, sample], "ISNULL": None, "NOTNULL": None}
    pattern = ["NOW", None, None]
    built = ContactFilterRule.for_column(
        column,
        operator,
        pattern if column.name in ("expectedDate", "shiftDate") else value.get(operator, sample),
        contact_field_id=5,
    )
    return built.to_wire()


def test_client_and_service_refuse_operators_that_a_column_does_not_have(shared_service: RunningService) -> None:
    """The client gets every operator, the service a sample; the filter builder's tests cover the valid ones."""
    for offset, column in enumerate(COLUMNS):
        others = [operator for operator in OPERATORS if operator not in column.operators]
        for number, operator in enumerate(others):
            payload = {"name": "F", "contactFilterRules": [sample_rule(column, operator)]}
            assert contact_filter_problems(ContactFilter.from_wire(payload)), (column, operator)
            if (number + offset) % 4 == 0:
                error = check_with_service(shared_service, payload)
                assert isinstance(error, Invalid), (column, operator)
                assert [entry.field for entry in error.field_errors] == ["contactFilterRules[0].operator"]


def test_a_duplicate_name_is_refused(client: ServiceClient) -> None:
    from client import Duplicate

    client.contact_filters.create(filter_of())
    with pytest.raises((Invalid, Duplicate)):
        client.contact_filters.create(filter_of())


def test_every_filter_of_the_demo_is_read_and_written_back_unchanged(demo_client: ServiceClient) -> None:
    filters = list(demo_client.contact_filters.list())
    assert filters
    for listed_filter in filters:
        assert listed_filter.id is not None
        stored = demo_client.contact_filters.retrieve(listed_filter.id)
        assert contact_filter_problems(stored, stored=stored) == []
        sent = stored.to_wire()["contactFilterRules"]
        raw = demo_client.contact_filters.retrieve(listed_filter.id)
        assert sent == raw.to_wire()["contactFilterRules"]
