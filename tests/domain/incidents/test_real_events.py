"""Ten real events with place and time, and the affected people of one roster."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

import pytest

from client.models.itineraries import ExpectedLocation
from domain.expected_locations.location_frame import Locations, LocationStore
from domain.incidents.affected import SECTIONS, find_affected
from domain.incidents.area_text import parse_area

STAYS = """
# person          | place                | country | latitude | longitude | from             | until
noto-inside       | Wajima inn           | JP | 37.3906  | 136.8992  | 2023-12-30T06:00 | 2024-01-03T01:00
noto-near         | Kanazawa hotel       | JP | 36.5613  | 136.6562  | 2023-12-30T06:00 | 2024-01-03T01:00
noto-far          | Tokyo hotel          | JP | 35.6800  | 139.6900  | 2023-12-30T06:00 | 2024-01-03T01:00
noto-left         | Wajima inn           | JP | 37.3906  | 136.8992  | 2023-12-28T06:00 | 2023-12-31T01:00
beirut-inside     | Gemmayzeh hotel      | LB | 33.8953  | 35.5157   | 2020-08-01T12:00 | 2020-08-09T08:00
beirut-near       | Jounieh hotel        | LB | 33.9808  | 35.6178   | 2020-08-01T12:00 | 2020-08-09T08:00
beirut-far        | Tripoli hotel        | LB | 34.4367  | 35.8497   | 2020-08-01T12:00 | 2020-08-09T08:00
beirut-unplaced   | Hotel without a map  | LB |          |           | 2020-08-01T12:00 | 2020-08-09T08:00
beirut-later      | Gemmayzeh hotel      | LB | 33.8953  | 35.5157   | 2020-08-04T15:09 | 2020-08-09T08:00
ash-inside        | London hotel         | GB | 51.5100  | -0.1300   | 2010-04-12T12:00 | 2010-04-18T08:00
ash-far           | Rome hotel           | IT | 41.9000  | 12.5000   | 2010-04-12T12:00 | 2010-04-18T08:00
fiji-west         | Suva hotel           | FJ | -18.1416 | 178.4419  | 2016-02-15T00:00 | 2016-02-25T00:00
fiji-east         | Vanua Balavu lodge   | FJ | -17.2400 | -178.9500 | 2016-02-15T00:00 | 2016-02-25T00:00
fiji-near         | Nadi hotel           | FJ | -17.7765 | 177.4356  | 2016-02-15T00:00 | 2016-02-25T00:00
fiji-far          | Nuku'alofa hotel     | TO | -21.1390 | -175.2040 | 2016-02-15T00:00 | 2016-02-25T00:00
nepal-inside      | Thamel hotel         | NP | 27.7150  | 85.3120   | 2015-04-20T12:00 | 2015-04-28T04:00
nepal-west        | Pokhara hotel        | NP | 28.2090  | 83.9590   | 2015-04-20T12:00 | 2015-04-28T04:00
nepal-far         | Lukla lodge          | NP | 27.6870  | 86.7310   | 2015-04-20T12:00 | 2015-04-28T04:00
nepal-unplaced    | Guest house          | NP |          |           | 2015-04-20T12:00 | 2015-04-28T04:00
quake-inside      | Christchurch hotel   | NZ | -43.5309 | 172.6365  | 2011-02-20T02:00 | 2011-02-24T21:00
quake-near        | Akaroa lodge         | NZ | -43.8030 | 172.9680  | 2011-02-20T02:00 | 2011-02-24T21:00
quake-checked-out | Christchurch hotel   | NZ | -43.5309 | 172.6365  | 2011-02-20T02:00 | 2011-02-21T21:00
quake-far         | Queenstown lodge     | NZ | -45.0312 | 168.6626  | 2011-02-20T02:00 | 2011-02-24T21:00
paris-inside      | Republique hotel     | FR | 48.8670  | 2.3630    | 2015-11-12T14:00 | 2015-11-15T10:00
paris-arriving    | Bastille hotel       | FR | 48.8530  | 2.3690    | 2015-11-13T22:00 | 2015-11-15T10:00
paris-two-hotels  | Republique hotel     | FR | 48.8670  | 2.3630    | 2015-11-12T14:00 | 2015-11-15T10:00
paris-two-hotels  | Lyon hotel           | FR | 45.7640  | 4.8357    | 2015-11-12T14:00 | 2015-11-15T10:00
paris-touching    | Bastille hotel       | FR | 48.8530  | 2.3690    | 2015-11-14T00:00 | 2015-11-15T10:00
paris-near        | Versailles hotel     | FR | 48.8049  | 2.1204    | 2015-11-12T14:00 | 2015-11-15T10:00
maui-inside       | Lahaina inn          | US | 20.8722  | -156.6780 | 2023-08-07T01:00 | 2023-08-12T21:00
maui-later        | Kaanapali hotel      | US | 20.9205  | -156.6938 | 2023-08-10T01:00 | 2023-08-12T21:00
maui-near         | Wailea hotel         | US | 20.6899  | -156.4425 | 2023-08-07T01:00 | 2023-08-12T21:00
maui-left         | Lahaina inn          | US | 20.8722  | -156.6780 | 2023-08-05T01:00 | 2023-08-08T16:00
snow-inside       | Airport hotel        | TR | 41.2620  | 28.7420   | 2022-01-24T12:00 | 2022-01-25T06:00
snow-near         | Taksim hotel         | TR | 41.0370  | 28.9850   | 2022-01-23T12:00 | 2022-01-26T08:00
snow-far          | Pendik hotel         | TR | 40.8780  | 29.2350   | 2022-01-23T12:00 | 2022-01-26T08:00
arctic-inside     | Longyearbyen lodge   | NO | 78.2220  | 15.6400   | 2015-12-15T12:00 | 2015-12-22T08:00
arctic-pole       | Camp on the ice      |    | 89.0000  | -120.0000 | 2015-12-15T12:00 | 2015-12-22T08:00
arctic-near       | Barentsburg hotel    | NO | 78.0648  | 14.2334   | 2015-12-15T12:00 | 2015-12-22T08:00
arctic-far        | Ny-Alesund station   | NO | 78.9250  | 11.9300   | 2015-12-15T12:00 | 2015-12-22T08:00
"""
FLIGHTS = """
# person      | from | departs          | to  | arrives
noto-flying   | HND  | 2024-01-01T06:40 | NTQ | 2024-01-01T07:40
beirut-leaves | BEY  | 2020-08-04T15:08 | IST | 2020-08-04T17:00
ash-landing   | JFK  | 2010-04-14T23:00 | LHR | 2010-04-15T06:00
ash-changing  | DEL  | 2010-04-14T20:00 | FRA | 2010-04-15T05:00
ash-changing  | FRA  | 2010-04-15T09:00 | GRU | 2010-04-15T21:00
ash-elsewhere | MAD  | 2010-04-15T09:00 | GRU | 2010-04-15T19:00
nepal-trek    | DEL  | 2015-04-18T04:00 | KTM | 2015-04-18T06:00
nepal-trek    | KTM  | 2015-05-02T08:00 | DEL | 2015-05-02T10:00
nepal-flying  | DEL  | 2015-04-25T05:30 | KTM | 2015-04-25T07:00
quake-airport | AKL  | 2011-02-21T22:00 | CHC | 2011-02-21T23:20
snow-changing | LHR  | 2022-01-24T11:00 | IST | 2022-01-24T14:50
snow-changing | IST  | 2022-01-24T23:00 | NBO | 2022-01-25T05:30
snow-inbound  | JFK  | 2022-01-25T01:00 | IST | 2022-01-25T10:30
"""


class Event(NamedTuple):
    """The area and the time of an event, and the people of the roster in each section."""

    area: str
    begins: str
    ends: str | None
    margin_km: float
    affected: str
    possibly_affected: str = ""
    nearby: str = ""
    not_placed: str = ""
    departed: str = ""


EVENTS = {
    "Noto earthquake, 2024": Event(
        "circle:37.488,137.272,60km",
        "2024-01-01T07:10",
        "2024-01-02T07:10",
        100,
        affected="noto-inside noto-flying",
        nearby="noto-near",
    ),
    "Beirut port explosion, 2020": Event(
        "circle:33.9014,35.5190,10km",
        "2020-08-04T15:08",
        "2020-08-04T15:08",
        25,
        affected="beirut-inside",
        possibly_affected="beirut-leaves",
        nearby="beirut-near",
        not_placed="beirut-unplaced",
    ),
    "Eyjafjallajokull ash cloud, 2010": Event(
        "rectangle:47,-25,67,20",
        "2010-04-15T04:00",
        "2010-04-21T04:00",
        25,
        affected="ash-inside ash-landing ash-changing",
    ),
    "Cyclone Winston across the date line, 2016": Event(
        "circle:-17.3,179.6,200km",
        "2016-02-20T00:00",
        "2016-02-21T00:00",
        50,
        affected="fiji-west fiji-east",
        nearby="fiji-near",
    ),
    "Gorkha earthquake, 2015": Event(
        "circle:28.231,84.731,100km",
        "2015-04-25T06:11",
        "2015-04-26T06:11",
        50,
        affected="nepal-inside nepal-west nepal-flying",
        possibly_affected="nepal-trek",
        not_placed="nepal-unplaced",
    ),
    "Christchurch earthquake, 2011": Event(
        "15 km around -43.583, 172.680",
        "2011-02-21T23:51",
        "2011-02-22T23:51",
        25,
        affected="quake-inside",
        nearby="quake-near quake-airport",
    ),
    "Paris attacks, 2015": Event(
        "circle:48.8631,2.3706,5km",
        "2015-11-13T20:16",
        "2015-11-14T00:00",
        25,
        affected="paris-inside paris-arriving",
        possibly_affected="paris-two-hotels paris-touching",
        nearby="paris-near",
    ),
    "Maui wildfire that goes on, 2023": Event(
        "circle:20.8783,-156.6825,10km",
        "2023-08-08T16:37",
        None,
        25,
        affected="maui-inside maui-later",
        nearby="maui-near",
    ),
    "Istanbul Airport closed by snow, 2022": Event(
        "airport:IST,5km",
        "2022-01-24T15:00",
        "2022-01-25T10:00",
        30,
        affected="snow-inside snow-changing",
        possibly_affected="snow-inbound",
        nearby="snow-near",
    ),
    "Longyearbyen avalanche and the ice around the pole, 2015": Event(
        "circle:78.2232,15.6267,5km; polygon:85,0 85,90 85,180 85,-90",
        "2015-12-19T09:23",
        "2015-12-20T09:23",
        50,
        affected="arctic-inside arctic-pole",
        nearby="arctic-near",
    ),
}


def parse_table(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()[1:]]


def parse_moment(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def record(person: str, kind: str, role: str, begins: datetime, ends: datetime, **address: Any) -> ExpectedLocation:
    times = {"arriveDate": begins.isoformat(), "expireDate": ends.isoformat()}
    who = {"contactExternalId": person, "contactId": 1, "travelCategory": kind, "travelType": role}
    return ExpectedLocation.model_validate({**who, "address": {**address, **times}})


@cache
def roster() -> Locations:
    records: dict[str, list[ExpectedLocation]] = {}
    for person, place, country, latitude, longitude, begins, ends in parse_table(STAYS):
        spot = {"gisLocation": {"lat": float(latitude), "lon": float(longitude)}} if latitude else {}
        address = {"locationName": place, "country": country or None, **spot}
        stay = record(person, "Hotel", "Stay", parse_moment(begins), parse_moment(ends), **address)
        records.setdefault(person, []).append(stay)
    a_day = timedelta(days=1)
    for person, origin, departs, destination, arrives in parse_table(FLIGHTS):
        left, reached = parse_moment(departs), parse_moment(arrives)
        records.setdefault(person, []).extend(
            [
                record(person, "Air", "Departure", left - a_day, left, iata=origin),
                record(person, "Air", "Arrival", reached, reached + a_day, iata=destination),
            ]
        )
    store = LocationStore()
    for number, (person, of_trip) in enumerate(records.items()):
        store.put(person.upper(), [(number, of_trip)])
    return store.snapshot({})


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_the_people_of_an_event_match_a_list_made_by_hand(event: Event) -> None:
    ends = parse_moment(event.ends) if event.ends is not None else None
    found = find_affected(roster(), parse_area(event.area), parse_moment(event.begins), ends, margin_km=event.margin_km)
    people_by_section = {
        section: sorted(found.people.loc[found.people["section"] == section, "person"]) for section in SECTIONS
    }
    by_hand = (event.affected, event.possibly_affected, event.departed, event.nearby, event.not_placed)
    assert people_by_section == {
        section: sorted(people.split()) for section, people in zip(SECTIONS, by_hand, strict=True)
    }
