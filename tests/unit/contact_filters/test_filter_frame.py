"""The list of contact filters as a table: thin records, search, order, what the address names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pandas as pd
import pytest

from client.models.contact_filters import ContactFilter
from client.paging import Page
from components.contact_filters.filter_frame import (
    answer,
    by_key,
    downloaded,
    filter_frame,
    found,
    last_change,
    picked_keys,
    query_for,
)
from components.contact_filters.listing import Listing, alike, how_far

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
LONG_ID = 9_223_372_036_854_775_807


def record(**fields: Any) -> ContactFilter:
    """A record of the list."""
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


def test_a_full_record_is_told_whole_and_its_id_to_the_digit() -> None:
    row = filter_frame(ALL).iloc[1]
    assert (row["key"], row["id"], row["rules"], row["by"]) == (str(LONG_ID), str(LONG_ID), 2, "Ana Silva")
    assert row["changed"].to_pydatetime() == datetime(2025, 11, 20, 12, 0, tzinfo=UTC)


def test_what_a_thin_record_does_not_tell_is_missing_and_no_0_and_no_1970() -> None:
    table = filter_frame(ALL)
    assert table.iloc[0][["rules", "changed", "by", "id"]].isna().all()
    assert table.iloc[0]["key"] == "name:contractors"
    assert (table.iloc[2]["by"], pd.isna(table.iloc[2]["name"])) == ("user 41", True)
    assert last_change(THIN) == "who changed it last, and when, is not told"
    assert last_change(BARE, NOW) == "last changed by user 41 on Thu 13 Nov 2025, 02:13 UTC"


def test_records_without_id_and_name_are_kept_apart_by_their_place() -> None:
    assert list(by_key([record(), record(), FULL])) == ["row:0", "row:1", str(LONG_ID)]


def test_an_empty_organization_is_an_empty_table() -> None:
    table = filter_frame([])
    assert table.empty
    assert answer(table, NOW) == "0 filters"
    assert found(table, "x").empty


def test_the_answer_counts_and_names_the_latest_change() -> None:
    assert answer(filter_frame(ALL), NOW) == (
        "3 filters · the latest change: “Expected in France” by Ana Silva, Thu 20 Nov 2025, 12:00 UTC"
    )
    assert answer(filter_frame([THIN]), NOW) == "1 filter"


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
        ("1", 0),
    ],
)
def test_names_are_found_by_every_word_and_ids_whole(text: str, keys: int) -> None:
    assert len(found(filter_frame(ALL), text)) == keys


def test_names_are_in_order_without_regard_to_case() -> None:
    table = filter_frame([record(id=100, name="b"), record(id=20, name="A"), record(id=3, name="C"), record(id=4)])
    assert list(table["name"].iloc[:3]) == ["A", "b", "C"]
    assert list(table["id"]) == ["20", "100", "3", "4"]


def test_the_address_names_filters_by_id_and_by_name() -> None:
    table = filter_frame(ALL)
    assert picked_keys({"id": [str(LONG_ID), " "], "name": ["Expected in France", "contractors", ""]}, table) == [
        str(LONG_ID),
        "name:contractors",
    ]
    assert picked_keys({"name": ["Nobody"]}, table) == ["name:Nobody"]
    assert query_for([str(LONG_ID), "name:contractors", "row:4"]) == {"id": [str(LONG_ID)], "name": ["contractors"]}


def test_two_filters_of_one_name_are_not_taken_for_one_another() -> None:
    table = filter_frame([record(id=1, name="Same"), record(id=2, name="Same")])
    assert picked_keys({"name": ["Same"]}, table) == ["name:Same"]


def test_the_file_has_ids_as_text() -> None:
    taken = downloaded(filter_frame(ALL))
    assert list(taken.columns) == ["Id", "Name", "Rules", "Last changed (UTC)", "Changed by"]
    assert taken.iloc[1]["Id"] == str(LONG_ID)


def test_a_list_is_asked_for_again_after_a_while() -> None:
    listing = Listing((), NOW)
    assert listing.is_fresh(NOW.replace(minute=1))
    assert not listing.is_fresh(NOW.replace(minute=2))


def test_what_may_have_been_meant_is_found_within_names() -> None:
    assert alike(ALL, "FRANCE") == ["Expected in France"]
    assert alike(ALL, "expcted in franse") == ["Expected in France"]


def test_a_long_reading_says_how_far_it_is() -> None:
    assert how_far(Page([], 1), 100) == "100 filters read, 1 page"
    assert how_far(Page([], 12, total_count=2_400), 1_200) == "1,200 of 2,400 filters read, 12 pages"
    assert how_far(Page([], 2, total_count=90), 150) == "150 of 150 filters read, 2 pages"
