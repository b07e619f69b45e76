"""The limits on the fields of an asset, and the allowed geometries."""

from typing import Final

REQUIRED: Final = ("assetTypeId", "externalId", "name")
"""The fields required to create an asset; an update also requires `id`."""

LENGTHS: Final[dict[str, int]] = {
    "name": 200,
    "externalId": 200,
    "category": 200,
    "notes": 2000,
    "address.streetAddress1": 200,
    "address.streetAddress2": 200,
    "address.city": 100,
    "address.state": 100,
    "address.postalCode": 20,
}
"""The maximum length of each field, in characters, by its path."""

EARLIEST_MOMENT: Final = -62_135_596_800_000
LATEST_MOMENT: Final = 253_402_300_799_999
"""The years 1 to 9999 in milliseconds since 1970."""

COORDINATE_DEPTHS: Final[dict[str, int]] = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""GeoJSON geometry types, with the nesting of lists around each position."""
GEOMETRY_COLLECTION: Final = "GeometryCollection"

ORGANIZATION_HEADER: Final = "X-SVC-Organization-Id"
