"""Files of locations: errors at their cells, fixes, and the file that is sent."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.file_import.checking import Check
from domain.file_import.column_types import ParseOptions
from domain.file_import.position_rules import FAR
from domain.file_import.row_marks import find_marks
from domain.preparedness.dynamic_locations import location_rows
from domain.preparedness.dynamic_locations.location_rows import (
    EXPIRED,
    EXPIRES_SOON,
    NO_ASSET,
    REFUSED,
    KnownIds,
    build_csv,
    has_expired_unconfirmed,
)
from domain.preparedness.dynamic_locations.location_upload import LOCATIONS, build_intake
from service.dynamic_locations.rows import read_moment, read_rows

HEADINGS = "External id,Arrives,Expires,Latitude,Longitude,Country"


def check_rows(*rows: str, headings: str = HEADINGS, known_ids: KnownIds | None = None) -> Check:
    declaration = LOCATIONS if known_ids is None else build_intake(known_ids)
    return Check.of(declaration, "people.csv", "\n".join((headings, *rows)).encode())


def list_messages(check: Check, row: int = 0) -> dict[str, list[str]]:
    return {column: [words for words, _ in messages] for column, messages in check.cell_messages(row).items()}


def build_rows(check: Check) -> list[dict[str, str]]:
    return [dict(item.payload["row"]) for item in check.build_items()]


VALID_ROW = "E1,2099-11-20 08:00,2099-11-21 18:00,47.38,8.54,CH"
SENT_ROW = {
    "externalId": "E1",
    "arriveDate": "2099-11-20T08:00:00Z",
    "expireDate": "2099-11-21T18:00:00Z",
    "lat": "47.38",
    "lon": "8.54",
}

NAMES = "externalId,arriveDate,expireDate,lat,lon"
ROW = "E1,2099-11-20 08:00,2099-11-21 18:00,47.38,8.54"

# Name of the file, its bytes, and the values sent for its first row in addition to SENT.
CORPUS: list[tuple[str, bytes, dict[str, str]]] = [
    (
        "the headings of the interface",
        f"{NAMES}\nE1,2099-11-20T08:00:00Z,2099-11-21T18:00:00Z,47.38,8.54\n".encode(),
        {},
    ),
    (
        "a European spreadsheet: semicolons, decimal commas, days first",
        b"Employee ID;Arrival;Expiry date;Latitude;Longitude\r\nE1;20.11.2099 08:00;21.11.2099 18:00;47,38;8,54\r\n",
        {},
    ),
    (
        "tabs and a byte order mark",
        b"\xef\xbb\xbfexternal_id\tarrive\texpire\tlat\tlng\n" + ROW.replace(",", "\t").encode(),
        {},
    ),
    ("UTF-16 of a database tool", f"{NAMES}\n{ROW}:00\n".replace(",", "|").replace("54:00", "54").encode("utf-16"), {}),
    ("epoch milliseconds", f"{NAMES}\nE1,4098844800000,4098967200000,47.38,8.54\n".encode(), {}),
    ("offsets", f"{NAMES}\nE1,2099-11-20T09:00:00+01:00,2099-11-21T19:00:00+01:00,47.38,8.54\n".encode(), {}),
    (
        "quotes, a comma within, and blanks around",
        f'{NAMES},"street"\n" E1 ",{ROW[3:]},"A, B"\n'.replace("47", " 47").encode(),
        {"street": "A, B"},
    ),
    (
        "columns without a match, and the others in another order",
        b"Team,Lon,Lat,Expires,Arrives,External ID\nBlue,8.54,47.38,2099-11-21 18:00,2099-11-20 08:00,E1\n",
        {},
    ),
    ("Windows-1252 with accents", f"{NAMES},city\n{ROW},Zürich\n".encode("cp1252"), {"city": "Zürich"}),
    (
        "ids with leading zeros and floors as texts",
        f"{NAMES},floorNo,roomNo,referenceId\n{ROW},007,1.10,00042\n".encode(),
        {"floorNo": "007", "roomNo": "1.10", "referenceId": "00042"},
    ),
    ("blank lines and old line ends", f"{NAMES}\r\r{ROW}\r\r".encode(), {}),
    ("a small number", f"{NAMES}\n{ROW}\n".replace("47.38", "1.2e-7").encode(), {"lat": "0.00000012"}),
]


@pytest.mark.parametrize(("content", "extra"), [case[1:] for case in CORPUS], ids=[case[0] for case in CORPUS])
def test_a_file_with_other_headings_is_sent_with_the_headings_of_the_interface(
    content: bytes, extra: dict[str, str]
) -> None:
    check = Check.of(LOCATIONS, "people.csv", content)
    assert (list_messages(check), build_rows(check)) == ({}, [SENT_ROW | extra])
    [sent] = csv.DictReader(io.StringIO(build_csv([item.payload for item in check.build_items()]).decode()))
    assert {name: text for name, text in sent.items() if text} == SENT_ROW | extra


@pytest.mark.parametrize(
    ("row", "column", "words"),
    [
        (VALID_ROW.replace("E1", ""), "externalId", "A value is required."),
        (VALID_ROW.replace("2099-11-21 18:00", ""), "expireDate", "A value is required."),
        (VALID_ROW.replace("2099-11-21 18:00", "31.02.2099"), "expireDate", "The date or time isn’t valid."),
        (VALID_ROW.replace("2099-11-21", "2099-11-19"), "expireDate", "The end is before the start."),
        (VALID_ROW.replace("47.38", "91.5"), "lat", "The value is more than 90."),
        (VALID_ROW.replace("8.54", "-180.5"), "lon", "The value is less than -180."),
        (VALID_ROW.replace("8.54", "east"), "lon", "The value isn’t a number."),
        (VALID_ROW.replace("8.54", ""), "lon", "Enter both latitude and longitude, or neither."),
        (VALID_ROW.replace("47.38", ""), "lat", "Enter both latitude and longitude, or neither."),
        ("E1,,2099-11-21,,,", "", "Enter latitude and longitude, a location ID, or an address."),
        (
            VALID_ROW.replace("47.38,8.54", "8.54,47.38"),
            "lat",
            "These coordinates don’t match the country (Switzerland).",
        ),
    ],
)
def test_each_error_is_at_its_cell(row: str, column: str, words: str) -> None:
    assert words in list_messages(check_rows(row))[column]


def test_an_invalid_time_is_reported_once_and_not_as_expired() -> None:
    check = check_rows(VALID_ROW.replace("2099-11-21 18:00", "31.02.2099"))
    assert (list_messages(check), check.offers()) == ({"expireDate": ["The date or time isn’t valid."]}, [])


def test_a_day_without_a_time_expires_at_the_end_of_the_day() -> None:
    assert build_rows(check_rows("E1,2099-11-20,2099-11-21,47.38,8.54,"))[0]["expireDate"] == "2099-11-21T23:59:59Z"


def test_swapped_coordinates_are_fixed_in_all_rows_and_can_be_undone() -> None:
    check = check_rows(
        VALID_ROW, "E2,,2099-11-21,-122.4,37.8,US", "E3,,2099-11-21,8.54,47.38,CH", "E4,,2099-11-21,95,8.54,"
    )
    [(offer, rows)] = check.offers()
    assert (offer.label, rows) == ("Swap latitude and longitude in {}", [1, 2, 3])
    check.accept(offer, [1, 2])
    assert [(row["lat"], row["lon"]) for row in build_rows(check)] == [
        ("47.38", "8.54"),
        ("37.8", "-122.4"),
        ("47.38", "8.54"),
    ]
    check.undo()
    assert len(build_rows(check)) == 1


def test_coordinates_that_contradict_their_row_are_errors_with_a_fix() -> None:
    heading = "externalId,expireDate,lat,lon,city,country"
    rows = ["-47.38,8.54,,CH", "40.7,74.0,New York,US", "0,0,Munich,DE", "0,0,,", "52.5,13.4,Munich,DE"]
    text = "\n".join([heading, *(f"E{number},2099-11-21,{row}" for number, row in enumerate(rows))])
    check = Check.of(LOCATIONS, "people.csv", text)
    assert not check.is_ready.any()
    assert [(offer.label, rows) for offer, rows in check.offers()] == [
        ("Change the sign of the latitude in {}", [0]),
        ("Change the sign of the longitude in {}", [1]),
        ("Move {} to the city", [2, 4]),
        ("Clear the coordinates in {}", [3]),
    ]
    for offer, offered_rows in check.offers():
        check.accept(offer, offered_rows)
    assert [(row.get("lat"), row.get("lon")) for row in build_rows(check)] == [
        ("47.38", "8.54"),
        ("40.7", "-74"),
        ("48.137", "11.575"),
        ("48.137", "11.575"),
    ]


def test_a_row_without_a_country_far_from_all_others_has_a_warning() -> None:
    sydney, mirrored = (f"E{{}},,2099-11-21,{lat},151.2," for lat in ("-33.9", "33.9"))
    check = check_rows(*(sydney.format(number) for number in range(12)), mirrored.format(12))
    assert list_messages(check, 12) == {"lat": [FAR]}
    assert check.is_ready.all()
    spread = [
        f"E{n},,2099-11-21,{lat},{lon},"
        for n, (lat, lon) in enumerate((y, x) for y in (-50, 0, 50) for x in range(-150, 151, 60))
    ]
    assert not check_rows(*spread).with_warnings.any()


def test_many_swapped_rows_put_a_warning_on_the_other_rows() -> None:
    check = check_rows(*(f"E{n},,2099-11-21,-122.{n},37.8," for n in range(5)), "E9,,2099-11-21,-77.03,38.9,")
    assert list_messages(check, 5) == {"lat": ["Latitude and longitude are swapped in many rows. Check this row too."]}
    assert [offer.label for offer, _ in check.offers()] == [
        "Swap latitude and longitude in {}",
        "Also swap latitude and longitude in {}",
    ]


def test_times_without_a_zone_are_counted_and_converted_from_the_zone_of_their_places() -> None:
    check = check_rows(VALID_ROW, "E2,2099-11-20T08:00:00Z,4098967200000,47.4,8.5,CH")
    assert check.count_without_zone == 2
    check.skip_rows([0])
    assert check.count_without_zone == 0
    check.undo()
    assert LOCATIONS.position is not None
    assert LOCATIONS.position.zone(check.rows) == "Europe/Zurich"
    check.set_options(ParseOptions(zone="Europe/Zurich"))
    assert [row["arriveDate"] for row in build_rows(check)] == ["2099-11-20T07:00:00Z", "2099-11-20T08:00:00Z"]


def time_ago(**past: float) -> str:
    return f"{datetime.now(UTC) - timedelta(**past):%Y-%m-%dT%H:%M:%SZ}"


def test_expired_rows_need_a_confirmation_with_names_or_can_be_skipped() -> None:
    known_ids = KnownIds(people={"E2": "Silva, Ana"})
    check = check_rows(
        VALID_ROW, f"E2,,{time_ago(hours=1)},,,", f"E3,,{time_ago(minutes=-5)},47.4,8.5,CH", known_ids=known_ids
    )
    assert [list_messages(check, row) for row in (1, 2)] == [{"expireDate": [EXPIRED]}, {"expireDate": [EXPIRES_SOON]}]
    assert known_ids.confirmation_lines(check.ready) == [
        "1 row has expired and will remove the current location of 1 person: Silva, Ana (E2).",
        (
            "1 row expires within 15 minutes and, if it arrives after that, will remove the current location of "
            "1 person: E3."
        ),
    ]
    assert [item.payload["removes"] for item in check.build_items()] == [False, True, True]
    [(offer, rows)] = check.offers()
    assert offer.label.format("1 row") == "Skip 1 row that expired"
    check.accept(offer, rows)
    assert [row["externalId"] for row in build_rows(check)] == ["E1", "E3"], (
        "a row that expires within minutes is not skipped"
    )


def test_a_row_that_expires_after_the_confirmation_is_not_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    known_ids = KnownIds()
    check = check_rows(VALID_ROW, f"E2,,{time_ago(minutes=-20)},47.4,8.5,CH", known_ids=known_ids)
    assert known_ids.confirmation_lines(check.ready) == []
    later = location_rows.now_ms() + 22 * 60 * 1000
    monkeypatch.setattr(location_rows, "now_ms", lambda: later)
    sent = [item.payload for item in check.build_items()]
    assert [payload["removes"] for payload in sent] == [False, False]
    assert [has_expired_unconfirmed(payload) for payload in sent] == [False, True]
    assert len(KnownIds().confirmation_lines(check.ready)) == 1


def test_a_row_that_expires_before_it_is_sent_removes_nothing() -> None:
    row = {"externalId": "E1", "expireDate": time_ago(seconds=1)}
    assert has_expired_unconfirmed({"row": row, "removes": False})
    assert not has_expired_unconfirmed({"row": row, "removes": True})
    assert not has_expired_unconfirmed({"row": row | {"expireDate": time_ago(hours=-1)}, "removes": False})


def test_ids_are_checked_against_known_ids_and_unchecked_ids_are_reported() -> None:
    known_ids = KnownIds(
        people={"E1": "Silva, Ana"},
        accepted_ids=frozenset(["E2"]),
        rejected_ids=frozenset(["E3"]),
        assets=frozenset(["D-1"]),
    )
    rows = [f"E{n},2099-11-21,{site}" for n, site in ((1, "D-1"), (2, "D-9"), (3, ""), (4, "D-1"))]
    check = check_rows(*rows, headings="External id,Expires,Location id", known_ids=known_ids)
    messages = [list_messages(check, row) for row in range(3)]
    assert (messages[1], messages[2]["externalId"]) == ({"locationId": [NO_ASSET]}, [REFUSED])
    assert known_ids.describe_coverage(check.rows.texts).startswith("2 people already appear in trips")
    assert known_ids.describe_coverage(check.rows.texts[:1]).startswith("1 person already appears in trips")
    assert KnownIds().describe_coverage(check.rows.texts).endswith("no asset was added in Muster.")
    assert list_messages(check_rows(*rows, headings="External id,Expires,Location id", known_ids=KnownIds())) == {}


@given(
    rows=st.lists(
        st.tuples(
            st.datetimes(datetime(2090, 1, 1), datetime(2099, 1, 1)),  # noqa: DTZ001 (on the clocks of a zone)
            st.floats(-90, 90).map(lambda degrees: round(degrees, 7)),
            st.floats(-180, 180).map(lambda degrees: round(degrees, 7)),
        ).filter(lambda row: row[1] or row[2]),
        min_size=1,
        max_size=8,
    ),
    zone=st.sampled_from(["UTC", "Europe/Zurich", "America/St_Johns", "Pacific/Chatham"]),
)
@settings(max_examples=20, deadline=None)
def test_the_service_reads_the_file_as_intended(rows: list[tuple[datetime, float, float]], zone: str) -> None:
    """In any zone and at any place, checked by an independent reader of the interface."""
    lines = [f"E{n},,{at:%Y-%m-%d %H:%M:%S},{lat!r},{lon!r}," for n, (at, lat, lon) in enumerate(rows)]
    check = check_rows(*lines)
    check.set_options(ParseOptions(zone=zone))
    sent = read_rows(build_csv([item.payload for item in check.build_items()]))
    assert [row.number for row in sent] == list(range(2, len(rows) + 2))
    for row, (at, lat, lon) in zip(sent, rows, strict=True):
        moment = at.replace(microsecond=0, tzinfo=ZoneInfo(zone))
        # A time within a skipped hour means the moment after it, which no local clock shows.
        if moment.astimezone(UTC).astimezone(ZoneInfo(zone)).replace(tzinfo=None) == moment.replace(tzinfo=None):
            assert read_moment(row.value("expireDate")) == int(moment.timestamp() * 1000)
        assert (float(row.value("lat")), float(row.value("lon"))) == (lat, lon)


def test_map_marks_show_the_number_of_rows_and_errors_per_place() -> None:
    check = check_rows(
        VALID_ROW,
        VALID_ROW.replace("E1", "E2").replace("-11-21", "-11-19"),
        "E3,,2099-11-21,10,20,",
        "E4,,2099-11-21,95,20,",
    )
    check.skip_rows([2])
    assert LOCATIONS.position is not None
    marks: list[Any] = find_marks(LOCATIONS.position, check)
    assert [(mark.name, mark.about, mark.tone, mark.number) for mark in marks] == [
        ("2 rows", "1 with errors", "error", 2)
    ]


def test_the_headings_of_badge_readers_are_known() -> None:
    check = check_rows("E1,2099-11-20 08:00,2099-11-21 18:00,S1", headings="Emp ID,Badge Time,Valid Until,Building")
    assert {name: match.headers for name, match in check.matches.items() if match.headers} == {
        "externalId": ("Emp ID",),
        "arriveDate": ("Badge Time",),
        "expireDate": ("Valid Until",),
        "locationId": ("Building",),
    }
    assert all(match.is_sure for match in check.matches.values())
