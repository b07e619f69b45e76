"""The dynamic location endpoints in the OpenAPI document."""

from __future__ import annotations

from client.vocabulary.dynamic_locations import UPDATE
from service.openapi import (
    ORGANIZATION,
    AnswerModel,
    ModificationResult,
    ResultAnswer,
    described,
    path_parameter,
    query_parameter,
)


class RowErrorAnswer(AnswerModel):
    """What is wrong with a row."""

    row_number: int
    column_name: str
    column_value: str
    upload_error_code: str


class UploadBatch(AnswerModel):
    """An upload batch."""

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
    geocoding_type: str
    chunking: bool
    source: str
    created_date: int
    created_id: int
    created_name: str
    last_modified_date: int
    last_modified_id: int
    last_modified_name: str
    row_errors: list[RowErrorAnswer]


UPLOAD = described(
    answer=ModificationResult,
    parameters=[
        ORGANIZATION,
        query_parameter("uploadBatchType", "What to do.", {"type": "string", "enum": [UPDATE], "default": UPDATE}),
    ],
    upload={"file": {"type": "string", "format": "binary", "description": "A CSV of dynamic locations."}},
)
RETRIEVE = described(
    answer=ResultAnswer[UploadBatch],
    parameters=[ORGANIZATION, path_parameter("upload_batch_id", "The upload batch.")],
    not_found=True,
)
