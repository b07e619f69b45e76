"""Process one upload in steps of one transaction each, so that a restart continues after the last step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection

from service.assets import repository as assets
from service.contacts import repository as contacts
from service.dynamic_locations import repository
from service.dynamic_locations.rows import KnownRecords, Row, RowError, Site, check_row, names_in
from service.epoch import now_ms

ROWS_A_STEP = 500


class Status(StrEnum):
    """The status of an upload."""

    UPLOADED = "UPLOADED"
    QUEUING = "QUEUING"
    PROCESSING = "PROCESSING"
    GEOCODING = "GEOCODING"
    DONE = "DONE"
    FAILED = "FAILED"


# What remains of an upload's file after it has ended.
_ENDED: Mapping[str, Any] = {"content": None, "claimed_by": None, "claimed_until": None}


def advance(connection: Connection, batch: Any, rows: Sequence[Row]) -> str:
    """Process the next step of an upload with these rows. Returns its status."""
    match batch.upload_status:
        case Status.UPLOADED:
            return _go_to(connection, batch, Status.QUEUING)
        case Status.QUEUING:
            return _go_to(connection, batch, Status.PROCESSING, row_count=len(rows))
        case Status.PROCESSING:
            return _work_on(connection, batch, rows)
        case Status.GEOCODING:
            return _go_to(connection, batch, Status.DONE, **_ENDED)
        case status:
            return str(status)


def fail(connection: Connection, batch_id: int, error: RowError) -> str:
    """End an upload that cannot be processed."""
    repository.add_errors(connection, batch_id, [error])
    repository.change_batch(connection, batch_id, {"upload_status": Status.FAILED, **_ENDED})
    return Status.FAILED


def _work_on(connection: Connection, batch: Any, rows: Sequence[Row]) -> str:
    chunk = rows[batch.rows_done : batch.rows_done + ROWS_A_STEP]
    if not chunk:
        return _go_to(connection, batch, Status.GEOCODING)
    records, now = _load_records(connection, batch.organization_id, chunk), now_ms()
    results = [check_row(row, records, now) for row in chunk]
    # The last of several rows for one person and source counts.
    current = {one.key: one.location for one in results if one.key is not None}
    repository.remove_locations(
        connection, batch.organization_id, [key for key, location in current.items() if location is None]
    )
    stored = {key: location for key, location in current.items() if location is not None}
    repository.store_locations(connection, batch.organization_id, batch.id, stored)
    repository.add_errors(connection, batch.id, [error for one in results for error in one.errors])
    placed = [one for one in results if one.location is not None]
    on_map = sum(one.has_coordinates for one in placed)
    critical = sum(one.is_critical for one in results)
    with_errors = sum(bool(one.errors) and not one.is_critical for one in results)
    repository.change_batch(
        connection,
        batch.id,
        {
            "rows_done": batch.rows_done + len(chunk),
            "success_num": batch.success_num + len(chunk) - critical - with_errors,
            "with_error_num": batch.with_error_num + with_errors,
            "critical_num": batch.critical_num + critical,
            "geo_success_num": batch.geo_success_num + on_map,
            "geo_fail_num": batch.geo_fail_num + len(placed) - on_map,
        },
    )
    return Status.PROCESSING


def _load_records(connection: Connection, organization_id: int, rows: Sequence[Row]) -> KnownRecords:
    external_ids, location_ids = names_in(rows)
    people = contacts.find_by_external_id(connection, organization_id, external_ids)
    # ASSUMPTION A153: a locationId is the ID of an asset of the organization, or its external ID.
    sites = {
        **assets.find_by_external_id(connection, organization_id, location_ids),
        **assets.find_by_id(connection, organization_id, location_ids),
    }
    return KnownRecords(
        contacts={person.external_id: person.id for person in people},
        sites={name: Site(site.latitude, site.longitude) for name, site in sites.items()},
    )


def _go_to(connection: Connection, batch: Any, status: str, **values: Any) -> str:
    repository.change_batch(connection, batch.id, {"upload_status": status, **values})
    return status
