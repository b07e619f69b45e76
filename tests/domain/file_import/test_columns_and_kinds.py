"""Matching of the columns of a file, and reading of cells of each type."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from domain.file_import.checking import Check
from domain.file_import.column_matching import Column, Group, match_columns
from domain.file_import.column_types import (
    AMBIGUOUS_NUMBER,
    Choice,
    Clock,
    ColumnType,
    Decimal,
    Moment,
    ParseOptions,
    Text,
    WallClock,
    WholeNumber,
)
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_problems import Offer, Problem, Rows, find_repeats
from domain.file_import.saved_matches import ColumnMatch
from tests.domain.file_import.note_import import NOTES, JobWorkspace
from tests.prepared_journal import new_journal

NAME = Column("name", "Name", aliases=("title", "what it is called"))
LATITUDE = Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",), by_content=True)
ARRIVES = Column("arrives", "Arrives", Moment(), by_content=True)
PHONES = Column("phones", "Phones", aliases=("phone",), allows_many=True, hints=("mobile",))


def match_headers(headers: tuple[str, ...], *columns: Column, cells: pd.DataFrame | None = None) -> dict[str, Any]:
    found = match_columns(headers, columns, cells=cells)
    return {name: (match.headers, match.is_sure) for name, match in found.items()}


def read_cells(kind: ColumnType, *texts: str, **options: Any) -> list[Any]:
    """The value or the error of each cell."""
    values, issues = kind.read(pd.Series(texts, dtype="str"), ParseOptions(**options))
    messages = [[words for mask, words in issues if mask[place]] for place in range(len(texts))]
    return [words[0] if words else value for words, value in zip(messages, values.tolist(), strict=True)]


@pytest.mark.parametrize("header", ["NAME", "na me", "Title", "what_it-is called", "Nāme"])
def test_headings_match_without_case_punctuation_and_accents(header: str) -> None:
    assert match_headers((header,), NAME) == {"name": ((header,), True)}


@pytest.mark.parametrize("header", ["Latitde", "Lattitude", "Laittude"])
def test_a_heading_with_a_typo_is_an_unsure_match(header: str) -> None:
    assert match_headers((header,), LATITUDE) == {"latitude": ((header,), False)}


def test_another_number_is_not_a_typo() -> None:
    attribute = Column("attribute 4001", "Attribute 4001")
    assert match_headers(("Attribute 4002",), attribute) == {"attribute 4001": ((), True)}


def test_a_similar_heading_does_not_match_if_its_cells_have_another_type() -> None:
    """A gate isn't a date, although "Arr Gate" differs from "Arr Date" by one letter."""
    day = Column("day", "Arr date", WallClock())
    for cells, headers in ((["B40", "5"], ()), (["2026-03-01", ""], ("Arr Gate",)), (["", ""], ("Arr Gate",))):
        found = match_headers(("Arr Gate",), day, cells=pd.DataFrame({"Arr Gate": cells}, dtype="str"))
        assert found["day"][0] == headers


def test_a_time_heading_matches_the_date_column_if_its_cells_have_dates() -> None:
    day, clock = Column("day", "Day", WallClock()), Column("clock", "Departure time", Clock(), date_column="day")
    full = pd.DataFrame({"Departure time": ["2026-03-01 10:20"], "Day": ["2026-03-01"]}, dtype="str")
    assert match_headers(("Departure time",), day, clock, cells=full)["day"] == (("Departure time",), True)
    assert match_headers(("Departure time", "Day"), day, clock, cells=full)["clock"] == (
        ("Departure time",),
        True,
    )
    bare = pd.DataFrame({"Departure time": ["10:20"]}, dtype="str")
    assert match_headers(("Departure time",), day, clock, cells=bare)["clock"] == (("Departure time",), True)


def test_a_date_heading_over_times_of_day_matches_the_time_column() -> None:
    day, clock = Column("day", "Arrives", WallClock()), Column("clock", "Arrival time", Clock(), date_column="day")
    for cells, name in (
        (["06:25", "08:30"], "clock"),
        (["06:25", "2026-12-03 13:00", "2026-12-03 14:00"], "clock"),
        (["2026-12-03", "2026-12-03 14:00"], "day"),
    ):
        found = match_headers(("Arrives",), day, clock, cells=pd.DataFrame({"Arrives": cells}, dtype="str"))
        assert found[name] == (("Arrives",), True)


