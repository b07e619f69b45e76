"""What spreadsheets call the columns of a traveller, wherever rows of them are taken in."""

from __future__ import annotations

from typing import Final

EMPLOYEE_ID: Final = (
    *("employee", "employee number", "employee no", "emp id", "external id", "contact external id"),
    *("staff id", "staff number", "traveller id", "traveler id", "person id", "personnel number"),
    *("passenger id", "personalnummer", "personalnr"),
)
FIRST_NAME: Final = (
    *("given name", "forename", "first", "traveller first name", "traveler first name", "vorname"),
    *("passenger first name", "prénom", "nombre"),
)
LAST_NAME: Final = (
    *("surname", "family name", "last", "traveller last name", "traveler last name", "nachname"),
    *("passenger last name", "nom", "apellido", "apellidos"),
)
EMAIL: Final = ("email address", "email addresses", "traveller email", "traveler email", "mail", "passenger email")
PHONE: Final = (
    *("phone number", "phone numbers", "mobile", "mobile number", "mobile phone", "cell", "cell phone"),
    *("telephone", "tel", "telefon", "traveller phone", "traveler phone", "passenger phone"),
)
