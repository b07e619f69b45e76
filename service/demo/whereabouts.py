"""The dynamic locations of the demo organization: a daily file of badge readers and phones, processed like any
upload.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from sqlalchemy import Connection

from client.vocabulary.dynamic_locations import COLUMNS, ENDED_STATUSES, UPDATE
from service.accounts.models import Caller
from service.contacts.matching import Traveler, create_missing, open_book
from service.demo.demo_travelers import Person, people
from service.demo.sites import office_id, offices
from service.demo.world import cities
from service.dynamic_locations import processing, repository
from service.dynamic_locations.rows import Code, read_rows

PEOPLE = 240
_BADGES, _PHONES = "Badge reader", "Phone app"

# Errors of real files: a former employee, a mistyped latitude next to an address, a closed site.
_WRONG = (
    {"externalId": "E99999", "locationId": office_id("LHR")},
    {"externalId": "E10003", "lat": "510.5", "lon": "-0.12", "city": "London", "country": "GB"},
    {"externalId": "E10004", "locationId": "OFFICE-OLD"},
)

_CODES = (Code.EXTERNAL_ID_NOT_EXIST, Code.LAT_RANGE_INVALID, Code.LOCATION_ID_NOT_EXIST)


def ensure(connection: Connection, caller: Caller, today: date) -> None:
    """Upload and process the file of a day."""
    _ensure_contacts(connection, caller, people()[:PEOPLE])
    content = _file(today).encode()
    name = f"whereabouts-{today}.csv"
    batch_id = repository.add_batch(connection, caller, upload_batch_type=UPDATE, file_name=name, content=content)
    rows, status = read_rows(content), ""
    while status not in ENDED_STATUSES:
        batch = repository.find_batch(connection, caller.organization_id, batch_id)
        status = processing.advance(connection, batch, rows) if batch is not None else processing.Status.FAILED


def location_rows(today: date) -> list[dict[str, str]]:
    """Return the file of a day, and the errors of rows that are not stored, by code."""
    rows = list(csv.DictReader(io.StringIO(_file(today))))
    codes = (*[""] * (len(rows) - len(_CODES)), *_CODES)
    return [row | {"Refused": code} for row, code in zip(rows, codes, strict=True)]


def _ensure_contacts(connection: Connection, caller: Caller, people: tuple[Person, ...]) -> None:
    travelers = [
        Traveler(
            employee_id=person.employee_id,
            first_name=person.first_name,
            last_name=person.last_name,
            email_addresses=(person.email,),
            phone_numbers=((person.phone, person.phone_country),),
        )
        for person in people
    ]
    book = open_book(connection, caller.organization_id, travelers, email_case_sensitive=True)
    create_missing(connection, caller, book, travelers, record_type_id=None)


def _file(today: date) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    morning = datetime.combine(today, time(6), UTC)
    whole_day = {"arriveDate": _utc(morning), "expireDate": _utc(morning + timedelta(days=2))}
    for row in (*_rows(), *_WRONG):
        writer.writerow({"source": _BADGES} | whole_day | row)
    return text.getvalue()


def _rows() -> Iterator[dict[str, str]]:
    random = Random("whereabouts 1")
    with_office = set(offices())
    for number, person in enumerate(people()[:PEOPLE]):
        where = {"externalId": person.employee_id, "referenceId": f"B{number:05}"}
        if person.base in with_office and random.random() < 0.7:
            yield where | {"locationId": office_id(person.base), "floorNo": str(random.randrange(1, 12))}
            continue
        city = cities()[person.base]
        latitude = city.latitude + random.uniform(-0.05, 0.05)
        longitude = city.longitude + random.uniform(-0.05, 0.05)
        place = {"lat": f"{latitude:.5f}", "lon": f"{longitude:.5f}", "city": city.name, "country": city.country}
        yield where | place | {"source": _PHONES}


def _utc(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