def test_a_heading_that_fits_two_columns_matches_neither() -> None:
    one, two = Column("departs", "Departs"), Column("departed", "Departed")
    assert match_headers(("Departes",), one, two) == {"departs": ((), True), "departed": ((), True)}


def test_a_similar_name_matches_only_if_its_required_column_is_matched() -> None:
    hotel, city = (
        Column("hotel", "Hotel"),
        Column("hotelCity", "Hotel: city", similar_names=("city",), requires="hotel"),
    )
    assert match_headers(("Hotel", "City"), hotel, city)["hotelCity"] == (("City",), False)
    assert match_headers(("Flight", "City"), hotel, city)["hotelCity"] == ((), True)
    assert match_headers(("Hotel city",), hotel, city)["hotelCity"] == (("Hotel city",), True)


def test_several_headings_of_one_column_are_joined() -> None:
    assert match_headers(("Phone 1", "Phone 2"), PHONES) == {"phones": (("Phone 1", "Phone 2"), True)}
    assert match_headers(("Her mobile",), PHONES) == {"phones": (("Her mobile",), False)}
    check = Check.of(ImportDeclaration("x", ("x", "x"), [PHONES]), "x.csv", b"Phone 1,Phone 2\n1,2\n,3\n")
    assert check.rows.texts["phones"].tolist() == ["1 | 2", "3"]


def test_an_unknown_heading_is_matched_by_its_cells() -> None:
    cells = pd.DataFrame({"A": ["x", "y"], "B": ["12.5", ""], "C": ["2026-11-20", "2026-11-21 10:00"]}, dtype="str")
    assert match_headers(("A", "B", "C"), NAME, LATITUDE, ARRIVES, cells=cells) == {
        "name": ((), True),
        "latitude": (("B",), False),
        "arrives": (("C",), False),
    }


def test_texts_have_a_maximum_length_and_a_pattern() -> None:
    assert read_cells(Text(max_length=3), "abc", "abcd") == ["abc", "The value is longer than 3 characters."]
    assert read_cells(Text(pattern="[A-Z]{2}", message="Two capitals."), "FR", "fr") == ["FR", "Two capitals."]


def test_whole_numbers_are_exact_and_within_limits() -> None:
    most = 999_999_999_999_999_999
    assert read_cells(WholeNumber(), "+7", "-3", "007", str(most)) == [7, -3, 7, most]
    assert all(isinstance(words, str) for words in read_cells(WholeNumber(), "7.0", "1e3", "x", str(most + 1), "٣"))
    assert read_cells(WholeNumber(0, 10), "-1", "11") == ["The value is less than 0.", "The value is more than 10."]


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,000", "2,5"], [1.0, 2.5]),
        (["1,000", "2.5"], [1000.0, 2.5]),
        (["1.000", "2.500.000"], [1000.0, 2_500_000.0]),
        (["1.000", "1.234,5"], [1000.0, 1234.5]),
        (["0,500", "1,000"], [0.5, 1.0]),
        (["1,000", "2,000"], [AMBIGUOUS_NUMBER, AMBIGUOUS_NUMBER]),
        (["1.000", "7"], [AMBIGUOUS_NUMBER, 7.0]),
    ],
)
def test_the_whole_column_decides_the_decimal_separator(cells: list[str], numbers: list[Any]) -> None:
    assert read_cells(Decimal(), *cells) == numbers


def test_decimals_accept_commas_and_respect_their_range() -> None:
    assert read_cells(Decimal(-90, 90), "47.5", ".5", "5.", "-1e1") == [47.5, 0.5, 5.0, -10.0]
    assert read_cells(Decimal(-90, 90), "47,382", "8,541") == [47.382, 8.541]
    assert (
        read_cells(Decimal(-90, 90), "95", "1e999", "nan")
        == ["The value is more than 90."] + ["The value isn’t a number."] * 2
    )


