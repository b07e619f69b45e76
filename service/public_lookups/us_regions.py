"""Cities, ZIP codes, and counties of the United States with stable IDs, and the response with them."""

from __future__ import annotations

import gzip
import re
import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import zipcodes
from pydantic_core import to_json

COUNTRY = "US"
_MILITARY = "MILITARY"
# The IDs of the three types are distinct and fit 31 bits: an alert names regions of every type by ID alone. A ZIP code
# is its own ID.
_FIRST_CITY = 1_000_000_000
_FIRST_COUNTY = 2_000_000_000
_CITY_IDS = 900_000_000
_COUNTY_IDS = 100_000_000
_NOT_TOLD_APART = re.compile(r"\b(?:county|municipio)$|[\W_]+")
_LEVEL = 6
# Without a time in it, every process serves the same bytes.
_NO_TIME = 0
_MAKING = threading.Lock()


@dataclass(frozen=True)
class Regions:
    """Every region: the response body, plain and gzipped, and the IDs in it."""

    body: bytes
    gzipped: bytes
    ids: frozenset[int]


def list_regions() -> Regions:
    """Return the regions, created on first use in each process; that takes about one second."""
    with _MAKING:
        return _made()


@cache
def _made() -> Regions:
    # ASSUMPTION A117: regions are those of the states, the district, and the territories whose ZIP codes are in use,
    # except those of the military. A county's item has the form of a city's.
    # By first digit: if asked for all at once, the package would keep every record in memory.
    found = (zipcodes.similar_to(digit) for digit in "0123456789")  # type: ignore[no-untyped-call]
    records = [record for some in found for record in some if _is_offered(record)]
    zip_codes = sorted((record["state"], record["zip_code"]) for record in records)
    cities = {(record["state"], record["city"]) for record in records if record["city"]}
    counties = _each_once(Counter((record["state"], record["county"]) for record in records if record["county"]))
    document = {
        "cities": _with_lasting_ids(cities, _FIRST_CITY, _CITY_IDS),
        "zipcodes": [{"state": state, "id": int(code), "name": code} for state, code in zip_codes],
        "counties": _with_lasting_ids(counties, _FIRST_COUNTY, _COUNTY_IDS),
    }
    body = to_json(document)
    ids = frozenset(item["id"] for items in document.values() for item in items)
    return Regions(body, gzip.compress(body, _LEVEL, mtime=_NO_TIME), ids)


def _is_offered(record: Mapping[str, Any]) -> bool:
    return bool(record["active"] and record["country"] == COUNTRY and record["zip_code_type"] != _MILITARY)


def _each_once(counts: Mapping[tuple[str, str], int]) -> list[tuple[str, str]]:
    """Return names by state, each in its most frequent spelling: the data spells some places in two ways."""
    # ASSUMPTION A220: names that differ only in case, blanks, marks, or a final "County" or "Municipio" belong to one
    # place.
    spelled: dict[tuple[str, str], tuple[str, str]] = {}
    for state, name in sorted(counts, key=lambda each: (counts[each], each)):
        spelled[state, _NOT_TOLD_APART.sub("", name.casefold())] = (state, name)
    return list(spelled.values())


def _with_lasting_ids(names: Iterable[tuple[str, str]], first: int, span: int) -> list[dict[str, str | int]]:
    # ASSUMPTION A118: an ID is derived from the name, so that it stays the same in later editions of the data. If two
    # names collide, the second in the alphabet gets the next number.
    taken: set[int] = set()
    items: list[dict[str, str | int]] = []
    for state, name in sorted(names):
        number = zlib.crc32(f"{state}|{name}".encode()) % span
        while number in taken:
            number = (number + 1) % span
        taken.add(number)
        items.append({"state": state, "id": first + number, "name": name})
    return items
