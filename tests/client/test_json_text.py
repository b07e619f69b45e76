"""JSON from users: deeply nested JSON is refused when it is read."""

import json

import pytest

from client.json_text import DEEPEST, NestedTooDeeply, parse_json
from client.models.assets import parsed_geometry
from domain.file_import.checking import Check
from domain.file_import.delimited import Unreadable
from domain.filters.values import read_same_type
from domain.preparedness.assets.asset_rows import ADD
from domain.trips.trip_import.trip_json import read_trips


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_text_that_can_be_copied_and_written_is_read() -> None:
    assert json.dumps(parse_json(nested(DEEPEST))) == nested(DEEPEST)


# Python parses 900 levels, but functions that recurse through them would fail.
@pytest.mark.parametrize("levels", [DEEPEST + 1, 900, 100_000])
def test_deeply_nested_json_is_refused_everywhere(levels: int) -> None:
    deep = nested(levels)
    with pytest.raises(NestedTooDeeply):
        parse_json(deep)
    assert read_same_type(0, deep).problem is not None
    assert read_trips(deep) is None
    with pytest.raises(Unreadable):
        Check.of(ADD, "assets.json", f'[{{"name": {deep}}}]')
    check = Check.of_rows(ADD, "assets", [{"name": "Depot", "properties": f'{{"Floors": {deep}}}'}])
    assert "properties" in check.cell_messages(0)


def test_a_deeply_nested_geometry_from_the_service_counts_as_missing() -> None:
    assert parsed_geometry(nested(100_000)) is None
