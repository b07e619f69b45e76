"""Each rule for a trip file: its cell, its message, and no effect on other rows."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product

import pytest

from client.models.itineraries import Itinerary
from client.models.itinerary_rules import itinerary_problems
from domain.file_import.changed_codes import CHANGED_CODE
from domain.file_import.check_notes import cell_notes, count_warnings, describe_notes
from domain.file_import.checking import Check
from domain.file_import.traveler_cells import OPEN_TITLE, SEPARATE_PEOPLE, Name, parse_names
from domain.trips.trip_import.trip_declaration import declare_trips
from domain.trips.trip_import.trip_rules import IS_CANCELED, SUBJECT_CANCELED
from tests.domain.trips.trip_import.outcomes import check_of

GOOD = {
    "pnr": "K7QWZP",
    "externalItineraryId": "T-1",
    "itineraryStatus": "Active",
    "employeeId": "E1",
    "travelerName": "Silva/Ana",
    "email": "ana@example.org",
    "phone": "+351912345678",
    "type": "Air",
    "airRailNumber": "TP942",
    "fromPlace": "LIS",
    "fromDate": "2026-05-11 07:20",
    "toPlace": "GVA",
    "toDate": "2026-05-11 11:00",
}
STAY = {"type": "Hotel", "airRailNumber": "", "fromPlace": "", "toPlace": "", "fromDate": "", "toDate": ""} | {
    "hotelName": "Casa Alta",
    "hotelCountry": "KW",
    "checkIn": "2026-05-11",
    "checkOut": "2026-05-14",
}
COORDINATES = {"fromLatitude": "38.77", "fromLongitude": "-9.13", "toLatitude": "46.24", "toLongitude": "6.11"}
ERROR, WARNING = True, False

SINGLE_ROW_CASES = [
    ({"pnr": ""}, "pnr", "A value is required.", ERROR),
    ({"pnr": "K7 QWZP"}, "pnr", "A record locator must have letters and digits, and no spaces.", ERROR),
    ({"itineraryStatus": "on hold"}, "itineraryStatus", "The value must be Active or canceled.", ERROR),
    ({"type": ""}, "type", "Select the type of the segment: Air, Hotel, Rail, or Car.", ERROR),
    ({"type": "Ship"}, "type", "The value must be Air, Hotel, Rail, or Car.", ERROR),
    ({"fromPlace": ""}, "fromPlace", "Enter the airport code or address of departure.", ERROR),
    ({"toPlace": ""}, "toPlace", "The segment has no arrival place. Enter one, or no one will be expected", ERROR),
    ({"fromDate": ""}, "fromDate", "Enter the start date and time.", ERROR),
    ({"toDate": ""}, "toDate", "Enter the end date and time.", ERROR),
    ({"fromDate": "2026-02-30 07:20"}, "fromDate", "The date or time isn’t valid.", ERROR),
    ({"fromDate": "31 Feb 2027 08:25"}, "fromDate", "The date or time isn’t valid.", ERROR),
    ({"fromDate": "31 Feb 2027"}, "fromDate", "The date or time isn’t valid.", ERROR),
    ({"fromDate": "31FEB 0825"}, "fromDate", "The date or time isn’t valid.", ERROR),
    ({"fromDate": "2026-05-11"}, "fromDate", "Enter the start time.", ERROR),
    ({"toDate": "2026-05-11"}, "toDate", "Enter the end time.", ERROR),
    ({"fromDate": "2026-05-11T07:20Z"}, "fromDate", "The time is in UTC, not local time.", ERROR),
    ({"fromDate": "2026-05-11T07:20-00:00"}, "fromDate", "The time is in UTC, not local time.", ERROR),
    ({"fromDate": "1778484000"}, "fromDate", "The time is in UTC, not local time.", ERROR),
    ({"fromDate": "2026-05-11T07:20+00:00"}, "fromDate", "The offset from UTC isn’t", ERROR),
    ({"toDate": "2026-05-11 11:00 +0400"}, "toDate", "The offset from UTC isn’t", ERROR),
    (STAY | {"checkIn": "2026-05-11T15:00+00:00"}, "checkIn", "The offset from UTC isn’t", ERROR),
    ({"toDate": "2026-05-11 08:10"}, "toDate", "The end is before the start. Muster compares both in UTC.", ERROR),
    ({"toDate": "2026-05-13 11:00"}, "toDate", "No flight lasts more than 24 hours.", ERROR),
    ({"toDate": "2026-05-12 07:00"}, "toDate", "No nonstop flight lasts more than 20 hours.", WARNING),
    ({"toDate": "2026-05-11 08:50"}, "toDate", "No aircraft is that fast.", ERROR),
    ({"type": "Rail", "toDate": "2026-05-11 08:50", **COORDINATES}, "toDate", "No aircraft is that fast.", ERROR),
    ({"type": "Rail", "toDate": "2026-05-11 10:50", **COORDINATES}, "toDate", "The segment is too fast", WARNING),
    ({"fromDate": "1066-10-14 07:20"}, "fromDate", "The year must be between 1970 and 2199.", ERROR),
    ({"fromClock": "25:00"}, "fromClock", "The value isn’t a time of day.", ERROR),
    ({"fromDate": "2026-03-29 01:30", "toDate": "2026-03-29 09:00"}, "fromDate", "This time does not exist", WARNING),
    ({"fromPlace": "QQQ"}, "fromPlace", "No airport or city has this code", ERROR),
    ({"fromPlace": "LON"}, "fromPlace", "LON is the code of London, not of one airport", WARNING),
    ({"fromTimeZone": "Lisbon time"}, "fromTimeZone", "The time zone isn’t valid.", ERROR),
    ({"fromCountry": "Atlantis"}, "fromCountry", "The country isn’t valid.", ERROR),
    ({"fromLatitude": "95", "fromLongitude": "9"}, "fromLatitude", "The value is more than 90.", ERROR),
    ({"fromLatitude": "38.7"}, "fromLatitude", "Enter both latitude and longitude, or neither.", ERROR),
    (STAY | {"hotelLatitude": "29.4"}, "hotelLatitude", "Enter both latitude and longitude, or neither.", ERROR),
    ({"fromLatitude": "0", "fromLongitude": "0"}, "fromLatitude", "0, 0 is a point at sea", ERROR),
    ({"fromLatitude": "38.77", "fromLongitude": "9.13"}, "fromLatitude", "more than 100 km from LIS.", ERROR),
    (STAY | {"hotelLatitude": "-29.4", "hotelLongitude": "48"}, "hotelLatitude", "match the country (Kuwait)", ERROR),
    ({"email": "ana at home"}, "email", "isn’t a valid email address.", ERROR),
    ({"phone": "12", "phoneCountry": "PT"}, "phone", "The phone number isn’t valid.", ERROR),
    ({"phone": "ask Ana"}, "phone", "The phone number isn’t valid.", ERROR),
    ({"phone": "+351 12"}, "phone", "The phone number isn’t valid.", ERROR),
    ({"phone": "555-0100", "phoneCountry": "US"}, "phone", "too short for an international number", WARNING),
    ({"phone": "1.02E+11"}, "phone", "A spreadsheet changed this code", ERROR),
    ({"employeeId": "1,02E+11"}, "employeeId", "A spreadsheet changed this code", ERROR),
    ({"hotelName": "#REF!"}, "hotelName", "The cell has a spreadsheet error (“#REF!”)", ERROR),
    ({"fromDate": "#DIV/0!"}, "fromDate", "The cell has a spreadsheet error (“#DIV/0!”)", ERROR),
    ({"contactId": "12a"}, "contactId", "The contact ID must be a whole number above 0.", ERROR),
    ({"employeeId": "", "travelerName": ""}, "email", "The service needs an employee ID or a name.", ERROR),
    ({"employeeId": "", "travelerName": "", "email": "", "phone": ""}, "travelerName", "no traveler", ERROR),
    ({"travelerName": ""}, "employeeId", "The traveler has an employee ID but no name.", ERROR),
    ({"travelerName": "Silva/Ana; Dias/Carla"}, "travelerName", "The cell names several people", WARNING),
    ({"travelerName": "Ana Silva, John Doe"}, "travelerName", "Muster reads this as one person.", WARNING),
    (STAY | {"hotelName": "", "hotelCountry": ""}, "hotelName", "Enter the address of the hotel.", ERROR),
    (STAY | {"checkOut": ""}, "checkOut", "Enter the end date and time.", ERROR),
    (STAY | {"checkOut": "2026-05-10"}, "checkOut", "The end is before the start", ERROR),
    (STAY | {"hotelCountry": "US"}, "hotelCountry", "The time zone of this place isn’t known.", ERROR),
]  # fmt: skip


def list_messages(*rows: dict[str, str]) -> list[dict[str, list[tuple[str, bool]]]]:
    """The messages at the cells of rows, which are checked together with another valid row."""
    other_row = GOOD | STAY | {"pnr": "ZZZZZZ", "externalItineraryId": "T-9", "employeeId": "E9", "fromPlace": ""}
    every = [*rows, other_row]
    headings = list(dict.fromkeys(name for row in every for name in row))
    lines = ["\t".join(row.get(name, "") for name in headings) for row in every]
    check = check_of("\n".join(["\t".join(headings), *lines]))
    assert check.source.rows == len(every)
    messages = [check.cell_messages(row) for row in range(check.source.rows)]
    assert messages.pop() == {}
    return messages


def test_a_valid_row_has_no_messages_and_is_ready():
    assert list_messages(GOOD) == [{}]
    assert list_messages(GOOD | STAY) == [{}]
    [trip] = check_of("\t".join(GOOD) + "\n" + "\t".join(GOOD.values())).outgoing()
    assert itinerary_problems(Itinerary.model_validate(trip.payload)) == []


def test_one_cell_in_last_first_order_decides_for_all_cells():
    other = GOOD | {"pnr": "K7QX99", "externalItineraryId": "T-8", "employeeId": "E8"}
    assert list_messages(
        GOOD | {"travelerName": "García López, Juan Carlos"}, other | {"travelerName": "Dias, Ana"}
    ) == [
        {},
        {},
    ]


@pytest.fixture(scope="module")
def single_row_messages() -> list[dict[str, list[tuple[str, bool]]]]:
    """The messages at the cells of a file with all these rows, each with its own trip and traveler."""
    own = [
        {"pnr": f"K7Q{n}", "externalItineraryId": f"T-{n}", "employeeId": f"E{n}", "travelerName": f"Silva/{name}"}
        for n, name in enumerate(map("".join, product("ABCDEFGH", repeat=2)), start=100)
    ]
    rows = [GOOD | own_values | changed for own_values, (changed, *_) in zip(own, SINGLE_ROW_CASES, strict=False)]
    # With a separate time column, a day is not a full time. Otherwise it is one without a time of day.
    messages = iter(list_messages(*(row for row in rows if "fromClock" not in row)))
    return [list_messages(row)[0] if "fromClock" in row else next(messages) for row in rows]


@pytest.mark.parametrize("place", range(len(SINGLE_ROW_CASES)), ids=lambda place: str(SINGLE_ROW_CASES[place][:3])[:80])
def test_a_problem_is_reported_at_its_cell(single_row_messages: list[dict[str, list[tuple[str, bool]]]], place: int):
    _, column, words, is_error = SINGLE_ROW_CASES[place]
    messages = single_row_messages[place]
    assert [is_text_error for text, is_text_error in messages.get(column, []) if words in text] == [is_error]
    assert is_error or not any(is_text_error for texts in messages.values() for _, is_text_error in texts)


@pytest.mark.parametrize("status", ["canceled", "Cancelled", "VOID", "XX"])
def test_a_canceled_trip_needs_only_its_record_locator(status: str):
    assert list_messages(dict.fromkeys(GOOD, "") | {"pnr": "K7QWZP", "itineraryStatus": status}) == [
        {"itineraryStatus": [(IS_CANCELED, False)]}
    ]


def test_record_locators_ignore_case():
    header, row = ",".join(GOOD), ",".join(f'"{each}"' for each in GOOD.values())
    check = check_of(f"{header}\n{row.replace('K7QWZP', 'k7qwzp')}\n{row}\n")
    assert [(item.payload["pnr"], list(item.rows)) for item in check.outgoing()] == [("k7qwzp", [0, 1])]
    assert check.ready_count == 1


TWO_ROW_CASES = [
    ({"externalItineraryId": "T-2"}, "externalItineraryId", "Another row with this record locator has a", ERROR),
    ({"externalItineraryId": "T-2", "pnr": "k7qwzp"}, "externalItineraryId", "Another row with this record", ERROR),
    ({"itineraryStatus": "canceled"}, "itineraryStatus", "Another row with this record locator has a", ERROR),
    ({"itineraryStatus": ""}, "itineraryStatus", "Another row with this record locator is canceled", ERROR),
    ({"itinerarySource": "Agency B"}, "itinerarySource", "Muster uses the first one.", WARNING),
    ({"toDate": "2026-05-11 12:00"}, "toDate", "has a different value for the same segment", ERROR),
    ({"fromDate": "2026-05-11 07:30"}, "fromDate", "has a different value for the same segment", ERROR),
    ({"toPlace": "ZRH"}, "toPlace", "has a different value for the same segment", ERROR),
    ({"travelerName": "Dias/Carla"}, "travelerName", "gives this employee ID another name", WARNING),
    ({"employeeId": "E2"}, "employeeId", "gives this name another employee ID", WARNING),
]


@pytest.mark.parametrize(("changed", "column", "words", "is_error"), TWO_ROW_CASES, ids=lambda value: str(value)[:50])
def test_contradicting_rows_of_a_record_locator_are_reported_at_their_cells(
    changed: dict[str, str], column: str, words: str, is_error: bool
):
    same = GOOD | {"itinerarySource": "Agency A"}
    same |= {"itineraryStatus": "canceled"} if words.endswith("is canceled") else {}
    first, second = list_messages(same, same | changed)
    assert [
        is_text_error for text, is_text_error in second.get(column, []) if words in text and text.endswith("row 2.")
    ] == [is_error]
    is_blocked = first.get("pnr") == [("Row 3 of the same trip has an error.", True)]
    assert is_blocked is is_error, "an error blocks both rows"


def test_rows_of_a_record_locator_make_one_trip_with_each_traveler_once():
    back = {"airRailNumber": "TP941", "fromPlace": "GVA", "toPlace": "LIS"}
    back |= {"fromDate": "2026-05-14 18:30", "toDate": "2026-05-14 20:10"}
    rows = [GOOD, GOOD | {"employeeId": "E2", "travelerName": "Costa/Bruno"}, GOOD | back]
    text = "\n".join("\t".join(line) for line in ([*GOOD], *(row.values() for row in rows)))
    [trip] = check_of(text).outgoing()
    assert list(trip.rows) == [0, 1, 2]
    assert [segment["airRailNumber"] for segment in trip.payload["segments"]] == ["TP942", "TP941"]
    assert [person["employeeId"] for person in trip.payload["passengers"]] == ["E1", "E2"]


@pytest.mark.parametrize(
    ("number", "other"),
    [
        ({"airRailNumber": "TP942"}, {"airRailNumber": "TP 942"}),
        ({"airRailNumber": "tp 942"}, {"airRailNumber": "TP942"}),
        ({"airRailNumber": "942", "supplierCode": "TP"}, {"airRailNumber": "TP 942", "supplierCode": "TP"}),
    ],
    ids=str,
)
def test_a_flight_is_the_same_in_every_spelling_of_its_number(number: dict[str, str], other: dict[str, str]):
    two = GOOD | other | {"employeeId": "E2", "travelerName": "Costa/Bruno"}
    first, late = GOOD | number, two | {"toDate": "2026-05-11 12:00"}
    assert "toDate" in list_messages(first, late)[1]
    rows = [first, two]
    [trip] = check_of("\n".join("\t".join(line) for line in ([*first], *(row.values() for row in rows)))).outgoing()
    [alone] = check_of("\n".join("\t".join(line) for line in ([*first], first.values()))).outgoing()
    assert trip.payload["segments"] == alone.payload["segments"]


def test_a_row_with_an_error_blocks_its_trip_until_it_is_fixed_or_skipped():
    text = "\n".join("\t".join(line) for line in ([*GOOD], GOOD.values(), (GOOD | {"fromDate": ""}).values()))
    check = check_of(text)
    assert not check.is_ready.any()
    check.skip_rows([1])
    assert check.is_ready.tolist() == [True, False]
    check.undo()
    check.fix_cell(1, "fromDate", "2026-05-11 07:20")
    assert check.is_ready.all()


def test_a_skipped_row_is_not_compared_but_keeps_its_messages():
    other = GOOD | {"airRailNumber": "TP1", "fromDate": "2026-05-12 07:20", "toDate": "2026-05-12 11:00"}
    first, second = GOOD | {"itinerarySource": "A"}, other | {"itinerarySource": "B", "externalItineraryId": "T-2"}
    check = check_of("\n".join("\t".join(line) for line in ([*first], first.values(), second.values())))
    assert not check.is_ready.any()
    check.skip_rows([0])
    assert (check.cell_messages(1), check.is_ready.tolist()) == ({}, [False, True])
    check.undo()
    check.skip_rows([1])
    assert check.is_ready.tolist() == [True, False]
    [reason] = check.unready_frame()["Reason"]
    assert reason == "Skipped. External trip ID: Another row with this record locator has a different value. See row 2."

    canceled = GOOD | {"itineraryStatus": "Cancelled"}
    bare = GOOD | {
        "travelerName": "",
        "employeeId": "",
        "email": "",
        "phone": "",
        "fromPlace": "",
        "itineraryStatus": "",
    }
    check = check_of("\n".join("\t".join(line) for line in ([*GOOD], canceled.values(), bare.values())))
    check.skip_rows([0])
    assert [*check.cell_messages(1)] == ["fromPlace", "travelerName"]


def test_a_blocked_row_names_the_rows_with_errors():
    rows = [GOOD, *(GOOD | {"airRailNumber": f"TP{number}", "fromDate": "soon"} for number in range(1, 8))]
    messages = list_messages(*rows[:2], GOOD | {"pnr": "OTHER1", "externalItineraryId": "T-2", "employeeId": "E2"})
    assert messages[0]["pnr"] == [("Row 3 of the same trip has an error.", True)]
    assert "pnr" not in messages[2]
    messages = list_messages(*rows)
    assert messages[0]["pnr"] == [("Rows 3, 4, 5, 6, and 3 more of the same trip have errors.", True)]


def test_an_offset_of_the_place_is_accepted_and_resolves_a_repeated_hour():
    row = GOOD | {"fromDate": "2026-10-25T01:30+00:00", "toDate": "2026-10-25T06:00+01:00"}
    assert list_messages(row) == [{}]
    [trip] = check_of("\t".join(row) + "\n" + "\t".join(row.values())).outgoing()
    [segment] = trip.payload["segments"]
    assert (segment["fromDateTimeLocal"], segment["fromDateTime"]) == ("2026-10-25T01:30:00", "2026-10-25T01:30:00Z")


@pytest.mark.parametrize("cell", ["Mr John Smith", "Smith, John Mr", "SMITH/JOHN MR", "dr. John Smith", "John Smith"])
def test_a_title_is_not_part_of_a_name(cell: str):
    assert parse_names(cell) == [Name("John", "Smith")]


@pytest.mark.parametrize(
    ("cell", "people"),
    [
        ("SMITH/JOHNMR", ["John Smith"]),
        ("SMITH/AMR", ["Amr Smith"]),
        ("Ana M", ["Ana M"]),
        ("LEE/KIM MS/ LEE/SU MISS(CHD)", ["Kim Lee", "Su Lee"]),
        ("SMITH/JOHN MR/JANE MRS", ["John Smith", "Jane Smith"]),
        ("SMITH/JOHN MR SMITH/JANE MRS", ["John Smith", "Jane Smith"]),
        ("SMITH/JOHN, DOE/JANE", ["John Smith", "Jane Doe"]),
        ("1.SMITH/JOHN MR  2.DOE/JANE MS", ["John Smith", "Jane Doe"]),
        ("Mr John Smith Mrs Jane Doe", ["John Smith", "Jane Doe"]),
        ("Prof. Dr. Hans Meier", ["Hans Meier"]),
        ("MEIER/MAX MR; MEIER/LEO KIND", ["Max Meier", "Leo Meier"]),
        ("MARTIN/LEA MLLE ENFANT", ["Lea Martin"]),
        ("Martin, Léa (enfant, 8 ans)", ["Léa Martin"]),
        ("Kind Leo Meier", ["Leo Meier"]),
        ("GARCIA/LUISCHD", ["Luis Garcia"]),
        ("NIÑO/CARLOS", ["Carlos Niño"]),
        ("Lee Child", ["Lee Child"]),
        ("DOE/JANE MRS(INFROE/TOM/12JAN26)", ["Jane Doe", "Tom Roe"]),
        ("DOE/JANE MRS (INF/TOM)", ["Jane Doe", "Tom Doe"]),
        ("NGUYEN/VAN A MR*ADT", ["Van A Nguyen"]),
        ("1.1DOE/JANEMRS*ADT 2.1DOE/TIMMSTR*P-C08", ["Jane Doe", "Tim Doe"]),
    ],
)
def test_each_person_in_a_cell_is_a_traveler(cell: str, people: list[str]):
    assert [f"{name.first} {name.last}" for name in parse_names(cell)] == people


def test_a_cell_that_is_read_as_several_travelers_has_a_note_and_no_warning():
    people = ["LEE/KIM MS/ LEE/SU MISS(CHD)", "SMITH/JOHN", *["DOE/ANN; DOE/BOB"] * 4]
    lines = [f"PAX{number},{cell},TP942,LIS,GVA,2026-05-11,07:20,11:00" for number, cell in enumerate(people)]
    check = check_of("\n".join(["Record locator,PAX,Flight,From,To,Date,Dep time,Arr time", *lines]))
    assert cell_notes(check, 0) == {"travelerName": ["2 travelers in one cell: Kim Lee, Su Lee."]}
    assert not any(check.cell_messages(row) for row in range(6))
    assert check.is_ready.all()
    assert not check.with_warnings.any()
    assert not count_warnings(check)
    doe = "2 travelers in one cell: Ann Doe, Bob Doe."
    assert describe_notes(check) == (
        f"Row 2: 2 travelers in one cell: Kim Lee, Su Lee. Row 4: {doe} Row 5: {doe} 2 more rows."
    )
    check.skip_rows([0, 2, 3, 4, 5])
    assert describe_notes(check) == ""


@pytest.mark.parametrize("cell", ["LEE/KIM PARK/JO", "SMITH/JOHN/PAUL", "John Mr Smith", "SMITH/JOHN MR JANE MRS"])
def test_a_cell_that_may_name_several_people_is_an_error(cell: str):
    assert list_messages(GOOD | {"travelerName": cell})[0]["travelerName"][0] == (SEPARATE_PEOPLE, True)


def test_a_last_word_that_may_be_a_title_or_a_name_is_an_error():
    assert list_messages(GOOD | {"travelerName": "Leo Meier Kind"})[0]["travelerName"][0] == (OPEN_TITLE, True)


@pytest.mark.parametrize(
    ("heading", "cell", "name"),
    [
        ("Nom et prénom", "Dupont Jean", ("Jean", "Dupont")),
        ("Nom et prénom", "Jean DUPONT", ("Jean", "Dupont")),
        ("Nom du passager (prénom nom)", "Jean Dupont", ("Jean", "Dupont")),
        ("Name, Vorname", "VON DER HEIDE ANNA", ("Anna", "Von Der Heide")),
        ("Vor- und Nachname", "Anna Heide", ("Anna", "Heide")),
        ("Apellidos y nombre", "GARCIA LOPEZ ANA", ("Ana", "Garcia Lopez")),
        ("Nombre y apellidos", "Ana García", ("Ana", "García")),
        ("Last name, first name", "Smith John", ("John", "Smith")),
        ("Traveler (First Last)", "Smith, John", ("John", "Smith")),
    ],
)
def test_the_heading_decides_the_order_of_first_and_last_names(heading: str, cell: str, name: tuple[str, str]):
    others = {column: text for column, text in GOOD.items() if column not in ("travelerName", "employeeId")}
    check = check_of("\t".join([heading, *others]) + "\n" + "\t".join([cell, *others.values()]))
    [trip] = check.outgoing()
    [person] = trip.payload["passengers"]
    assert (person["firstName"], person["lastName"]) == name
    assert ("travelerName" in check.cell_messages(0)) == (cell == "GARCIA LOPEZ ANA")


def test_the_last_name_of_each_row_is_named_even_if_other_rows_are_skipped():
    check = check_of(
        "PNR;Nom et prénom;Vol;De;À;Départ;Arrivée\n"
        "AAAAA1;DUPONT JEAN PAUL;AF1234;CDG;NCE;12/03/2026 08:00;12/03/2026 09:30\n"
        "AAAAA2;MARTIN;AF1234;CDG;NCE;12/03/2026 08:00;12/03/2026 09:30\n"
        "AAAAA3;MOREAU ANNE MARIE;AF1234;CDG;NCE;13/03/2026 08:00;13/03/2026 09:30\n"
    )
    check.skip_rows([0])
    assert "reads “Moreau”" in check.cell_messages(2)["travelerName"][0][0]
    assert "travelerName" not in check.cell_messages(1)


@pytest.mark.parametrize(
    "subject",
    ["Cancellation of booking K7QWZP", "Ihre Flugstornierung", "Annulation de votre dossier", "Cancelación de reserva"],
)
def test_a_booking_whose_subject_says_that_it_was_canceled_is_an_error(subject: str):
    assert list_messages(GOOD | {"subject": subject}) == [{"subject": [(SUBJECT_CANCELED, True)]}]
    canceled = {"itineraryStatus": "canceled"}
    assert "subject" not in list_messages(GOOD | canceled | {"subject": subject})[0]
    assert list_messages(GOOD | {"subject": "Your booking, with free cancellation"}) == [{}]
    above = f"Subject: {subject}\n\n" + ",".join(GOOD) + "\n" + ",".join(GOOD.values())
    assert check_of(above).cell_messages(0) == {"subject": [(SUBJECT_CANCELED, True)]}


def test_a_title_in_a_column_of_first_names_is_not_part_of_the_name():
    row = GOOD | {"travelerName": "", "firstName": "Leo KIND", "lastName": "Meier"}
    [trip] = check_of("\t".join(row) + "\n" + "\t".join(row.values())).outgoing()
    assert trip.payload["passengers"][0]["firstName"] == "Leo"


def test_a_second_person_in_a_first_name_is_an_error():
    row = GOOD | {"travelerName": "", "firstName": "KIM MS/ LEE/SU MISS", "lastName": "LEE"}
    assert (SEPARATE_PEOPLE, True) in list_messages(row)[0]["firstName"]


@pytest.mark.parametrize(
    ("column", "genuine", "changed"),
    [
        ("pnr", ["1E5678", "123456", "7E1234", "DEC02A", "AB-123"], ["7.8E+124", "4,12E+47", "02-Dec", "02. Dez"]),
        ("airRailNumber", ["123", "LH 400", "9E3456", "0117"], ["9.00E+34", "1E+10", "Dec-26", "2026-12-02"]),
        ("employeeId", ["00126", "E-12", "12-05", "123456789012345"], ["1.2346E+11", "1.23456789E8", "########"]),
        ("phone", ["+49 170 1234567", "0041-44-123"], ["4.91702E+11", "+4915112345678; 4.91702E+11"]),
        ("fromPlace", ["LHR"], ["1.00E+06", "02-Dec"]),
    ],
)
def test_codes_that_a_spreadsheet_changed_are_errors(column: str, genuine: list[str], changed: list[str]):
    def is_changed(cell: str) -> bool:
        return (CHANGED_CODE.replace("{}", cell), True) in list_messages(GOOD | {column: cell})[0].get(column, [])

    assert [cell for cell in (*genuine, *changed) if is_changed(cell)] == changed


def test_identifiers_lose_a_decimal_zero():
    row = GOOD | {"employeeId": "1023.0", "phone": "+351912345678.0 | 01711234567.0", "externalItineraryId": "77.0"}
    check = check_of("\t".join(row) + "\n" + "\t".join(row.values()))
    check.set_options(replace(check.decisions.options, country="DE"))
    [trip] = check.outgoing()
    [person] = trip.payload["passengers"]
    assert (trip.payload["externalItineraryId"], person["employeeId"]) == ("77", "1023")
    assert [each["phoneNumber"] for each in person["phoneNumbers"]] == ["+351912345678", "+491711234567"]


def test_a_phone_number_without_a_country_is_sent_as_written():
    check = check_of("\t".join(GOOD) + "\n" + "\t".join((GOOD | {"phone": "555-0100"}).values()))
    assert check.count_question_rows("country") == 1
    [trip] = check.outgoing()
    assert trip.payload["passengers"][0]["phoneNumbers"] == [{"phoneNumber": "555-0100"}]
    check.set_options(replace(check.decisions.options, country="US"))
    [trip] = check.outgoing()
    assert trip.payload["passengers"][0]["phoneNumbers"] == [{"phoneNumber": "555-0100", "countryName": "US"}]
    check.fix_cell(0, "phone", "(202) 555-0100")
    [trip] = check.outgoing()
    assert trip.payload["passengers"][0]["phoneNumbers"] == [{"phoneNumber": "+12025550100", "countryName": "US"}]
    assert check.count_question_rows("country") == 0


HOTEL_ROW = {"PNR": "K7QWZP", "Hotel": "The Pier", "City": "Miami", "State": "FL", "Country": "US"} | {
    "Arrival": "2026-11-24",
    "Departure": "2026-11-27",
}
UNSURE_COLUMNS = {"hotelCity", "hotelState", "hotelCountry", "checkIn", "checkOut"}


def find_unsure_columns(row: dict[str, str]) -> set[str]:
    check = check_of("\t".join(row) + "\n" + "\t".join(row.values()))
    return {name for name, match in check.matches.items() if not match.is_sure}


def test_short_headings_of_a_hotel_list_match_for_sure():
    assert find_unsure_columns(HOTEL_ROW) == set()


@pytest.mark.parametrize(
    ("more", "unsure"),
    [
        ({"Flight": "TP942"}, UNSURE_COLUMNS),
        ({"Type": "Hotel"}, UNSURE_COLUMNS),
        ({"From": "LIS"}, UNSURE_COLUMNS - {"checkIn", "checkOut"}),
        ({"Town": "Doral"}, {"hotelCity"}),
    ],
)
def test_ambiguous_short_headings_are_unsure_matches(more: dict[str, str], unsure: set[str]):
    assert find_unsure_columns(HOTEL_ROW | more) == unsure


def test_a_spreadsheet_number_is_shown_as_a_date():
    row = GOOD | {"fromDate": "46360.236", "toDate": "46360.5", "fromPlace": ""}
    check = check_of("\t".join(row) + "\n" + "\t".join(row.values()))
    assert check.rows.texts[["fromDate", "toDate"]].iloc[0].tolist() == ["2026-12-04 05:40:00", "2026-12-04 12:00:00"]
    assert check.unready_frame()[["fromDate", "toDate"]].iloc[0].tolist() == [
        "2026-12-04 05:40:00",
        "2026-12-04 12:00:00",
    ]
    clocks = GOOD | {"fromDate": "46360", "fromClock": "0.3055", "toDate": "", "toClock": "46360.5"}
    check = check_of("\t".join(clocks) + "\n" + "\t".join(clocks.values()))
    assert check.rows.texts[["fromDate", "fromClock"]].iloc[0].tolist() == ["2026-12-04", "07:20:00"]
    [trip] = check.outgoing()
    [segment] = trip.payload["segments"]
    assert (segment["fromDateTimeLocal"], segment["toDateTimeLocal"]) == ("2026-12-04T07:20:00", "2026-12-04T12:00:00")


@pytest.mark.parametrize(
    ("day", "clock", "is_wrong"),
    [
        ("2026-05-11", "2026-05-11 07:20", False),
        ("2026-05-12", "2026-05-11 07:20", True),
        ("2026-05-11", "1900-01-01 07:20", False),
    ],
)
def test_a_date_in_a_time_column_must_match_the_date_column(day: str, clock: str, is_wrong: bool):
    messages = list_messages(GOOD | {"fromDate": day, "fromClock": clock})[0]
    words = "The columns for the start date and the start time don’t agree. Match only the correct column."
    assert ((words, True) in messages.get("fromClock", [])) is is_wrong


def test_an_employee_id_without_a_name_is_valid_for_a_known_contact():
    nameless = GOOD | {"travelerName": ""}
    text = "\n".join("\t".join(line) for line in ([*GOOD], nameless.values()))
    check = check_of(text)
    assert not check.is_ready.any()
    assert check.questions == {
        "contacts": "1 row has an employee ID without a name. The service rejects them unless these people are "
        "contacts already."
    }
    check.set_options(replace(check.decisions.options, are_contacts=True))
    assert check.is_ready.all()
    assert Check.of(declare_trips({"E1"}), "trips.csv", text).is_ready.all()
    other = GOOD | {"pnr": "K7QX99", "externalItineraryId": "T-8"}
    assert check_of("\n".join("\t".join(line) for line in ([*GOOD], nameless.values(), other.values()))).is_ready.all()


def test_travelers_of_a_record_locator_without_a_shared_segment_are_a_warning():
    other = {"employeeId": "E2", "travelerName": "Costa/Bruno", "email": "", "phone": ""}
    own = {"airRailNumber": "BA15", "fromPlace": "LHR", "toPlace": "SIN"}
    own |= {"fromDate": "2026-08-01 20:30", "toDate": "2026-08-02 16:20"}
    words = (
        "This traveler has no segment in common with others who have this record locator. "
        "Check that all travelers belong to the same trip."
    )
    first, second = list_messages(GOOD, GOOD | other | own)
    assert (first, second) == ({"pnr": [(f"{words} See row 3.", False)]}, {"pnr": [(f"{words} See row 2.", False)]})
    companion = GOOD | other
    assert list_messages(GOOD, companion, GOOD | other | own) == [{}, {}, {}], "they share the flight out"
    late = GOOD | own | {"employeeId": "E3", "travelerName": "Dias/Carla", "email": "", "phone": ""}
    assert [bool(messages) for messages in list_messages(GOOD, companion, late)] == [False, False, True]


def test_rows_made_from_one_trip_in_json_are_one_trip():
    segment = {"type": "Air", "fromIataCode": "LIS", "toIataCode": "GVA", "airRailNumber": "TP942"}
    segment |= {"fromDateTimeLocal": "2026-05-11T07:20:00", "toDateTimeLocal": "2026-05-11T11:00:00"}
    back = segment | {"fromIataCode": "GVA", "toIataCode": "LIS", "airRailNumber": "TP941"}
    back |= {"fromDateTimeLocal": "2026-05-14T18:30:00", "toDateTimeLocal": "2026-05-14T20:10:00"}
    people = [{"employeeId": f"E{name}", "firstName": name, "lastName": "Silva"} for name in ("Ana", "Bruno")]
    check = check_of(json.dumps({"pnr": "K7QWZP", "segments": [segment, back], "passengers": people}), "trip.json")
    assert check.source.rows == 2
    assert [check.cell_messages(row) for row in range(2)] == [{}, {}]


def test_a_problem_of_most_cells_is_reported_once_for_the_column():
    rows = [GOOD | {"pnr": f"K7Q{n}", "externalItineraryId": f"T-{n}", "fromDate": "soon"} for n in range(100, 130)]
    check = check_of("\n".join("\t".join(line) for line in ([*GOOD], *(row.values() for row in rows))))
    assert check.column_problems == ["From: date, 30 rows: The date or time isn’t valid."]
    phones = [row | {"fromDate": GOOD["fromDate"], "phone": "912 345 678"} for row in rows]
    check = check_of("\n".join("\t".join(line) for line in ([*GOOD], *(row.values() for row in phones))))
    question = "30 rows have phone numbers without a country code. Muster sends these numbers as written."
    assert (check.questions, check.column_problems) == ({"country": question}, [])
    assert not check.with_warnings.any()
    assert check.is_ready.all()


def test_contradicting_coordinates_are_fixed_in_all_their_rows() -> None:
    rows = ["Munich,DE,48.14,-11.58", "Munich,DE,11.58,48.14", "Munich,DE,0,0", "Munich,DE,48.14,11.58"]
    lines = [f"AAAAA{n},DOE/ANN,Grand,{row},2026-03-10,2026-03-12" for n, row in enumerate(rows)]
    heading = (
        "Record locator,Traveller,Hotel,Hotel city,Hotel country,Hotel latitude,Hotel longitude,Check-in,Check-out"
    )
    check = check_of("\n".join([heading, *lines]))
    assert check.is_ready.tolist() == [False, False, False, True]
    for offer, its in check.offers():
        check.accept(offer, its)
    places = [item.payload["segments"][0]["fromAddress"] for item in check.outgoing()]
    assert [(place["latitude"], place["longitude"]) for place in places] == [
        (48.14, 11.58),
        (48.14, 11.58),
        (48.137, 11.575),
        (48.14, 11.58),
    ]


def test_rows_of_one_locator_without_a_known_day_are_not_compared():
    check = check_of("pnr,travelerName,toDate\nBBBBB2,Silva/Ana,2026-05-11\nBBBBB2,Doe/John,2026-05-12\n")
    assert "pnr" not in check.cell_messages(0)


def test_a_corrected_cell_is_checked_like_the_original_file():
    """Only changed rows are read again."""
    lines = ["pnr,travelerName,fromPlace,toPlace,fromDate,toDate"]
    lines += [f"AAAAA{n},DOE/ANN,LHR,JFK,2026-03-10 10:00,2026-03-10 13:0{n}" for n in range(3)]
    check = check_of("\n".join(lines))
    assert check.is_ready.all()
    check.fix_cell(1, "toDate", "2026-03-10 05:00")
    assert check.is_ready.tolist() == [True, False, True]
    check.skip_rows([0])
    assert [words for words, _ in check.cell_messages(1)["toDate"]] == [
        "The end is before the start. Muster compares both in UTC."
    ]
    check.fix_cell(1, "toDate", "2026-03-10 14:00")
    assert [trip.payload["segments"][0]["toDateTime"] for trip in check.outgoing()] == [
        "2026-03-10T18:00:00Z",
        "2026-03-10T17:02:00Z",
    ]