def test_a_choice_accepts_all_its_spellings() -> None:
    kind = Choice({"Air": "A", "Flight": "A", "Hôtel": "H"})
    assert read_cells(kind, "AIR", "flight", "hotel", "boat") == ["A", "A", "H", "The value must be A or H."]


def test_moments_use_the_zone_and_date_order_of_the_file() -> None:
    day = 1_795_132_800_000  # Fri, Nov 20, 2026, 00:00 UTC
    assert read_cells(Moment(), "2026-11-20", "20.11.2026", "2026-11-20T00:00Z", str(day)) == [day] * 4
    assert read_cells(Moment(is_end=True), "2026-11-20") == [day + 86_400_000 - 1]
    assert read_cells(Moment(), "2026-11-20 01:00", zone="Europe/Berlin") == [day]
    assert read_cells(Moment(), "31.02.2027") == ["The date or time isn’t valid."]
    assert read_cells(Moment(), "03/04/2026") == ["Select whether the day or the month comes first."]
    april = 1_775_174_400_000
    assert read_cells(Moment(), "03/04/2026", date_order="day first") == [april]
    assert read_cells(Moment(), "03/04/2026", "13/04/2026")[0] == april, "the file's other dates show it"


def test_only_the_changed_column_is_read_again() -> None:
    lengths = []

    class Counting:
        def read(self, texts: pd.Series[str], _: ParseOptions) -> tuple[pd.Series[Any], list[Any]]:
            lengths.append(len(texts))
            return texts, []

    columns = [Column("a", "A", Counting()), Column("b", "B", Counting())]
    check = Check.of(ImportDeclaration("x", ("x", "x"), columns), "x.csv", b"A,B\n1,2\n3,4\n5,6\n")
    assert check.is_ready.all()
    check.fix_cell(0, "a", "9")
    assert check.is_ready.all()
    assert lengths == [3, 3, 3]
    assert check.rows.texts["a"].tolist() == ["9", "3", "5"]


def test_records_have_the_typed_values_of_filled_cells() -> None:
    content = b"name,number,start,latitude,state,more\nfine,7,,47.5,open,[1]\nbare,8,2026-11-20,,,\n"
    assert list(Check.of(NOTES, "n.csv", content).ready.records()) == [
        {"name": "fine", "number": 7, "latitude": 47.5, "state": "Open", "more": [1]},
        {"name": "bare", "number": 8, "start": 1_795_132_800_000},
    ]


def test_a_message_contains_the_cell_and_warnings_do_not_block() -> None:
    def rule(rows: Rows) -> list[Problem]:
        odd = (rows.texts["name"] == "odd").to_numpy(dtype=bool)
        return [Problem(odd, "name", "“{}” looks odd.", is_error=False)]

    declaration = ImportDeclaration("x", ("x", "x"), [Column("name", "Name", required=True)], rules=[rule])
    check = Check.of(declaration, "x.csv", b"name\nodd\nfine\n")
    assert check.cell_messages(0) == {"name": [("“odd” looks odd.", False)]}
    assert (check.is_ready.tolist(), check.in_view("warnings").tolist()) == ([True, True], [0])


def test_an_offer_changes_only_its_rows_after_others_were_skipped() -> None:
    def rule(rows: Rows) -> list[Problem]:
        odd = (rows.texts["name"] == "odd").to_numpy(dtype=bool)
        return [Problem(odd, "name", "Odd.", offer=Offer("Even", {"name": "even " + rows.texts["note"]}))]

    declaration = ImportDeclaration("x", ("x", "x"), [Column("name", "Name"), Column("note", "Note")], rules=[rule])
    check = Check.of(declaration, "x.csv", b"name,note\nodd,1\nodd,2\nfine,3\nodd,4\n")
    check.skip_rows([0])
    [(offer, rows)] = check.offers()
    check.accept(offer, rows)
    assert check.rows.texts["name"].tolist() == ["odd", "even 2", "fine", "even 4"]


