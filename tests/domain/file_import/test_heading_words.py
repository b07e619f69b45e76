"""Headings in German, French, and Spanish match if their cells have the right type."""

import pytest

from domain.file_import.checking import Check
from domain.file_import.column_types import squash
from domain.file_import.heading_words import english_headings
from domain.file_import.import_declaration import ImportDeclaration
from domain.preparedness.assets.asset_rows import ADD
from domain.trips.trip_import.trip_declaration import TRIPS


@pytest.mark.parametrize(
    ("declaration", "headings", "cells", "columns"),
    [
        (
            TRIPS,
            "Buchungscode;Personalnummer;Vorname;Nachname;Flug;Von;Nach;Abreisedatum;Abflugzeit;Ankunftszeit",
            "WSVM7K;00126;Ana;Silva;LX 14;ZRH;JFK;2027-03-01;10:20;13:55",
            "pnr employeeId firstName lastName airRailNumber fromPlace toPlace fromDate fromClock toClock",
        ),
        (
            TRIPS,
            "Numéro de dossier;Matricule;Prénom;Nom de famille;N° de vol;Origine;Destination;Date départ;Heure départ",
            "WSVM7K;00126;Ana;Silva;LX 14;ZRH;JFK;2027-03-01;10:20",
            "pnr employeeId firstName lastName airRailNumber fromPlace toPlace fromDate fromClock",
        ),
        (
            ADD,
            "Bezeichnung;Externe Kennung;Art;Stadt;Land;Breitengrad;Längengrad;Gültig ab",
            "Lager;K-1;Lager;Köln;Deutschland;50,9375;6,9603;13.02.2027",
            "name externalId assetTypeId city country latitude longitude startTimestamp",
        ),
        (
            ADD,
            "Nombre;Id externo;Tipo;Ciudad;País;Latitud;Longitud;Observaciones",
            "Almacén;D-1;depot;Madrid;ES;40,4;-3,7;nada",
            "name externalId assetTypeId city country latitude longitude notes",
        ),
    ],
)
def test_headings_of_other_languages_are_matched(
    declaration: ImportDeclaration, headings: str, cells: str, columns: str
) -> None:
    check = Check.of(declaration, "file.csv", f"{headings}\n{cells}".encode())
    columns_by_heading = {match.headers[0]: name for name, match in check.matches.items() if match.headers}
    assert [columns_by_heading.get(heading) for heading in headings.split(";")] == columns.split()


def test_a_translated_heading_does_not_match_if_its_cells_have_another_type() -> None:
    check = Check.of(ADD, "file.csv", b"Name,External id,Asset type,Breite\nDepot,D-1,depot,12 m wide")
    assert not check.matches["latitude"].headers


@pytest.mark.parametrize(
    ("heading", "english"),
    [
        ("Heure de départ (heure locale)", "departuretime"),
        ("Ankunft Uhrzeit", "arrivaltime"),
        ("Fecha y hora de salida", "departuredatetime"),
        ("Ciudad de origen", "origincity"),
        ("Nom et prénom", "traveler"),
        ("Nº de empleado", "employeeid"),
        ("Tramo 2 Origen", "segment2from"),
        ("Segment Origin City Code", "origincode"),
        ("Date de naissance", None),
        ("s" * 5_000, None),
    ],
)
def test_headings_are_read_word_by_word(heading: str, english: str | None) -> None:
    assert next(iter(english_headings(squash(heading))), None) == english


@pytest.mark.parametrize(
    ("headings", "number"),
    [
        ("PNR;Reisender;Airline;Nr.;Von;Nach;Abflug", "Nr."),
        ("PNR;Voyageur;Cie;N°;De;À;Départ", "N°"),
        ("PNR;Traveler;Carrier;No;From;To;Departs", "No"),
        ("No;Traveler;PNR;Carrier;From;To;Departs", None),
    ],
)
def test_a_number_next_to_an_airline_is_that_of_its_flight(headings: str, number: str | None) -> None:
    cells = "WSVM7K;SILVA/ANA;LX;14;ZRH;JFK;2027-03-01 10:20" if number else "1;SILVA/ANA;WSVM7K;LX;ZRH;JFK;2027-03-01"
    check = Check.of(TRIPS, "file.csv", f"{headings}\n{cells}".encode())
    assert check.matches["airRailNumber"].headers == ((number,) if number else ())


def test_numbers_next_to_the_airlines_of_two_directions_are_those_of_two_flights() -> None:
    headings = "PNR;Reisender;Hin-Airline;Hin-Nr.;Hin-Von;Hin-Nach;Rück-Airline;Rück-Nr.;Rück-Von;Rück-Nach"
    check = Check.of(TRIPS, "file.csv", f"{headings}\nWSVM7K;SILVA/ANA;LX;14;ZRH;JFK;LX;15;JFK;ZRH".encode())
    assert check.matches["airRailNumber.2"].headers == ("Rück-Nr.",)
