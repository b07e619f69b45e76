"""Rows pasted from a spreadsheet become travelers. Ambiguous rows stay in the field with advice."""

import pytest

from domain.trips.editor.pasted_travelers import (
    ADD_HEADINGS,
    NO_HEADING,
    ONE_ROW_PER_PERSON,
    OPEN_QUOTES,
    SEPARATE_PEOPLE,
    TOO_MANY,
    pasted_travelers,
)


def test_travelers_are_pasted_from_rows_with_any_separator() -> None:
    """Headings and empty lines are ignored."""
    pasted, unread_rows, *_ = pasted_travelers(
        "Employee id\tFirst name\tLast name\nE1\tAna\tSilva\tana@example.org\t+971 50\n\nE2;Ben;Okoro\nE3,Cho,Park\n"
    )
    assert [(each.employee_id, each.first_name, each.last_name) for each in pasted] == [
        ("E1", "Ana", "Silva"),
        ("E2", "Ben", "Okoro"),
        ("E3", "Cho", "Park"),
    ]
    assert pasted[0].emails == "ana@example.org"
    assert pasted[0].phones[0].number == "+971 50"
    assert not unread_rows


@pytest.mark.parametrize(
    "headings",
    ["ID;First;Last", "Surname,Given name", "Personalnr.\tVorname\tNachname\tE-Mail", "Staff;Name;Surname", "Employee"],
)
def test_pasted_headings_are_not_a_traveler(headings: str) -> None:
    assert pasted_travelers(headings)[:2] == ([], [])


@pytest.mark.parametrize(
    "rows",
    [
        "Last name\tFirst name\tEmployee id\tE-mail\tPhone\nSilva\tAna\tE1\tana@example.org\t+971 50",
        "Surname;Given name;E-mail;Mobile;Employee number\nSilva;Ana;ana@example.org;+971 50;E1",
        "Employee id,First name,Last name,Department,E-mail,Phone\nE1,Ana,Silva,Sales,ana@example.org,+971 50",
        "Name,Surname,Personalnr.,Mail,Tel.\nAna,Silva,E1,ana@example.org,+971 50",
        "Staff;Name;Surname;E-Mail;Cell\nE1;Ana;Silva;ana@example.org;+971 50",
        (
            "Traveller's last name;Traveller's first name;Passenger e-mail;Employee no.;Mobile no.\n"
            "Silva;Ana;ana@example.org;E1;+971 50"
        ),
        (
            "Guest first name;Last name (as in passport);Work e-mail;Employee's ID number;Mobile phone number\n"
            "Ana;Silva;ana@example.org;E1;+971 50"
        ),
        "Name;Vorname;Personalnr.;E-Mail;Telefon\nSilva;Ana;E1;ana@example.org;+971 50",
        "Name of traveller\tStaff no\tE-mail\tPhone\nAna Silva\tE1\tana@example.org\t+971 50",
        "Traveller;E-mail;Phone;Emp. no.\nSILVA/ANA MS;ana@example.org;+971 50;E1",
        'Employee no,Passenger,E-mail,Phone\nE1,"Silva, Ana",ana@example.org,+971 50',
    ],
)
def test_pasted_headings_identify_the_columns(rows: str) -> None:
    """A column that is not a field of a traveler is omitted and reported."""
    [pasted], unread_rows, unused_headings, *_ = pasted_travelers(rows)
    assert (pasted.first_name, pasted.last_name, pasted.emails) == ("Ana", "Silva", "ana@example.org")
    assert (pasted.employee_id, pasted.phones[0].number, unread_rows) == ("E1", "+971 50", [])
    assert unused_headings == (["Department"] if "Department" in rows else [])


@pytest.mark.parametrize("heading", ["E-mail", "E-mail;Cost centre name", "Cost centre name;E-mail"])
def test_one_known_heading_is_enough(heading: str) -> None:
    """The other columns are not guessed."""
    [pasted], _, unused_headings, *_ = pasted_travelers(
        f"{heading}\n{';'.join(['a@b.org'] * (heading.count(';') + 1))}"
    )
    assert (pasted.employee_id, pasted.emails) == ("", "a@b.org")
    assert len(unused_headings) == heading.count(";")


