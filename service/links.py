"""Links in answers: absolute, and with the extra `/rest/` segment before the listed path."""

from __future__ import annotations

from typing import Any

from fastapi import Request


def collection_uri(request: Request, *segments: object) -> str:
    """The URI of a collection at the address the caller used, without a closing slash."""
    path = "/".join(str(segment) for segment in segments)
    return f"{request.scope['scheme']}://{request.headers.get('host', 'localhost')}/rest/{path}"


def modification_result(request: Request, area: str, organization_id: int, record_id: int) -> dict[str, Any]:
    """RestfulModificationResult (interface: Modification result)."""
    base_uri = collection_uri(request, area, organization_id) + "/"
    return {"message": "OK", "id": record_id, "baseUri": base_uri, "instanceUri": f"{base_uri}{record_id}"}
