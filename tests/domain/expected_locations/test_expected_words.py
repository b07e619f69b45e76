"""The texts of the screen, and the tables as shown and as files."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import moment
from domain.expected_locations.country_counts import with_countries
from domain.expected_locations.person_days import Whereabout
from domain.expected_locations.roster_changes import COLUMNS
from domain.expected_locations.roster_load import Became, Failure
from domain.expected_locations.roster_view import Filters, View, first_and_last, look
from domain.expected_locations.time_choice import TimeChoice
from domain.tables.spreadsheet import to_csv
from tests.domain.expected_locations.records import Row, build_locations

NOW = datetime(2026, 11, 20, 12, 5, 40, tzinfo=UTC)
AT = datetime.fromisoformat("2026-11-21T18:30")
ROWS = [
    Row("ana", "AAA111", "SIN", "Arrival", NOW - timedelta(hours=1), NOW + timedelta(hours=23)),
    Row("ana", "AAA111", "hotel", "Stay", NOW - timedelta(hours=1), None),
    Row("ben", "BBB222", "nowhere", "Stay", None, NOW + timedelta(hours=9)),
]


def format_figures(view: View) -> str:
    """The figures in one line, with the group of people that they count."""
    counts = [text for figure, text in expected_words.figures(view).items() if figure != "changes"]
    return " · ".join([*counts, expected_words.figures_of(view)])


def test_people_and_expected_locations_are_counted_separately() -> None:
    view = look(build_locations(ROWS), moment(NOW), Filters())
    assert format_figures(view) == (
        "**2** people at places · **2** places · **0** not covered · **0** trips not found · "
        ":material/flight: 0 in transit · 2 travelers · 2 expected locations"
    )
    assert expected_words.has_figures(view, reading=True)
    assert expected_words.statuses_in_words(view.people_at(None)) == "2 there"


@pytest.mark.parametrize(
    ("filters", "text"),
    [
        (Filters(countries=frozenset({"SG"})), "1 traveler in Singapore"),
        (Filters(countries=frozenset({"SG", "FR"})), "1 traveler in France and Singapore"),
        (Filters(text="ana"), "1 traveler who matches the filters"),
        (Filters(statuses=frozenset({"there"})), "2 travelers"),
    ],
)
def test_the_figures_name_the_group_of_people_counted(filters: Filters, text: str) -> None:
    assert expected_words.figures_of(look(build_locations(ROWS), moment(NOW), filters)).startswith(f"{text} · ")


def test_people_in_transit_are_distinguished_from_those_at_a_place() -> None:
    lands = NOW + timedelta(hours=11)
    rows = [
        *ROWS,
        Row("cai", "CCC333", "LHR", "Departure", NOW - timedelta(hours=26), NOW - timedelta(hours=2)),
        Row("cai", "CCC333", "SIN", "Arrival", lands, lands + timedelta(hours=24)),
    ]
    view = look(build_locations(rows), moment(NOW), Filters())
    assert expected_words.figures(view)["transit"] == ":material/flight: 1 in transit"
    assert view.destinations()[["place_id", "people"]].to_numpy().tolist() == [["SIN", 1]]
    everybody, at_airport = view.people_at(None), view.people_at(["SIN"])
    assert expected_words.heading(everybody, 0) == "2 people at places · 1 person in transit"
    assert expected_words.heading(at_airport, 1) == "1 person in transit to 1 selected place"
    leg = everybody[everybody["status"] == "in transit"]
    row = expected_words.shown(leg, NOW).iloc[0]
    assert row["status"] == "➤ In transit"
    assert row["place"] == "London (LHR) → Singapore (SIN)"
    at_places = look(build_locations(rows), moment(NOW), Filters(statuses=frozenset({"there"})))
    assert "transit" not in expected_words.figures(at_places), "people hidden by a filter are not counted as 0"
    assert expected_words.heading(leg, 0) == "1 person in transit"
    assert row["from_local"] == "Fri, Nov 20, 10:05"
    assert (row["until_local"], row["until_utc"]) == ("Sat, Nov 21, 07:05", "Fri, Nov 20, 23:05")
    (file_row,) = expected_words.file_of(leg).to_dict("records")
    assert (file_row["Status"], file_row["In transit from"]) == ("in transit", "London Heathrow Airport (LHR)")
    assert file_row["From (local)"] == pd.Timestamp("2026-11-20 10:05:40")
    assert (file_row["From: time zone"], file_row["Time zone"]) == ("Europe/London", "Asia/Singapore")


def test_a_view_is_computed_once() -> None:
    locations = build_locations(ROWS)
    first = look(locations, moment(NOW), Filters())
    assert look(locations, moment(NOW), Filters()) is first
    other = look(locations, moment(NOW), Filters(text="ana"))
    assert other is not first
    assert other.at is first.at
    assert first.people_at(["SIN"]) is first.people_at(["SIN"])


@pytest.mark.parametrize(
    ("as_of", "text"),
    [
        (NOW - timedelta(minutes=3), "as of 12:02 UTC · 3 min ago"),
        (NOW - timedelta(days=1), "as of Thu, Nov 19, 12:05 UTC · 1 d ago"),
    ],
)
def test_the_time_of_the_data_includes_the_day_if_it_is_not_today(as_of: datetime, text: str) -> None:
    assert expected_words.freshness(as_of, NOW) == text


def test_a_load_shows_its_progress_and_the_missing_trips() -> None:
    counts: dict[Became, int] = {"found": 400, "failed": 9, "not found": 3}
    assert expected_words.loading(412, 1500, counts, "Fair") == (
        "Loading Fair: 412 of 1,500 trips, 3 not found, 9 failed"
    )
    failures = [Failure("A", "failed", "x"), Failure("B", "not asked", "y"), Failure("C", "not found", "z")]
    assert expected_words.failing(failures) == "1 trip could not be loaded, 1 trip not requested"
    assert expected_words.figures(look(build_locations([]), moment(NOW), Filters()), failures)["not-found"] == (
        "**1** trip not found"
    )
    assert expected_words.failing([]) == ""


def test_an_empty_map_explains_why_no_one_is_shown() -> None:
    locations = build_locations(ROWS)
    filtered = look(locations, moment(NOW), Filters(text="zoe"))
    message = expected_words.nobody(filtered, TimeChoice(), NOW)
    assert message == "No one matches the filters now. Without filters: 2 people."
    choice = TimeChoice("Moment", at=AT + timedelta(days=-900))
    only_ana = build_locations(ROWS[:1])
    view = look(only_ana, choice.stretch(NOW), Filters())
    message = expected_words.nobody(view, choice, NOW)
    assert message.endswith("Expected locations run from Fri, Nov 20, 11:05 UTC to Sat, Nov 21, 11:05 UTC.")
    nothing = look(build_locations([]), moment(NOW), Filters())
    assert expected_words.nobody(nothing, TimeChoice(), NOW) == "None of the loaded trips has an expected location."
    assert first_and_last(nothing.locations) is None


@pytest.mark.parametrize("filters", [Filters(), Filters(text="zoe")])
def test_an_empty_result_counts_the_trips_that_were_not_loaded(filters: Filters) -> None:
    failures = [Failure(each, "failed", "x") for each in "AB"] + [Failure("C", "not found", "z")]
    choice = TimeChoice("Moment", at=AT + timedelta(days=900))
    view = look(build_locations(ROWS[:1]), choice.stretch(NOW) if not filters.are_set else moment(NOW), filters)
    message = expected_words.nobody(view, choice, NOW, failures)
    assert message.startswith("No one on the loaded trips ")
    assert message.endswith(" 2 trips not loaded. Select **Retry** to load them.")
    assert "not loaded" not in expected_words.nobody(view, choice, NOW, failures[2:])


def test_a_page_shows_local_time_and_utc() -> None:
    view = look(build_locations(ROWS, {"ana": "Silva, Ana"}), moment(NOW), Filters())
    table = pd.concat([view.people_at(None), view.other_candidates(None)], ignore_index=True)
    table = expected_words.shown(table, NOW).set_index("place")
    airport = table.loc["Singapore Changi International Airport (SIN)"]
    assert (airport["until_local"], airport["until_utc"]) == ("Sat, Nov 21, 19:05", "Sat, Nov 21, 11:05")
    assert airport["status"] == "○ Possible"
    assert table.loc["Lion Hotel, Singapore", "until_local"] == "Unknown"
    assert table.loc["Guest house, Somewhere", "from_local"] == "Unknown"
    assert table.loc["Guest house, Somewhere", "until_local"] == "Fri, Nov 20, 21:05 UTC"


def test_a_file_has_every_row_with_ids_as_text_and_local_and_utc_times() -> None:
    view = look(build_locations(ROWS, {"ana": "=Silva, Ana"}), moment(NOW), Filters())
    table = pd.concat([view.people_at(None), view.other_candidates(None)], ignore_index=True)
    file_rows = expected_words.file_of(table).set_index("Place")
    airport = file_rows.loc["Singapore Changi International Airport (SIN)"]
    assert airport["Trip ID"] == "9000000000"
    assert airport["Until (local)"] == pd.Timestamp("2026-11-21 19:05:40")
    assert airport["Until (UTC)"] == NOW + timedelta(hours=23)
    assert pd.isna(file_rows.loc["Guest house, Somewhere", "Until (local)"])
    file = to_csv(expected_words.file_of(table)).decode("utf-8-sig")
    assert "'=Silva, Ana" in file


def test_an_empty_table_makes_an_empty_file() -> None:
    view = look(build_locations([]), moment(NOW), Filters())
    assert expected_words.file_of(view.people_at(None)).empty
    assert view.not_covered().empty


def test_a_file_name_has_only_characters_that_file_systems_allow() -> None:
    assert expected_words.stem("Spring/fair: 2026 ", NOW) == "expected-spring-fair--2026-2026-11-20-1205"
    assert expected_words.stem("///", NOW) == "expected-roster-2026-11-20-1205"


def test_files_of_places_people_not_covered_and_changes_have_the_headings_of_the_screen() -> None:
    view = look(build_locations(ROWS), moment(NOW), Filters())
    places = expected_words.places_file(with_countries(view))
    assert list(places) == ["Place", "Country", "Type", "People", "Latitude", "Longitude"]
    assert list(expected_words.not_covered_file(view.not_covered()))[:3] == ["Person", "Employee ID", "Record locator"]
    changes = pd.DataFrame([("ana", "Ana", "new", "SIN", "Singapore", "", "AAA111")], columns=list(COLUMNS))
    (row,) = expected_words.changes_file(changes).to_dict("records")
    assert row == {
        "Person": "Ana",
        "Change": "New trip",
        "Place": "Singapore",
        "Before": "",
        "Record locator": "AAA111",
    }


def test_there_are_no_figures_until_a_trip_was_read() -> None:
    failures = [Failure("AAA111", "failed", ""), Failure("BBB222", "not asked", ""), Failure("CCC333", "not found", "")]
    nobody, view = (look(build_locations(rows), moment(NOW), Filters()) for rows in ([], ROWS))
    assert not expected_words.has_figures(nobody, reading=True)
    assert not expected_words.has_figures(nobody, reading=False, failures=failures)
    assert expected_words.has_figures(nobody, reading=False, failures=failures[2:])
    assert expected_words.no_figures(reading=False, failures=failures) == "**Unknown:** 2 trips could not be loaded"
    assert expected_words.figures_of(view, failures).endswith("· **2 trips not loaded**")


@pytest.mark.parametrize(
    ("status", "begins", "text"),
    [
        ("arriving", NOW + timedelta(hours=2), "Arrives Fri, Nov 20, 22:05 local (14:05 UTC)"),
        ("leaving", NOW - timedelta(hours=2), "Departs Sat, Nov 21, 20:05 local (12:05 UTC)"),
        ("there", NOW - timedelta(hours=2), "Until Sat, Nov 21, 20:05 local (12:05 UTC)"),
        ("possible", NOW - timedelta(hours=2), "Until Sat, Nov 21, 20:05 local (12:05 UTC)"),
    ],
)
def test_arrivals_and_departures_have_a_time_and_presences_an_end(status: str, begins: datetime, text: str) -> None:
    at = NOW.replace(second=0)
    row = {
        "status": status,
        "from": pd.Timestamp(begins.replace(second=0)),
        "until": pd.Timestamp(at + timedelta(days=1)),
        "zone": "Asia/Singapore",
    }
    assert expected_words.when_text(row, NOW) == text
    assert expected_words.when_text({**row, "status": "there", "until": pd.NaT}, NOW) == "Unknown end"


def test_a_person_has_a_current_place_with_an_end_and_a_next_place_with_a_start() -> None:
    presence = Whereabout("there", NOW, NOW + timedelta(hours=2), "hotel", "Lion Hotel", "Asia/Singapore")
    assert expected_words.whereabout_text(presence, NOW) == "Lion Hotel, until Fri, Nov 20, 22:05 local (14:05 UTC)"
    assert expected_words.whereabout_text(presence, NOW, is_next=True).startswith("Lion Hotel, from Fri, Nov 20, 20:05")
    leg = replace(presence, status="in transit", origin="Paris (CDG)")
    assert expected_words.whereabout_text(leg, NOW).startswith("From Paris (CDG) to Lion Hotel, arrives Fri, Nov 20")
    assert expected_words.whereabout_text(leg, NOW, is_next=True).endswith("departs Fri, Nov 20, 12:05 UTC")
    assert expected_words.whereabout_text(replace(presence, ends=None), NOW) == "Lion Hotel, until an unknown time"


def test_changes_are_counted_by_kind() -> None:
    changes = pd.DataFrame({"change": ["arrived", "new", "arrived"]})
    assert expected_words.changes_text(changes, "Nov 20") == "Since Nov 20: **2** arrived, **1** new trip"
    assert expected_words.changes_text(changes.iloc[:0], "Nov 20") == "Since Nov 20: no changes"


def test_a_flight_has_the_local_times_of_its_ends_and_a_place_has_none() -> None:
    group = {"departs": pd.Timestamp(NOW), "arrives": pd.Timestamp(NOW + timedelta(hours=2)), "zone": "Asia/Singapore"}
    times = expected_words.leg_times({**group, "from_zone": "Europe/Paris"}, NOW)
    assert times == "Departs Fri, Nov 20, 13:05, arrives Fri, Nov 20, 22:05 local"
    assert expected_words.leg_times({"departs": pd.NaT}, NOW) == ""


def test_a_trip_shows_its_days_and_if_it_is_under_way() -> None:
    begins, ends = pd.Timestamp(NOW - timedelta(days=1)), pd.Timestamp(NOW + timedelta(days=1))
    trip = {"locator": "AAA111", "begins": begins, "ends": ends}
    assert expected_words.trip_text(trip, NOW) == "AAA111 · Thu, Nov 19 to Sat, Nov 21 · under way"
    assert expected_words.trip_text({**trip, "begins": pd.NaT}, NOW) == "AAA111 · Sat, Nov 21"