def test_a_row_that_repeats_a_sent_row_is_not_ready() -> None:
    declaration = ImportDeclaration(
        "x", ("x", "x"), [Column("name", "Name")], rules=[find_repeats("name", message="Again.")]
    )
    check = Check.of(declaration, "x.csv", b"name\none\none\ntwo\n")
    assert check.is_ready.tolist() == [True, False, True]
    check.mark_sent(1)
    assert check.with_errors.tolist() == [False, True, False]
    assert not check.is_ready.any()
    check.fix_cell(1, "name", "three")
    assert check.is_ready.tolist() == [False, True, False]


def test_a_repeated_row_names_the_row_that_it_repeats() -> None:
    columns = [Column("name", "Name"), Column("note", "Note")]
    declaration = ImportDeclaration("x", ("x", "x"), columns, rules=[find_repeats("name", "note", message="Again.")])
    check = Check.of(declaration, "x.csv", b"name,note\none,\n,one\none,\none,two\none,\n")
    again = {"name": [("Again. See row 2.", True)]}
    assert [check.cell_messages(row) for row in range(5)] == [{}, {}, again, {}, again]
    check.skip_rows([0])
    assert check.cell_messages(4) == {"name": [("Again. See row 4.", True)]}


def test_a_row_corrected_into_a_repeat_of_a_sent_row_is_not_ready() -> None:
    columns = [Column("name", "Name", Text(max_length=5))]
    declaration = ImportDeclaration("x", ("x", "x"), columns, rules=[find_repeats("name", message="Again.")])
    check = Check.of(declaration, "x.csv", b"name\ntoo long\ndropped\ntwo\nthree\n")
    check.skip_rows([1])
    check.mark_sent(1)
    check.fix_cell(0, "name", "three")
    assert check.with_errors.tolist() == [True, False, False, False]
    assert not check.is_ready.any()
    check.fix_cell(0, "name", "one")
    assert check.is_ready.tolist() == [True, False, False, False]


def test_times_without_a_zone_are_counted_in_ready_rows_or_in_all() -> None:
    declaration = ImportDeclaration(
        "x", ("x", "x"), [Column("name", "Name", required=True), Column("at", "At", Moment())]
    )
    rows = b"name,at\none,2026-11-20 10:00\n,2026-11-21 10:00\nthree,2026-11-22 10:00\n"
    check = Check.of(declaration, "x.csv", rows)
    assert check.count_without_zone == 2
    check.skip_rows([0, 2])
    assert check.count_without_zone == 1
    check.skip_rows([1])
    assert check.count_without_zone == 0


def test_a_saved_match_is_used_if_the_file_has_all_its_headings() -> None:
    saved_matches = {"B": ColumnMatch({"name": ["Who"]}), "A": ColumnMatch({"name": ["What"], "gone": ["x"]})}
    source = NOTES.read("n.csv", b"What,Number\nfine,7\n")
    assert Check(NOTES, source, saved_matches=saved_matches).decisions.match_name is None
    check = Check(NOTES, source, saved_matches={"A": ColumnMatch({"name": ["What"], "start": []})})
    assert (check.decisions.match_name, check.matches["name"].headers) == ("A", ("What",))


LEG = Group(
    "leg",
    "Leg",
    (
        Column("at", "At", WallClock(), aliases=("when", "leaves"), by_content=True),
        Column("place", "Place", aliases=("leaves",), by_content=r"[A-Z]{3}"),
        Column("mail", "E-mail", allows_many=True),
    ),
    aliases=("flight",),
)


def test_headings_beyond_a_saved_match_are_matched_automatically(tmp_path: Path) -> None:
    declaration = ImportDeclaration(
        "x", ("x", "x"), [Column("name", "Name"), Column("kind", "Kind"), *LEG.of(1)], groups=[LEG]
    )
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        workspace: Any = JobWorkspace(journal)
        first = Check.of(declaration, "1.csv", b"Who,Kind,Place,Place 2\nAna,A,LIS,GVA\n")
        first.match("name", ["Who"])
        first.match("kind", [])
        first.save_match(workspace, "Agency A")
        text = b"Who,Kind,Place,Place 2,Place 3,E-mail\nAna,A,LIS,GVA,MAD,ana@example.org\n"
        check = Check.of(declaration, "2.csv", text, workspace)
    assert check.decisions.match_name == "Agency A"
    found = {name: match.headers for name, match in check.matches.items() if match.headers}
    assert found == {
        "name": ("Who",),
        "place": ("Place",),
        "place.2": ("Place 2",),
        "place.3": ("Place 3",),
        "mail": ("E-mail",),
    }
    check.match("kind", ["Kind"])
    assert check.rows.texts["kind"].tolist() == ["A"]