def test_rows_that_cannot_be_read_stay_under_their_headings() -> None:
    """After a correction, they are read like the others."""
    pasted = pasted_travelers('Last name,First name\nSilva,Ana\nOkoro,"Ben\n')
    assert [(each.last_name, each.first_name) for each in pasted.travelers] == [("Silva", "Ana")]
    assert pasted.unread_text == 'Last name,First name\nOkoro,"Ben'
    [corrected] = pasted_travelers(pasted.unread_text.replace('"', "")).travelers
    assert (corrected.last_name, corrected.first_name) == ("Okoro", "Ben")


def test_an_address_that_looks_like_headings_is_read() -> None:
    [pasted], unread_rows, *_ = pasted_travelers("Employee;Ana;Silva;first.last@name.org")
    assert (pasted.employee_id, pasted.emails, unread_rows) == ("Employee", "first.last@name.org", [])


def test_quotation_marks_around_cells_are_removed() -> None:
    """In any style. Text inside the marks stays together."""
    rows = """E1,"Ana, Maria",“Silva”\n'E2';"Cho ""Joe""\";'t Hooft"""
    pasted, unread_rows, *_ = pasted_travelers(rows)
    assert [(each.employee_id, each.first_name, each.last_name) for each in pasted] == [
        ("E1", "Ana, Maria", "Silva"),
        ("E2", 'Cho "Joe"', "'t Hooft"),
    ]
    assert not unread_rows


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        ("E1,Ana,Silva,ana@x.org,+971 50,Sales", TOO_MANY),
        ('E2,"Ben,Okoro', OPEN_QUOTES),
        ("Ana Silva, John Doe", ADD_HEADINGS),
        ("Ana Silva\tana@example.org", ADD_HEADINGS),
        ("E1;ana@example.org;Silva", ADD_HEADINGS),
        ("Cost centre name;Passport no.\nSales;X1", NO_HEADING),
        ("Name\nAna Silva, John Doe", SEPARATE_PEOPLE),
        ("Name\tE-mail\nAna Silva, John Doe, Cho Park\t", SEPARATE_PEOPLE),
        ("Name\tE-mail\nAna Silva; John Doe\tana@example.org", ONE_ROW_PER_PERSON),
    ],
)
def test_an_ambiguous_row_is_not_read_and_has_advice(rows: str, advice: str) -> None:
    pasted = pasted_travelers(f"{rows}\n")
    assert (pasted.travelers, pasted.unread_text, pasted.advice) == ([], rows, (advice,))


def test_readable_rows_are_read_next_to_unreadable_ones() -> None:
    pasted = pasted_travelers("E1,Ana,Silva,ana@x.org,+971 50,Sales\nE3,Cho,Park,,,,")
    assert pasted.unread_rows == ["E1,Ana,Silva,ana@x.org,+971 50,Sales"]
    assert [each.employee_id for each in pasted.travelers] == ["E3"]


def test_several_people_in_one_cell_are_separate_travelers() -> None:
    pasted = pasted_travelers("Names\nAna Silva; John Doe\nCho Park and Dee Roy\nSilva Santos/Ana Maria")
    assert [(each.first_name, each.last_name) for each in pasted.travelers] == [
        *(("Ana", "Silva"), ("John", "Doe"), ("Cho", "Park"), ("Dee", "Roy"), ("Ana Maria", "Silva Santos")),
    ]


def test_every_address_and_number_of_a_row_is_read() -> None:
    [pasted] = pasted_travelers("E-mail 1;E-mail 2;Surname;Phone;Mobile\na@x.org;b@x.org;Silva;+1 2;+3 4").travelers
    assert (pasted.last_name, pasted.emails) == ("Silva", "a@x.org, b@x.org")
    assert [each.number for each in pasted.phones] == ["+1 2", "+3 4"]
