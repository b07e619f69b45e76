"""The vocabulary of dynamic locations: CSV columns, upload statuses, and codes of row errors."""

from typing import Final

COLUMNS: Final = (
    "externalId",
    "arriveDate",
    "expireDate",
    "locationId",
    "source",
    "lat",
    "lon",
    "street",
    "suite",
    "city",
    "state",
    "postalCode",
    "country",
    "floorNo",
    "roomNo",
    "referenceId",
)
"""The columns by the names of the row model. Deployments spell them differently."""

UPDATE: Final = "Update"
"""The default and only known `uploadBatchType`."""

RUNNING_STATUSES: Final = ("UPLOADED", "QUEUING", "PROCESSING", "GEOCODING")
ENDED_STATUSES: Final = ("DONE", "COMPLETED", "FAILED", "CANCELLED", "CANCELED")
"""The final statuses, compared without regard to case."""
FAILED_STATUSES: Final = ("FAILED", "CANCELLED", "CANCELED")

ROW_ERROR_CODES: Final = (
    "EXTERNAL_ID_NOT_EXIST",
    "DYN_LOC_LOCATIONID_NOT_EXIST",
    "LAT_RANGE_INVALID",
    "BATCH_HEADER_NOT_FOUND",
)
"""The codes seen so far; there are others."""
