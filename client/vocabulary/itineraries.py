"""The words of the itinerary interface: kinds of segment, statuses, search fields, batch codes and field labels."""

from typing import Final

SEGMENT_TYPES: Final = ("Air", "Hotel", "Rail", "Car")

ACTIVE: Final = "Active"
CANCELED: Final = "canceled"
"""The status that cancels a trip; compared without regard to case."""

SEARCH_FIELDS: Final = ("pnr", "externalItineraryId")

ALL_SUCCEEDED: Final = 100
PARTLY_SUCCEEDED: Final = 200
ALL_FAILED: Final = 300
BATCH_CODES: Final = (ALL_SUCCEEDED, PARTLY_SUCCEEDED, ALL_FAILED)

FIELD_LABELS: Final = {
    "pnr": "record locator",
    "externalItineraryId": "external trip id",
    "itineraryStatus": "status",
    "itinerarySource": "source",
    "createdDate": "created",
    "lastModifiedDate": "last modified",
    "segments": "segments",
    "segments.type": "kind of segment",
    "segments.fromAddress": "place of departure",
    "segments.toAddress": "destination",
    "segments.fromDateTime": "departure",
    "segments.toDateTime": "arrival",
    "passengers": "travellers",
    "travelArranger": "travel arranger",
}
"""What a person calls a field of the interface, by its path without indexes."""
