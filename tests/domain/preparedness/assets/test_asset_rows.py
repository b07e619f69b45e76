"""Rows of files as assets: the limits of every field, and conversion from file to request and back."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from client.models.asset_rules import asset_problems
from client.models.assets import Asset, AssetAddress, AssetProperty
from client.vocabulary.assets import EARLIEST_MOMENT, LATEST_MOMENT, LENGTHS
from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import build_result_frame
from domain.geography.countries import country_code
from domain.preparedness.assets.asset_rows import (
    ADD,
    CHANGE,
    COLUMNS,
    DELETE,
    build_payload,
    build_row,
    find_column,
    find_sent_assets,
)
from domain.tables.spreadsheet import to_csv, to_xlsx
from journal import Done, Item, ItemStatus, Job
from journal.journal_database import utc_now

COMPLETE_ROW = {"name": "Depot", "externalId": "D-1", "assetTypeId": "depot"}
POINT = '{"type": "Point", "coordinates": [8.5, 47.4]}'


def check_of(declaration: ImportDeclaration, *rows: dict[str, str]) -> Check:
    return Check.of_rows(declaration, "assets", rows)


def build_payloads(check: Check) -> list[dict[str, Any]]:
    return [dict(item.payload) for item in check.build_items()]


def find_errors(row: dict[str, str], declaration: ImportDeclaration = ADD) -> dict[str, list[str]]:
    messages = check_of(declaration, COMPLETE_ROW | row).cell_messages(0)
    return {column: [words for words, is_error in found if is_error] for column, found in messages.items()}


@pytest.mark.parametrize(("path", "longest"), LENGTHS.items())
def test_a_text_has_a_maximum_length(path: str, longest: int) -> None:
    name = path.rpartition(".")[2]
    assert check_of(ADD, COMPLETE_ROW | {name: "x" * longest}).is_ready.all()
    assert find_errors({name: "x" * (longest + 1)}) == {name: [f"The value is longer than {longest:,} characters."]}


@pytest.mark.parametrize("name", [column.name for column in COLUMNS if column.required])
def test_a_missing_required_value_is_reported_at_its_cell(name: str) -> None:
    assert find_errors({name: ""}) == {name: ["A value is required."]}


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        ({"startTimestamp": "31.02.2027"}, "startTimestamp", "date or time isn’t valid"),
        ({"startTimestamp": str(LATEST_MOMENT + 1)}, "startTimestamp", "years 1 to 9999"),
        ({"endTimestamp": str(EARLIEST_MOMENT - 1)}, "endTimestamp", "years 1 to 9999"),
        ({"startTimestamp": "2026-11-21", "endTimestamp": "2026-11-20"}, "endTimestamp", "before the start"),
        ({"latitude": "91", "longitude": "0"}, "latitude", "The value is more than 90"),
        ({"latitude": "0", "longitude": "-181"}, "longitude", "The value is less than -180"),
        ({"latitude": "1"}, "longitude", "both latitude and longitude"),
        ({"longitude": "1"}, "latitude", "both latitude and longitude"),
        ({"geometry": POINT, "latitude": "1", "longitude": "1"}, "geometry", "not both"),
        ({"geometry": "POINT (1 2)"}, "geometry", "as GeoJSON"),
        ({"geometry": '{"type": "Point", "coordinates": [29.2, 97.9]}'}, "geometry", "longitude and then latitude"),
        ({"geometry": '{"type": "LineString", "coordinates": [[0, 0]]}'}, "geometry", "two positions"),
        ({"geometry": '{"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,1]]]}'}, "geometry", "end where"),
        ({"geometry": '{"type": "Feature", "geometry": null}'}, "geometry", "GeoJSON geometry"),
        ({"properties": "Floors: 3"}, "properties", "as JSON"),
        ({"properties": "3"}, "properties", "or a list"),
        ({"properties": '[{"value": 3}]'}, "properties", "needs a name or a propertyId"),
        ({"properties": '[{"name": 3, "value": 3}]'}, "properties", "in quotation marks"),
        ({"properties": '[{"name": "Floors", "valeu": 3}]'}, "properties", "a name, a propertyId, and a value"),
        ({"properties": '{"Far": 1e999}'}, "properties", "as JSON"),
        ({"properties": '{"Half": "\\ud800"}'}, "properties", "as JSON"),
    ],
    ids=str,
)
def test_an_invalid_value_is_reported_at_its_cell(row: dict[str, str], column: str, words: str) -> None:
    found = find_errors(row)
    assert list(found) == [column]
    assert words in " ".join(found[column])


def test_a_swapped_geometry_that_contradicts_its_country_can_be_fixed() -> None:
    area = '{"type": "Polygon", "coordinates": [[[47.3, 8.5], [47.4, 8.5], [47.4, 8.6], [47.3, 8.5]]]}'
    check = check_of(ADD, COMPLETE_ROW | {"geometry": area, "country": "Switzerland"})
    assert find_errors({"geometry": area, "country": "Switzerland"}) == {
        "geometry": ["These coordinates don’t match the country (Switzerland)."]
    }
    [(offer, rows)] = check.offers()
    assert offer.label == "Swap latitude and longitude of the geometry in {}"
    check.accept(offer, rows)
    [item] = check.outgoing()
    assert json.loads(item.payload["geometry"])["coordinates"][0][0] == [8.5, 47.3]


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ('{"Floors": 3, "value": null}', [("Floors", None, 3), ("value", None, None)]),
        ('{"propertyId": "p", "value": [1, {"a": null}]}', [(None, "p", [1, {"a": None}])]),
        ('[{"name": "N", "propertyId": "p", "value": false}]', [("N", "p", False)]),
        ("[]", []),
    ],
)
def test_properties_are_an_object_or_a_list(text: str, properties: list[tuple[Any, ...]]) -> None:
    [payload] = build_payloads(check_of(ADD, COMPLETE_ROW | {"properties": text}))
    found = [(each.get("name"), each.get("propertyId"), each["value"]) for each in payload.get("properties", [])]
    assert found == properties


def test_a_position_is_sent_longitude_first_and_days_as_moments() -> None:
    row = {"latitude": "47.4", "longitude": "8.5", "startTimestamp": "1970-01-02", "endTimestamp": "1970-01-02"}
    [payload] = build_payloads(check_of(ADD, COMPLETE_ROW | row))
    assert json.loads(payload["geometry"]) == {"type": "Point", "coordinates": [8.5, 47.4]}
    assert (payload["startTimestamp"], payload["endTimestamp"]) == (86_400_000, 2 * 86_400_000 - 1)


def test_the_features_of_a_geojson_file_are_assets() -> None:
    feature = {"type": "Feature", "properties": COMPLETE_ROW | {"city": "Zurich"}, "geometry": json.loads(POINT)}
    check = Check.of(ADD, "assets.geojson", json.dumps({"type": "FeatureCollection", "features": [feature]}).encode())
    [payload] = build_payloads(check)
    assert json.loads(payload["geometry"]) == json.loads(POINT)
    assert payload["address"] == {"city": "Zurich"}


def test_a_repeated_id_is_an_error_in_changes_and_deletions() -> None:
    for declaration in (CHANGE, DELETE):
        check = check_of(
            declaration, COMPLETE_ROW | {"id": "a"}, COMPLETE_ROW | {"id": "a"}, COMPLETE_ROW | {"id": "b"}
        )
        assert check.with_errors.tolist() == [False, True, False]


def test_an_error_of_a_field_is_at_its_column() -> None:
    fields = ["name", "address.city", "properties[0].name", "properties[2]", "geometry", "body", "", "id"]
    assert [find_column(each) for each in fields] == [
        "name",
        "city",
        "properties",
        "properties",
        "geometry",
        "",
        "",
        "id",
    ]


# Texts that survive a file, which strips spaces and drops characters that are not printable.
texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp", "Cn", "Co"]), min_size=1, max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
# Not around 0, 0, which counts as missing coordinates.
longitudes, latitudes = st.floats(1, 180), st.floats(-90, 90)
positions = st.tuples(longitudes, latitudes).map(list)
rings = st.lists(positions, min_size=3, max_size=6).map(lambda ring: [*ring, ring[0]])
geometries = st.one_of(
    positions.map(lambda at: {"type": "Point", "coordinates": at}),
    st.lists(positions, min_size=2, max_size=5).map(lambda line: {"type": "LineString", "coordinates": line}),
    st.lists(rings, min_size=1, max_size=2).map(lambda polygon: {"type": "Polygon", "coordinates": polygon}),
)


def normalize(text: str) -> str:
    import unicodedata

    return re.sub("[\u200b\u2060\ufeff]", "", unicodedata.normalize("NFC", text)).strip()


@st.composite
def assets(draw: st.DrawFn) -> Asset:
    word = texts.map(normalize).filter(lambda text: text and not text.startswith("'"))
    maybe = st.none() | word
    # The position of an asset may contradict a known country.
    country = maybe.filter(lambda text: text is None or country_code(text) is None)
    start = draw(st.none() | st.integers(EARLIEST_MOMENT, LATEST_MOMENT))
    end = draw(st.none() | st.integers(start or EARLIEST_MOMENT, LATEST_MOMENT))
    properties = st.builds(AssetProperty, name=word, property_id=maybe, value=values)
    return Asset(
        name=draw(word),
        external_id=draw(word),
        asset_type_id=draw(word),
        category=draw(maybe),
        icon_id=draw(maybe),
        notes=draw(maybe),
        geometry=draw(st.none() | geometries.map(json.dumps)),
        start_timestamp=start,
        end_timestamp=end,
        address=AssetAddress(city=draw(maybe), country=draw(country), street_address1=draw(maybe)),
        properties=draw(st.lists(properties, max_size=2)),
    )


def build_table(rows: list[Asset]) -> Any:
    check = check_of(ADD, *(build_row(each) for each in rows))
    return check.source.frame


@given(rows=st.lists(assets(), min_size=1, max_size=4), workbook=st.booleans())
@example(rows=[Asset(name="=1+1", external_id="-3", asset_type_id="@x")], workbook=False)
@example(
    rows=[Asset(name="a", external_id="b", asset_type_id="c", properties=[AssetProperty(name="p", value="u\u0308")])],
    workbook=False,
)
@settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_assets_survive_from_file_to_request_to_result_and_back(rows: list[Asset], workbook: bool) -> None:
    table = build_table(rows)
    name, content = ("a.xlsx", to_xlsx(table, "assets")) if workbook else ("a.csv", to_csv(table))
    check = Check.of(ADD, name, content)
    assert check.is_ready.all(), [check.cell_messages(row) for row in range(check.source.rows)]
    items = list(check.build_items())
    payloads = [each.to_wire() for each in rows]
    assert [item.payload for item in items] == payloads
    assert [asset_problems(Asset.model_validate(item.payload)) for item in items] == [[]] * len(rows)

    job = Job(
        id=1,
        kind=ADD.kind,
        name=name,
        digest="",
        created_by="ana",
        created_at=utc_now(),
        finished_at=None,
        state="done",
        is_owned=False,
        message=None,
        run_at=None,
        run_from=0,
        settings={"headers": check.headers},
        counts={"done": len(rows)},
    )
    done = [
        Item(place, "", item.label, json.dumps(item.payload), json.dumps(item.rows), ItemStatus("done", f"id-{place}"))
        for place, item in enumerate(items)
    ]
    again = Check.of(CHANGE, "result.csv", to_csv(build_result_frame(ADD, job, done)))
    assert again.is_ready.all(), [again.cell_messages(row) for row in range(again.source.rows)]
    assert [item.payload for item in again.build_items()] == [
        payload | {"id": f"id-{place}"} for place, payload in enumerate(payloads)
    ]


@given(st.data())
@settings(max_examples=10, deadline=None)
def test_a_ready_row_passes_all_checks_of_the_client(data: st.DataObject) -> None:
    cell = st.sampled_from(["", "7", "x" * 201, "y" * 21, "2026-11-20", "{}", "[]", POINT, "95", "-1e9", "{'a'}", "0"])
    row = {column.name: data.draw(cell) for column in COLUMNS}
    check = check_of(ADD, COMPLETE_ROW | {name: text for name, text in row.items() if text})
    for record in check.ready.records():
        assert asset_problems(Asset.model_validate(build_payload(record))) == []


def test_the_list_has_assets_as_last_sent_without_deleted_ones() -> None:
    def build_done(kind: str, result_id: str | None, at: int, **payload: Any) -> Done:
        return Done(kind, payload, result_id, "ana", utc_now().replace(microsecond=at))

    sent_assets = find_sent_assets(
        [
            build_done(ADD.kind, "a", 1, name="First"),
            build_done(ADD.kind, "b", 2, name="Second"),
            build_done(ADD.kind, None, 3, name="Without an id"),
            build_done(CHANGE.kind, None, 4, id="a", name="First, renamed"),
            build_done(CHANGE.kind, "c", 5, id="c", name="From elsewhere"),
            build_done(DELETE.kind, "b", 6, id="b"),
        ]
    )
    assert [(each.id, each.asset.name) for each in sent_assets] == [("a", "First, renamed"), ("c", "From elsewhere")]
