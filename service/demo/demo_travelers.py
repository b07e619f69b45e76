"""The travelers of the demo organization: names, contacts, and home cities."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from service.demo.world import names

PEOPLE = 2600
_SEED = "people 1"

# The offices: culture of the names, country, calling code, share of the people.
BASES: dict[str, tuple[tuple[str, ...], str, str, int]] = {
    "LHR": (("english", "english", "indian", "african"), "GB", "+44", 9),
    "EDI": (("english",), "GB", "+44", 2),
    "DUB": (("english",), "IE", "+353", 2),
    "CDG": (("french", "french", "arabic"), "FR", "+33", 5),
    "BRU": (("french", "german"), "BE", "+32", 2),
    "FRA": (("german", "german", "turkic"), "DE", "+49", 4),
    "BER": (("german",), "DE", "+49", 3),
    "MUC": (("german",), "DE", "+49", 2),
    "ZRH": (("german", "french", "italian"), "CH", "+41", 3),
    "MAD": (("iberian",), "ES", "+34", 3),
    "LIS": (("iberian",), "PT", "+351", 2),
    "FCO": (("italian",), "IT", "+39", 3),
    "ARN": (("nordic",), "SE", "+46", 3),
    "CPH": (("nordic",), "DK", "+45", 2),
    "HEL": (("nordic",), "FI", "+358", 2),
    "WAW": (("slavic",), "PL", "+48", 3),
    "PRG": (("slavic",), "CZ", "+420", 2),
    "OTP": (("slavic",), "RO", "+40", 2),
    "IST": (("turkic",), "TR", "+90", 3),
    "TBS": (("turkic",), "GE", "+995", 1),
    "JFK": (("american", "american", "chinese", "indian"), "US", "+1", 8),
    "IAD": (("american",), "US", "+1", 4),
    "ORD": (("american", "slavic"), "US", "+1", 4),
    "DFW": (("american", "latin"), "US", "+1", 3),
    "SFO": (("american", "chinese", "indian"), "US", "+1", 5),
    "YYZ": (("american", "english", "indian"), "CA", "+1", 3),
    "YUL": (("french",), "CA", "+1", 2),
    "MEX": (("latin",), "MX", "+52", 3),
    "BOG": (("latin",), "CO", "+57", 2),
    "LIM": (("latin",), "PE", "+51", 2),
    "SCL": (("latin",), "CL", "+56", 2),
    "EZE": (("latin", "italian"), "AR", "+54", 2),
    "GRU": (("latin", "iberian", "japanese"), "BR", "+55", 5),
    "DXB": (("arabic", "indian"), "AE", "+971", 4),
    "AUH": (("arabic", "indian"), "AE", "+971", 2),
    "DOH": (("arabic",), "QA", "+974", 2),
    "CAI": (("arabic",), "EG", "+20", 2),
    "CMN": (("arabic", "french"), "MA", "+212", 2),
    "TLV": (("hebrew",), "IL", "+972", 1),
    "LOS": (("african",), "NG", "+234", 3),
    "ACC": (("african",), "GH", "+233", 2),
    "NBO": (("african", "indian"), "KE", "+254", 4),
    "JNB": (("african", "english"), "ZA", "+27", 4),
    "DEL": (("indian",), "IN", "+91", 4),
    "BOM": (("indian",), "IN", "+91", 3),
    "BLR": (("indian",), "IN", "+91", 4),
    "CMB": (("indian",), "LK", "+94", 1),
    "SIN": (("chinese", "southeast_asian", "indian"), "SG", "+65", 5),
    "KUL": (("southeast_asian", "chinese"), "MY", "+60", 2),
    "BKK": (("southeast_asian",), "TH", "+66", 2),
    "MNL": (("southeast_asian",), "PH", "+63", 2),
    "CGK": (("southeast_asian",), "ID", "+62", 2),
    "HAN": (("southeast_asian",), "VN", "+84", 2),
    "HKG": (("chinese",), "HK", "+852", 3),
    "PVG": (("chinese",), "CN", "+86", 4),
    "TPE": (("chinese",), "TW", "+886", 2),
    "ICN": (("korean",), "KR", "+82", 3),
    "NRT": (("japanese",), "JP", "+81", 4),
    "SYD": (("pacific", "english", "chinese"), "AU", "+61", 4),
    "AKL": (("pacific",), "NZ", "+64", 3),
}


@dataclass(frozen=True)
class Person:
    """One traveler. `base` is the airport code of the home city."""

    employee_id: str
    first_name: str
    last_name: str
    base: str
    email: str
    phone: str
    phone_country: str

    def to_passenger(self) -> dict[str, Any]:
        """Return the person as a passenger of an itinerary."""
        return {
            "employeeId": self.employee_id,
            "firstName": self.first_name,
            "lastName": self.last_name,
            "emailAddresses": [self.email],
            "phoneNumbers": [{"phoneNumber": self.phone, "countryName": self.phone_country}],
        }


@lru_cache(maxsize=1)
def people() -> tuple[Person, ...]:
    """Return everyone, in an order that mixes home cities."""
    random = Random(_SEED)
    bases = random.choices(list(BASES), [base[3] for base in BASES.values()], k=PEOPLE)
    used_names: set[str] = set()
    found = []
    for number, base in enumerate(bases):
        cultures, country, calling_code, _share = BASES[base]
        first, last = _name(random, random.choice(cultures), used_names)
        mailbox = f"{_plain(first)}.{_plain(last)}"
        email = f"{mailbox}@example.com"
        # Some organizations use the email address as the employee ID.
        employee_id = email if number % 40 == 7 else f"E{10_000 + number}"
        phone = f"{calling_code}{random.randrange(200_000_000, 999_999_999)}"
        found.append(Person(employee_id, first, last, base, email, phone, country))
    return tuple(found)


def _name(random: Random, culture: str, used_names: set[str]) -> tuple[str, str]:
    firsts, lasts = names()[culture]
    for _attempt in range(200):
        first, last = random.choice(firsts), random.choice(lasts)
        if random.random() < 0.06:
            last = f"{last}-{random.choice(lasts)}" if culture in ("iberian", "latin", "french") else last
        key = f"{_plain(first)}.{_plain(last)}"
        if key not in used_names:
            used_names.add(key)
            return first, last
    raise RuntimeError(f"Too few names of culture {culture}")


def _plain(name: str) -> str:
    replaced = name.lower().translate(str.maketrans("øłßıđđəþæ", "olsiddeta"))
    decomposed = unicodedata.normalize("NFD", replaced)
    return "".join(letter for letter in decomposed if letter.isascii() and letter.isalnum())
