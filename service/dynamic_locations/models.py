"""The uploadBatch record on the wire."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.dynamic_locations.processing import ROWS_A_STEP
from service.statements import Row


def to_wire(batch: Row, errors: Sequence[Row]) -> dict[str, Any]:
    """One upload with its row errors; times in epoch milliseconds."""
    # ASSUMPTION A148: row errors come in the record as `rowErrors`, at most the first 1,000 of them.
    return {
        "id": batch.id,
        "organizationId": batch.organization_id,
        "uploadBatchType": batch.upload_batch_type,
        "fileName": batch.file_name,
        "fileSize": batch.file_size,
        "uploadStatus": batch.upload_status,
        "successNum": batch.success_num,
        "withErrorNum": batch.with_error_num,
        "criticalNum": batch.critical_num,
        "geoSuccessNum": batch.geo_success_num,
        "geoFailNum": batch.geo_fail_num,
        "geocodingType": "NONE",
        "chunking": batch.row_count > ROWS_A_STEP,
        "source": "REST",
        "createdDate": batch.created_at,
        "createdId": batch.created_by,
        "createdName": batch.created_name,
        "lastModifiedDate": batch.modified_at,
        "lastModifiedId": batch.created_by,
        "lastModifiedName": batch.created_name,
        "rowErrors": [
            {
                "rowNumber": error.row_number,
                "columnName": error.column_name,
                "columnValue": error.column_value,
                "uploadErrorCode": error.code,
            }
            for error in errors
        ],
    }
