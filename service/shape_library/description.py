"""The shape library endpoints in the OpenAPI document."""

from __future__ import annotations

from service.openapi import ORGANIZATION, ModificationResult, described, query_parameter
from service.shape_library.rules import LONGEST_NAME

_NAME = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_REGION = {**query_parameter("regionName", "The region; or, on delete, a folder.", _NAME), "required": True}
_FOLDER = query_parameter("folder", "The folder; without it, the root.", {"type": "string", "maxLength": LONGEST_NAME})

UPLOAD = described(
    answer=ModificationResult,
    parameters=[ORGANIZATION, _REGION, _FOLDER],
    upload={"file": {"type": "string", "format": "binary", "description": "A zipped shapefile (.zip) or a .kml."}},
)
DELETE = described(answer=ModificationResult, parameters=[ORGANIZATION, _REGION, _FOLDER], not_found=True)
