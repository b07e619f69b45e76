"""The shapes of trips, from plain ones to difficult ones of real life."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from service.demo.journey import Journey
from service.demo.world import City, cities, nearest_hub, railways

Shape = Callable[[Journey, City], int]
"""Plans a trip from a home city into a journey. Returns the length of the trip in days."""

PACIFIC_BASES = ("SYD", "AKL", "NRT", "SIN", "HKG", "ICN", "TPE", "MNL", "SFO")
RAIL_BASES = tuple(sorted({line.base for line in railways()}))


def _somewhere(random: Random, *others: City) -> City:
    """Return a city to travel to, large ones more often, none of the excluded."""
    taken = {(other.name, other.country) for other in others}
    free = [city for city in cities().values() if (city.name, city.country) not in taken]
    return random.choices(free, [city.weight for city in free])[0]


def _nearby(random: Random, base: City) -> City:
    """Return a city in the same part of the world."""
    near = [
        city
        for city in cities().values()
        if city.name != base.name
        and abs(city.longitude - base.longitude) < 35
        and abs(city.latitude - base.latitude) < 25
    ]
    return random.choice(near) if near else _somewhere(random, base)


def there_and_back(journey: Journey, base: City) -> int:
    """Outbound flight, hotel, and return flight."""
    random = journey.random
    target = _somewhere(random, base)
    nights = random.choices((1, 2, 3, 4, 5, 7), (10, 22, 26, 20, 12, 10))[0]
    arrival = journey.fly(base, target, day=0, hour=random.randrange(6, 22))
    checkin = journey.day_of(arrival)
    journey.stay(target, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    home = journey.fly(target, base, day=checkin + nights, hour=random.randrange(13, 22))
    return journey.day_of(home)


def with_connections(journey: Journey, base: City) -> int:
    """Outbound and return flights with a connection each."""
    random = journey.random
    target = _somewhere(random, base)
    hub = nearest_hub(base, target)
    if hub is None:
        return there_and_back(journey, base)
    arrival = journey.fly_via(base, hub, target, day=0, hour=random.randrange(6, 20))
    checkin = journey.day_of(arrival)
    nights = random.randrange(2, 6)
    journey.stay(target, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    home = journey.fly_via(target, hub, base, day=checkin + nights, hour=random.randrange(13, 21))
    return journey.day_of(home)


def several_cities(journey: Journey, base: City) -> int:
    """A tour of 2 to 4 cities."""
    random = journey.random
    here, day = base, 0
    for _stop in range(random.randrange(2, 5)):
        target = _nearby(random, here) if random.random() < 0.6 else _somewhere(random, here, base)
        if target.name == base.name:
            target = _somewhere(random, here, base)
        arrival = journey.fly(here, target, day=day, hour=random.randrange(13, 20) if day else random.randrange(6, 20))
        checkin = journey.day_of(arrival)
        day = checkin + random.randrange(1, 4)
        journey.stay(target, from_day=checkin, to_day=day, arrival=arrival)
        here = target
    return journey.day_of(journey.fly(here, base, day=day, hour=random.randrange(13, 22)))


def by_rail(journey: Journey, base: City) -> int:
    """Outbound train, hotel, and return train."""
    random = journey.random
    line = random.choice([line for line in railways() if line.base == base.iata])
    arrival = journey.ride(line, day=0, hour=random.randrange(6, 18))
    nights = random.randrange(1, 4)
    place = next((city for city in cities().values() if city.name == line.destination.city), None)
    if place is not None:
        checkin = journey.day_of(arrival)
        journey.stay(place, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    return journey.day_of(journey.ride(line, day=nights, hour=random.randrange(13, 20), back=True))


def with_car(journey: Journey, base: City) -> int:
    """Outbound flight, car, hotel, and return flight."""
    random = journey.random
    target = _nearby(random, base)
    arrival = journey.fly(base, target, day=0, hour=random.randrange(6, 11))
    first = journey.day_of(arrival) + (arrival.hour >= 12)
    last = first + random.randrange(2, 6)
    journey.drive(target, from_day=first, to_day=last)
    journey.stay(target, from_day=journey.day_of(arrival), to_day=last, arrival=arrival)
    return journey.day_of(journey.fly(target, base, day=last, hour=random.randrange(13, 21)))


def car_only(journey: Journey, base: City) -> int:
    """Only a car from one city to another."""
    target = _nearby(journey.random, base)
    days = journey.random.randrange(2, 7)
    journey.drive(base, from_day=0, to_day=days, return_city=target if target.country == base.country else None)
    return days


def one_way(journey: Journey, base: City) -> int:
    """Outbound flight and some nights, without a return."""
    random = journey.random
    target = _somewhere(random, base)
    arrival = journey.fly(base, target, day=0, hour=random.randrange(6, 22))
    checkin = journey.day_of(arrival)
    nights = random.randrange(2, 7)
    journey.stay(target, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    return checkin + nights


def hotel_missing(journey: Journey, base: City) -> int:
    """Nights without a hotel, the first or all."""
    random = journey.random
    target = _somewhere(random, base)
    checkin = journey.day_of(journey.fly(base, target, day=0, hour=random.randrange(6, 22)))
    nights = random.randrange(2, 6)
    if random.random() < 0.6:
        journey.stay(target, from_day=checkin + 1, to_day=checkin + nights)
    return journey.day_of(journey.fly(target, base, day=checkin + nights, hour=random.randrange(13, 21)))


def day_trip(journey: Journey, base: City) -> int:
    """There in the morning, and back at night."""
    target = _nearby(journey.random, base)
    journey.fly(base, target, day=0, hour=6, direct=True)
    return journey.day_of(journey.fly(target, base, day=0, hour=20, direct=True))


def over_the_date_line(journey: Journey, base: City) -> int:
    """Across the Pacific: the calendar goes back on one flight and skips a day on the other."""
    random = journey.random
    western = base.longitude > 0
    targets = (
        ("LAX", "SFO", "HNL", "YVR", "SCL", "PPT", "APW") if western else ("SYD", "AKL", "NRT", "HKG", "NAN", "TPE")
    )
    target = cities()[random.choice(targets)]
    arrival = journey.fly(base, target, day=0, hour=random.randrange(17, 23), direct=True)
    checkin = journey.day_of(arrival)
    nights = random.randrange(2, 6)
    journey.stay(target, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    return journey.day_of(journey.fly(target, base, day=checkin + nights, hour=random.randrange(18, 24), direct=True))


def overlapping(journey: Journey, base: City) -> int:
    """In two cities at once: the second hotel begins before the first ends."""
    random = journey.random
    first, second = _somewhere(random, base), _nearby(random, base)
    arrival = journey.fly(base, first, day=0, hour=random.randrange(6, 14))
    checkin = journey.day_of(arrival)
    journey.stay(first, from_day=checkin, to_day=checkin + 4, arrival=arrival)
    journey.stay(second, from_day=checkin + 2, to_day=checkin + 5)
    return journey.day_of(journey.fly(second, base, day=checkin + 5, hour=random.randrange(13, 21)))


def without_coordinates(journey: Journey, base: City) -> int:
    """A hotel without coordinates."""
    random = journey.random
    target = _somewhere(random, base)
    arrival = journey.fly(base, target, day=0, hour=random.randrange(6, 20))
    checkin = journey.day_of(arrival)
    nights = random.randrange(2, 6)
    hotel = journey.stay(target, from_day=checkin, to_day=checkin + nights, arrival=arrival)
    if random.random() < 0.3:
        hotel["fromAddress"] |= {"latitude": 0, "longitude": 0}
    else:
        hotel["fromAddress"] = {
            key: value for key, value in hotel["fromAddress"].items() if key not in ("latitude", "longitude")
        }
    return journey.day_of(journey.fly(target, base, day=checkin + nights, hour=random.randrange(13, 21)))


def zone_disagrees(journey: Journey, base: City) -> int:
    """UTC and local times that contradict each other, because a zone was forgotten."""
    style, journey.style = journey.style, "full"
    days = there_and_back(journey, base)
    journey.style = style
    flight = journey.segments[0]
    flight["fromDateTime"] = flight["fromDateTimeLocal"] + "Z"
    flight["toDateTime"] = flight["toDateTimeLocal"] + "Z"
    if flight["toDateTime"] <= flight["fromDateTime"]:
        # Across the date line, the mistake would make the flight impossible.
        del flight["fromDateTime"], flight["toDateTime"]
    return days


def to_antarctica(journey: Journey, base: City) -> int:
    """Through Punta Arenas to Antarctica, where no hotel can be booked."""
    gate = cities()["PUQ"]
    ice = City("TNM", "Isla Rey Jorge", "AQ", -62.1908, -58.9867, 1)
    journey.fly(base, gate, day=0, hour=8, direct=True)
    journey.stay(gate, from_day=1, to_day=2)
    journey.fly(gate, ice, day=2, hour=9, direct=True)
    return journey.day_of(journey.fly(ice, gate, day=9, hour=14, direct=True))


def gathering(target: City, name: str, *, check_in: int, check_out: int) -> Shape:
    """Everyone in the same hotel until the same day. `check_in` is the day after departure."""

    def shape(journey: Journey, base: City) -> int:
        random = journey.random
        if base.name == target.name:
            journey.stay(target, from_day=check_in, to_day=check_out, name=name)
            return check_out
        arrival = journey.fly(base, target, day=check_in - 1, hour=random.randrange(6, 18))
        journey.stay(target, from_day=journey.day_of(arrival), to_day=check_out, arrival=arrival, name=name)
        home = journey.fly(target, base, day=check_out, hour=random.randrange(13, 22))
        return max(journey.day_of(home), check_out)

    return shape


def two_stops_and_a_gap(journey: Journey, base: City) -> int:
    """From the Gulf to Kuwait and on to Java, with one night without a hotel."""
    kuwait, java = cities()["KWI"], cities()["YIA"]
    journey.fly(base, kuwait, day=0, hour=9)
    journey.stay(kuwait, from_day=0, to_day=2, hotel=0)
    arrival = journey.fly_via(kuwait, cities()["SIN"], java, day=3, hour=14)
    checkin = journey.day_of(arrival)
    journey.stay(java, from_day=checkin, to_day=checkin + 2, arrival=arrival, hotel=2)
    return journey.day_of(journey.fly_via(java, cities()["SIN"], base, day=checkin + 2, hour=15))
