"""Extract one record from an answer: bare, in `result`, in `data`, or as a page of one."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel

from .classify import classify, reads_like_refusal, says_failed
from .errors import NotFound
from .models.results import CreationResult, ModificationResult, UploadReceipt

M = TypeVar("M", bound=BaseModel)

# A text without digits is a message, not an ID.
_BARE_ID = re.compile(r"\S*\d\S*")
_WRAPPERS = ("result", "data", "page")


def unwrapped(content: bytes) -> Any:
    """Return the innermost object or list of an answer. Raises ValueError if it is not JSON or is an error.

    An object with an `id` is a record, and its content belongs to it.
    """
    return _unwrapped(_sound(content))


def _unwrapped(data: Any, *wrappers: str) -> Any:
    while isinstance(data, dict) and not data.get("id"):
        wrapper = next((name for name in wrappers or _WRAPPERS if isinstance(data.get(name), dict | list)), None)
        if wrapper is None:
            break
        data = data[wrapper] or []
    return data


def read_record(record: type[M], content: bytes) -> M:
    """Read the answer to a request for one record.

    Raises `NotFound` for an empty page or wrapper, and ValueError if there is no such record.
    """
    found = _record_in(record, unwrapped(content))
    if found is None:
        raise NotFound("The service does not have this record.", sent=True, status=200)
    return found


def read_stored(record: type[M], content: bytes) -> M:
    """Read the record in the answer to a change. A missing record is an error."""
    stored = _record_in(record, _unwrapped(answered(content)))
    if stored is None:
        raise ValueError("the response has no record")
    return stored


def read_creation(content: bytes) -> ModificationResult:
    """Read the answer to a create. Raises ValueError if it has no ID."""
    result = ModificationResult.model_validate(_unwrapped(answered(content), "result"))
    if result.id == 0:
        raise ValueError("the response has no id")
    return result


def read_acknowledgement(content: bytes) -> CreationResult:
    """Read the answer to a create that may lack an ID: `{message: OK}` or an ID is enough."""
    data = _unwrapped(answered(content))
    if isinstance(data, int | str):
        data = {"id": data}
    result = CreationResult.model_validate(data)
    if result.id is None and not is_fine(result.message):
        raise ValueError("the response has neither an ID nor a confirmation")
    return result


def read_receipt(content: bytes) -> UploadReceipt:
    """Read the answer to an upload like `read_acknowledgement`. Its ID may be a string."""
    data = _unwrapped(answered(content))
    if isinstance(data, int | str):
        if not _BARE_ID.fullmatch(str(data).strip()):
            raise ValueError("a string without an ID")
        data = {"id": data}
    receipt = UploadReceipt.model_validate(data)
    if receipt.id in (None, 0, ""):
        if not is_fine(receipt.message):
            raise ValueError("the response has neither an ID nor a confirmation")
        receipt.id = None
    return receipt


def read_modification(record_id: int, content: bytes) -> ModificationResult:
    """Read the answer to an update or delete. Without an ID, it is about the requested record."""
    if not content.strip():
        return ModificationResult(id=record_id)
    answer = CreationResult.model_validate(answered(content))
    if answer.id is None and not is_fine(answer.message):
        raise ValueError("the response is not a modification result")
    return ModificationResult(
        message=answer.message,
        id=record_id if answer.id is None else answer.id,
        base_uri=answer.base_uri,
        instance_uri=answer.instance_uri,
    )


def answered(content: bytes) -> Any:
    """Return the parsed answer to a change. Raises ValueError if it reports a failure, with an ID or without."""
    data = _sound(content)
    if isinstance(data, dict) and isinstance(data.get("message"), str) and reads_like_refusal(data["message"]):
        raise ValueError("the response reads like a rejection")
    return data


def is_fine(message: str | None) -> bool:
    """Return whether a message reports success."""
    return (message or "").strip().casefold() == "ok"


def _record_in(record: type[M], data: Any) -> M | None:
    """Return the record of an unwrapped answer; None for an empty page or an empty wrapper."""
    if isinstance(data, dict) and not data.get("id") and any(data.get(name, data) is None for name in _WRAPPERS):
        return None
    if isinstance(data, list):
        if not data:
            return None
        if len(data) > 1:
            raise ValueError("the response has several records")
        data = data[0]
    found = record.model_validate(data)
    # The status may belong to the answer, not to the record.
    if not any(getattr(found, name) for name in record.model_fields if name != "status"):
        raise ValueError("the response has no field of this record")
    return found


def _sound(content: bytes) -> Any:
    """Return the parsed answer. Raises ValueError for an error. A record may list errors but may not report a
    failure.
    """
    data = json.loads(content)
    if classify(200, content) is not None and (says_failed(data) or not _holds_record(data)):
        raise ValueError("the response is an error")
    return data


def _holds_record(data: Any) -> bool:
    return isinstance(data, dict) and (bool(data.get("id")) or any(data.get(name) for name in _WRAPPERS))
