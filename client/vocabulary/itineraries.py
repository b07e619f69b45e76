"""The vocabulary of itineraries: segment types, statuses, search fields, batch codes, and field labels."""

from typing import Final

SEGMENT_TYPES: Final = ("Air", "Hotel", "Rail", "Car")

ACTIVE: Final = "Active"
CANCELED: Final = "canceled"
"""The status that cancels a trip, compared without regard to case."""

_TERRITORIES: Final = {
    "AU": "CC CX NF",
    "CN": "HK MO TW",
    "DK": "FO GL",
    "FI": "AX",
    "FR": "BL GF GP MF MQ NC PF PM RE TF WF YT",
    "GB": "AI BM FK GG GI GS IM IO JE KY MS PN SH TC VG",
    "MA": "EH",
    "NL": "AW BQ CW SX",
    "NO": "BV SJ",
    "NZ": "CK NU TK",
    "RS": "XK",
    "US": "AS GU MP PR UM VI",
}
_SOVEREIGN_COUNTRY: Final = {code: country for country, codes in _TERRITORIES.items() for code in codes.split()}

WITHOUT_AIRPORT: Final = {
    "AD": (42.51, 1.52),
    "LI": (47.14, 9.52),
    "MC": (43.74, 7.42),
    "PS": (31.90, 35.20),
    "SM": (43.94, 12.45),
    "VA": (41.90, 12.45),
}
"""The position of countries without an airport, in decimal degrees. Their travelers use an airport nearby."""

SEARCH_FIELDS: Final = ("pnr", "externalItineraryId")

ALL_SUCCEEDED: Final = 100
PARTLY_SUCCEEDED: Final = 200
ALL_FAILED: Final = 300
BATCH_CODES: Final = (ALL_SUCCEEDED, PARTLY_SUCCEEDED, ALL_FAILED)

FIELD_LABELS: Final = {
    "pnr": "record locator",
    "externalItineraryId": "external trip ID",
    "itineraryStatus": "status",
    "itinerarySource": "source",
    "createdDate": "created",
    "lastModifiedDate": "last modified",
    "segments": "segments",
    "segments.type": "segment type",
    "segments.fromAddress": "place of departure",
    "segments.toAddress": "destination",
    "segments.fromDateTime": "departure",
    "segments.toDateTime": "arrival",
    "passengers": "travelers",
    "travelArranger": "travel arranger",
}
"""The labels of the interface's fields, by path without indexes."""


def address_country_codes(country: str) -> tuple[str, str]:
    """Return the country codes that an address in a country may carry: the country itself, and France for Réunion."""
    return country, _SOVEREIGN_COUNTRY.get(country, country)