@pytest.mark.parametrize(
    ("headings", "times"),
    [
        (["Place", "At"], 1),
        (["Place 1", "At 1"], 1),
        (["Place 1", "Place 2"], 2),
        (["Leg 1 Place", "leg_3_place"], 3),
        (["Flight 2: at"], 2),
        (["E-mail", "E-mail 2"], 1),
        (["Somewhere 2", "2"], 1),
    ],
)
def test_numbers_in_headings_show_how_many_times_a_group_occurs(headings: list[str], times: int):
    assert LEG.count_in_headings(headings) == times


def test_numbered_headings_match_the_columns_with_their_number():
    headings = ["Place 1", "At1", "Flight 2 Place", "Leg 2 - At", "E-mail 1", "E-mail 2"]
    found = match_columns(headings, (*LEG.of(1), *LEG.of(2)))
    assert {name: match.headers for name, match in found.items()} == {
        "at": ("At1",),
        "place": ("Place 1",),
        "mail": ("E-mail 1",),
        "at.2": ("Leg 2 - At",),
        "place.2": ("Flight 2 Place",),
        "mail.2": ("E-mail 2",),
    }


def test_cells_decide_between_columns_with_the_same_name():
    for cells, name in ((["2026-11-20", "2026-11-21"], "at"), (["LIS", "GVA"], "place")):
        found = match_columns(["Leaves"], LEG.of(1), cells=pd.DataFrame({"Leaves": cells}, dtype="str"))
        assert {each: match.headers for each, match in found.items() if match.headers} == {name: ("Leaves",)}


def test_similar_columns_match_in_order_if_their_number_fits():
    columns = (
        Column("begin", "Begin", WallClock(), by_content=True),
        Column("end", "End", WallClock(), by_content=True),
    )
    cells = pd.DataFrame({"a": ["2026-11-20"], "b": ["2026-11-21"], "c": ["x"]}, dtype="str")
    found = match_columns(list(cells), columns, cells=cells)
    assert [(found[name].headers, found[name].is_sure) for name in ("begin", "end")] == [
        (("a",), False),
        (("b",), False),
    ]
    found = match_columns(["a", "c"], columns, cells=cells)
    assert not any(match.headers for match in found.values()), "one date column can be either"


def test_a_match_by_content_counts_the_cells_of_another_type():
    columns = [Column("lat", "Lat", Decimal(-90, 90), by_content=True), Column("code", "Code", by_content=r"[A-Z]{3}")]
    cells = pd.DataFrame({"a": [*["47.3"] * 9, "n/a"], "b": [*["LIS"] * 9, ""], "c": [*["1.5"] * 7, *["x"] * 3]})
    found = match_columns(["a", "b", "c"], columns, cells=cells)
    assert (found["lat"].headers, found["lat"].is_sure, found["lat"].misfits) == (("a",), False, 1)
    assert (found["code"].headers, found["code"].misfits) == (("b",), 0)


def test_a_heading_matches_the_column_that_it_fits_best():
    columns = [Column("any", "Any", by_content=r"[A-Z0-9]+"), Column("code", "Code", by_content=r"[A-Z]{3}")]
    found = match_columns(["a"], columns, cells=pd.DataFrame({"a": [*["LIS"] * 9, "7"]}))
    assert (found["any"].headers, found["code"].headers) == (("a",), ())


def test_a_saved_match_of_a_joined_column_includes_sure_new_headings() -> None:
    source = ImportDeclaration("x", ("x", "x"), [PHONES]).read("x.csv", b"Phone,Phone 2,Her mobile\n1,2,3\n")
    check = Check(
        ImportDeclaration("x", ("x", "x"), [PHONES]), source, saved_matches={"A": ColumnMatch({"phones": ["Phone"]})}
    )
    assert check.matches["phones"].headers == ("Phone", "Phone 2")
