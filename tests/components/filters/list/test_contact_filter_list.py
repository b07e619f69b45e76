"""The list of contact filters as a table: incomplete records, search, order, and names in the URL."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from client import ServiceFailed
from client.models.contact_filters import ContactFilter
from client.paging import Page
from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.record_list.declaration import AllRecords, ListQuery
from components.record_list.list_data import build_file_table, filter_records
from domain.filters.filter_change import describe_last_change, key_for_name, read_filters, sort_by_name, summarize_list
from domain.filters.names.id_names import IdNames

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LONG_ID = 9_223_372_036_854_775_807


def record(**fields: Any) -> ContactFilter:
    """Return a record of the list."""
    return ContactFilter.from_wire(fields)


FULL = record(
    id=LONG_ID,
    name="Expected in France",
    contactFilterRules=[{"columnName": "country"}, {"columnName": "city"}],
    lastModifiedDate=1_763_640_000_000,
    lastModifiedName="Ana Silva",
)
THIN = record(id=0, name="contractors", lastModifiedDate=0, lastModifiedId=0, contactFilterRules=[])
BARE = record(id=12, lastModifiedTime=1_763_000_000_000, lastModifiedId=41)
ALL = [FULL, THIN, BARE]


def row(contact_filter: ContactFilter) -> dict[str, Any]:
    """Return the row of a filter in the table."""
    (listed,) = sort_by_name([contact_filter])
    return {name: column.value(listed) for name, column in CONTACT_FILTERS.columns.items()} | {"key": listed.key}


def find_keys(text: str) -> list[str]:
    """Return the keys of the filters that a search finds."""
    read = CONTACT_FILTERS.source
    assert isinstance(read, AllRecords)
    return [each.key for each in filter_records(CONTACT_FILTERS, read, sort_by_name(ALL), ListQuery(), text)]


def test_a_complete_record_is_listed_with_all_fields_and_its_exact_id() -> None:
    cells = row(FULL)
    assert (cells["key"], cells["id"], cells["rules"], cells["by"]) == (str(LONG_ID), str(LONG_ID), 2, "Ana Silva")
    assert cells["changed"] == datetime(2025, 11, 20, 12, 0, tzinfo=UTC)


def test_missing_fields_of_a_record_are_empty_in_the_list() -> None:
    cells = row(THIN)
    assert [cells[name] for name in ("rules", "changed", "by", "id")] == [None] * 4
    assert cells["key"] == "name:contractors"
    assert (row(BARE)["by"], row(BARE)["name"]) == ("user 41", None)
    assert describe_last_change(THIN) == "Last change unknown"
    assert describe_last_change(BARE, NOW) == "Last changed by user 41 on Thu, Nov 13, 2025, 02:13 UTC"


def test_records_without_id_and_name_have_distinct_keys() -> None:
    assert [each.key for each in sort_by_name([record(), record(), FULL])] == [str(LONG_ID), "row:0", "row:1"]


def test_the_summary_gives_the_count_and_the_latest_change() -> None:
    assert summarize_list(sort_by_name(ALL), NOW) == (
        "3 filters · latest change: “Expected in France” by Ana Silva, Thu, Nov 20, 2025, 12:00 UTC"
    )
    assert summarize_list(sort_by_name([THIN]), NOW) == "1 filter"
    assert summarize_list([], NOW) == "0 filters"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", 3),
        ("  ", 3),
        ("FRANCE", 1),
        ("france expected", 1),
        ("france spain", 0),
        (str(LONG_ID), 1),
        ("12", 1),
        ("1", 1),
    ],
)
def test_a_search_matches_all_words_of_a_name_or_part_of_an_id(text: str, keys: int) -> None:
    assert len(find_keys(text)) == keys


def test_names_are_sorted_without_regard_to_case() -> None:
    listed = sort_by_name([record(id=100, name="b"), record(id=20, name="A"), record(id=3, name="C"), record(id=4)])
    assert [each.key for each in listed] == ["20", "100", "3", "4"]


def test_a_url_may_contain_the_name_of_a_filter() -> None:
    listed = sort_by_name(ALL)
    assert key_for_name(listed, "Expected in France") == str(LONG_ID)
    assert key_for_name(listed, " contractors ") == "name:contractors"
    assert key_for_name(listed, "Nobody") == "name:Nobody"
    assert key_for_name(sort_by_name([record(id=1, name="Same"), record(id=2, name="Same")]), "Same") == "name:Same"


def test_the_file_has_ids_as_text() -> None:
    table = build_file_table(CONTACT_FILTERS, sort_by_name(ALL))
    assert list(table.columns) == ["Name", "Rules", "Rules as text", "Time span", "Last changed (UTC)", "By", "ID"]
    assert table.iloc[1]["ID"] == str(LONG_ID)


def test_filters_read_before_a_page_fails_are_shown() -> None:
    failure = ServiceFailed("gone")
    progress: list[tuple[int, int | None]] = []

    def raise_failure(_: int) -> Page[ContactFilter]:
        raise failure

    def read_until_failure(*items: ContactFilter) -> Any:
        page = Page(list(items), 1, total_count=3, has_next=True, load=raise_failure)
        client: Any = SimpleNamespace(contact_filters=SimpleNamespace(list=lambda: page))
        return read_filters(client, lambda *far: progress.append(far))

    assert (len(read_until_failure(FULL, THIN).records), read_until_failure(FULL, THIN).error, progress[0]) == (
        2,
        failure,
        (2, 3),
    )

    client: Any = SimpleNamespace(contact_filters=SimpleNamespace(list=lambda: raise_failure(1)))
    with pytest.raises(ServiceFailed):
        read_filters(client, lambda *_: None)


def test_the_search_finds_what_is_in_the_rules_by_code_name_and_id() -> None:
    """Also columns, and groups by the name that the organization has given their ID."""
    place = {"type": "SYSTEM_EXPECTED_OBJECT", "dataType": "STRING", "operator": "E", "embeddedColumnName": "address"}
    rules = [
        {**place, "columnName": "iata", "columnValue": "LHR"},
        {"type": "SYSTEM_ARRAY", "columnName": "groups", "dataType": "NUMBER", "operator": "IN", "columnValue": [310]},
        {"type": "CUSTOM", "attributeId": 4001, "attributeValues": ["Sales"], "dataType": "STRING", "operator": "E"},
    ]
    filters = [record(id=number, name=f"F{number}", contactFilterRules=[rule]) for number, rule in enumerate(rules, 1)]
    names = IdNames({"group": {310: "Fire wardens"}, "custom attribute": {4001: "Department"}})
    listed = sort_by_name(filters, names)
    read = CONTACT_FILTERS.source
    assert isinstance(read, AllRecords)
    for text, found in {
        "LHR": ["1"],
        "heathrow": ["1"],
        "airport": ["1"],
        "310": ["2"],
        "wardens": ["2"],
        "department": ["3"],
        "sales": ["3"],
        "fire sales": [],
    }.items():
        assert [each.key for each in filter_records(CONTACT_FILTERS, read, listed, ListQuery(), text)] == found, text
