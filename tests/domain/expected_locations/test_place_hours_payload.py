"""The binary payload of people by place and hour for the browser."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
from numpy.testing import assert_array_equal

from domain.expected_locations.place_hours import Arcs, PlaceHours
from domain.expected_locations.place_hours_payload import payload_of


def build_counts(people: list[list[int]]) -> PlaceHours:
    table = np.array(people, dtype=np.uint16)
    places = table.shape[1]
    by_hour = table.sum(axis=1).astype(np.int32)
    arcs = Arcs(
        origin=np.array([0], np.int16),
        destination=np.array([1], np.int16),
        departs=np.array([-30], np.int32),
        arrives=np.array([90], np.int32),
        people=np.array([2], np.uint16),
    )
    return PlaceHours(
        first_hour=datetime(2026, 11, 20, tzinfo=UTC),
        place_ids=[f"P{place}" for place in range(places)],
        labels=[f"Place “{place}”" for place in range(places)],
        latitude=np.linspace(-10, 10, places, dtype=np.float32),
        longitude=np.linspace(100, 110, places, dtype=np.float32),
        people=table,
        status=(table % 4).astype(np.uint8),
        at_places=by_hour,
        in_transit=by_hour + 1,
        not_covered=by_hour + 2,
        arcs=arcs,
    )


def decode(content: bytes) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Read the bytes as the browser does."""
    plain = zlib.decompress(content[16:])
    size = int.from_bytes(plain[:4], "little")
    header = json.loads(plain[4 : 4 + size])
    arrays, offset = {}, 4 + size
    for name, kind, length in header["arrays"]:
        # A typed array of JavaScript begins at a multiple of its item's size.
        assert offset % int(kind[1:]) == 0
        arrays[name] = np.frombuffer(plain, dtype=f"<{kind}", count=length, offset=offset)
        offset += arrays[name].nbytes
    assert offset == len(plain)
    return header, arrays


def test_the_browser_gets_every_number_and_text() -> None:
    data = replace(build_counts([[3, 0, 65_535], [0, 7, 65_535], [500, 7, 0]]), moment=65)
    header, arrays = decode(payload_of(data).content)
    assert header["ids"] == ["P0", "P1", "P2"]
    assert header["labels"][1] == "Place “1”"
    assert (header["hours"], header["moment"]) == (3, 65)
    assert header["firstHour"] == data.first_hour.timestamp()
    for name, table in (("people", data.people), ("status", data.status)):
        changes = arrays[name].reshape(table.shape)
        assert_array_equal(np.cumsum(changes, axis=0, dtype=table.dtype), table)
    assert_array_equal(arrays["latitude"], data.latitude)
    assert_array_equal(arrays["notCovered"], data.not_covered)
    assert_array_equal(arrays["departs"], [-30])


def test_equal_counts_have_the_same_version_and_other_counts_another() -> None:
    data = build_counts([[1, 2], [3, 4]])
    payload = payload_of(data)
    assert payload_of(data) is payload
    assert payload_of(build_counts([[1, 2], [3, 4]])).version == payload.version
    assert payload.content.startswith(payload.version.encode())
    assert payload_of(replace(data, labels=["Other", "Place"])).version != payload.version


def test_no_places_make_a_valid_payload() -> None:
    header, arrays = decode(payload_of(build_counts([[], []])).content)
    assert header["ids"] == []
    assert arrays["people"].size == 0
