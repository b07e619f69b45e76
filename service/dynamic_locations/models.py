"""The uploadBatch record as it is returned."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from service.dynamic_locations.processing import ROWS_A_STEP
from service.responses import ResponseModel


class RowErrorResponse(ResponseModel):
    """An error in a row."""

    row_number: int
    column_name: str
    column_value: str
    upload_error_code: str = Field(validation_alias="code")


class UploadBatch(ResponseModel):
    """An upload batch. Times are in epoch milliseconds."""

    id: int
    organization_id: int
    upload_batch_type: str
    file_name: str
    file_size: int
    upload_status: str
    success_num: int
    with_error_num: int
    critical_num: int
    geo_success_num: int
    geo_fail_num: int
    geocoding_type: str = "NONE"
    chunking: Annotated[bool, BeforeValidator(lambda count: count > ROWS_A_STEP)] = Field(validation_alias="row_count")
    source: str = "REST"
    created_date: int = Field(validation_alias="created_at")
    created_id: int = Field(validation_alias="created_by")
    created_name: str
    last_modified_date: int = Field(validation_alias="modified_at")
    last_modified_id: int = Field(validation_alias="created_by")
    last_modified_name: str = Field(validation_alias="created_name")
    # ASSUMPTION A148: row errors come in the record as `rowErrors`, at most the first 1,000 of them.
    row_errors: list[RowErrorResponse]
