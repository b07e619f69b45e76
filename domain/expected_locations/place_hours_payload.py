"""The bytes in which `PlaceHours` travels to the browser, which `components/maps/browser/place_hours.js` reads.

The version as 16 hexadecimal digits, then compressed: the length of the header as a 32-bit integer, the header as JSON,
padded to four bytes, then the arrays in the order of the header. Numbers are little-endian. Tables hold the difference
from the hour before, which compresses well because most people stay where they are.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy.typing as npt

from domain.expected_locations.place_hours import PlaceHours

_LEVEL: Final = 1
_ALIGNMENT: Final = 4


@dataclass(frozen=True)
class Payload:
    """The bytes, and a version that is the same for the same content."""

    version: str
    content: bytes


_payloads: WeakKeyDictionary[PlaceHours, Payload] = WeakKeyDictionary()


def payload_of(data: PlaceHours) -> Payload:
    """Return the payload of the counts, computed once for each object."""
    payload = _payloads.get(data)
    if payload is None:
        payload = _payloads[data] = _encode(data)
    return payload


def _encode(data: PlaceHours) -> Payload:
    arrays: dict[str, npt.NDArray[Any]] = {
        "latitude": data.latitude.astype("<f4"),
        "longitude": data.longitude.astype("<f4"),
        "atPlaces": data.at_places.astype("<i4"),
        "inTransit": data.in_transit.astype("<i4"),
        "notCovered": data.not_covered.astype("<i4"),
        "departs": data.arcs.departs.astype("<i4"),
        "arrives": data.arcs.arrives.astype("<i4"),
        "origin": data.arcs.origin.astype("<i2"),
        "destination": data.arcs.destination.astype("<i2"),
        "arcPeople": data.arcs.people.astype("<u2"),
        "people": _changes(data.people.astype("<u2")),
        "status": _changes(data.status.astype("u1")),
    }
    header = json.dumps(
        {
            "firstHour": int(data.first_hour.timestamp()),
            "hours": len(data.people),
            "moment": data.moment,
            "ids": list(data.place_ids),
            "labels": list(data.labels),
            "arrays": [[name, array.dtype.str.lstrip("<|"), array.size] for name, array in arrays.items()],
        },
        separators=(",", ":"),
    ).encode()
    header += b" " * (-len(header) % _ALIGNMENT)
    plain = b"".join([len(header).to_bytes(4, "little"), header, *(array.tobytes() for array in arrays.values())])
    version = hashlib.blake2b(plain, digest_size=8).hexdigest()
    return Payload(version, version.encode() + zlib.compress(plain, _LEVEL))


def _changes(table: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return each row minus the row before it, modulo the size of the type."""
    changes = table.copy()
    changes[1:] -= table[:-1]
    return changes
