"""Files in multipart requests: one part named `file`, kept on disk while it is large, never more than allowed."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException, MultiPartParser

from service.errors import RefusalError, invalid

# What the other parts and the boundaries may come to beside the file.
_AROUND_THE_FILE = 64 * 2**10


@dataclass(frozen=True)
class UploadedFile:
    """The file of a request, and the short texts sent beside it."""

    name: str
    content: bytes
    texts: dict[str, str] = field(default_factory=dict)


async def uploaded_file(request: Request, *, most_bytes: int) -> UploadedFile:
    """The part `file` of a multipart request; 400 when there is none, or when it is larger than anything allowed."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise invalid("The request is not multipart/form-data.")
    parser = MultiPartParser(request.headers, _bounded(request, most_bytes), max_files=1, max_fields=20)
    try:
        form = await parser.parse()
    except (MultiPartException, HTTPException, KeyError, ValueError) as error:
        raise invalid(f"The multipart request cannot be read: {getattr(error, 'message', 'malformed')}") from error
    try:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise invalid("Field file is empty.")
        if (file.size or 0) > most_bytes:
            raise _too_large(most_bytes)
        texts = {name: value for name, value in form.multi_items() if isinstance(value, str)}
        return UploadedFile(_base_name(file.filename or ""), await file.read(), texts)
    finally:
        await form.close()


async def _bounded(request: Request, most_bytes: int) -> AsyncGenerator[bytes, None]:
    received = 0
    async for chunk in request.stream():
        received += len(chunk)
        if received > most_bytes + _AROUND_THE_FILE:
            raise _too_large(most_bytes)
        yield chunk


def _too_large(most_bytes: int) -> RefusalError:
    # Not 413: the interface knows no other status for a file that is too large than that of invalid input.
    return invalid(f"The file is larger than {most_bytes // 2**20} MB.")


def _base_name(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[2].replace("\0", "").strip()[:255]
