"""One record out of an answer, whatever it comes wrapped in: bare, in `result`, in `data`, or as a page of one."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel

from .classify import classify, reads_like_refusal, says_failed
from .errors import NotFound
from .models.results import CreationResult, ModificationResult, UploadReceipt

M = TypeVar("M", bound=BaseModel)

# By itself, a text without digits is rather a word about what happened.
_BARE_ID = re.compile(r"\S*\d\S*")
_WRAPPERS = ("result", "data", "page")


def unwrapped(content: bytes) -> Any:
    """The innermost object or list of an answer; raises ValueError for what is no JSON or reads like an error.

    An object that has an `id` is a record, and what it holds is its own.
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

    Raises `NotFound` for an empty page or wrapper, and ValueError for what holds no such record.
    """
    found = _record_in(record, unwrapped(content))
    if found is None:
        raise NotFound("The service has no such record.", sent=True, status=200)
    return found


def read_stored(record: type[M], content: bytes) -> M:
    """Read the record that a change is answered with; nothing in its place is no answer."""
    stored = _record_in(record, _unwrapped(answered(content)))
    if stored is None:
        raise ValueError("the answer holds no record")
    return stored


def read_creation(content: bytes) -> ModificationResult:
    """Read the answer to a create; without an id it is none."""
    result = ModificationResult.model_validate(_unwrapped(answered(content), "result"))
    if result.id == 0:
        raise ValueError("the answer names no id")
    return result


def read_acknowledgement(content: bytes) -> CreationResult:
    """Read the answer to a create that need not name its id: `{message: OK}` is enough, an id is as well."""
    data = _unwrapped(answered(content))
    if isinstance(data, int | str):
        data = {"id": data}
    result = CreationResult.model_validate(data)
    if result.id is None and not is_fine(result.message):
        raise ValueError("the answer neither names an id nor says that all is well")
    return result


def read_receipt(content: bytes) -> UploadReceipt:
    """Read the answer to an upload, as `read_acknowledgement` does; its id may be a text."""
    data = _unwrapped(answered(content))
    if isinstance(data, int | str):
        if not _BARE_ID.fullmatch(str(data).strip()):
            raise ValueError("a text that names no id")
        data = {"id": data}
    receipt = UploadReceipt.model_validate(data)
    if receipt.id in (None, 0, ""):
        if not is_fine(receipt.message):
            raise ValueError("the answer neither names an id nor says that all is well")
        receipt.id = None
    return receipt


def read_modification(record_id: int, content: bytes) -> ModificationResult:
    """Read the answer to an update or delete; without an id it is about the one that was asked for."""
    if not content.strip():
        return ModificationResult(id=record_id)
    answer = CreationResult.model_validate(answered(content))
    if answer.id is None and not is_fine(answer.message):
        raise ValueError("the answer is no modification result")
    return ModificationResult(
        message=answer.message,
        id=record_id if answer.id is None else answer.id,
        base_uri=answer.base_uri,
        instance_uri=answer.instance_uri,
    )


def answered(content: bytes) -> Any:
    """What a change is answered with, parsed; raises ValueError for what says that it failed, with an id or without."""
    data = _sound(content)
    if isinstance(data, dict) and isinstance(data.get("message"), str) and reads_like_refusal(data["message"]):
        raise ValueError("the answer reads like a refusal")
    return data


def is_fine(message: str | None) -> bool:
    """Whether a message says that all is well."""
    return (message or "").strip().casefold() == "ok"


def _record_in(record: type[M], data: Any) -> M | None:
    """The one record of an unwrapped answer; None for an empty page, or a wrapper with nothing inside."""
    if isinstance(data, dict) and not data.get("id") and any(data.get(name, data) is None for name in _WRAPPERS):
        return None
    if isinstance(data, list):
        if not data:
            return None
        if len(data) > 1:
            raise ValueError("the answer holds several records")
        data = data[0]
    found = record.model_validate(data)
    # A status may be that of the answer.
    if not any(getattr(found, name) for name in record.model_fields if name != "status"):
        raise ValueError("the answer holds no field of such a record")
    return found


def _sound(content: bytes) -> Any:
    """An answer as it stands, parsed; raises ValueError for an error. A record may list errors, and fail it may not."""
    data = json.loads(content)
    if classify(200, content) is not None and (says_failed(data) or not _holds_record(data)):
        raise ValueError("the answer is an error")
    return data


def _holds_record(data: Any) -> bool:
    return isinstance(data, dict) and (bool(data.get("id")) or any(data.get(name) for name in _WRAPPERS))
