"""What makes a lookup mapping acceptable, and the three ways this area refuses (interface: Lookup mapping errors)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.clock import now_ms
from service.errors import RefusalError
from service.lookup_mappings.models import Attribute, MappingRequest, TargetGroup
from service.parameters import MAX_LONG
from service.schema import KEY_LENGTH

_OBJECT = "resourceObject"


class FieldsRefusedError(RefusalError):
    """Fields that break a rule: 400 with one entry each (Errors, mapping validation)."""

    def __init__(self, entries: Sequence[dict[str, Any]]) -> None:
        super().__init__(400, "Validation failed")
        self.entries = list(entries)

    def body(self) -> dict[str, Any]:
        """The mapping validation envelope."""
        return {"errors": self.entries}


class UnknownMappingError(RefusalError):
    """No such mapping: 404 with no body."""

    def __init__(self) -> None:
        super().__init__(404, "Not found")

    def body(self) -> None:
        """Nothing at all."""


class ExistingMappingError(RefusalError):
    """The mapping exists already: 500 with an object of its own."""

    def __init__(self, path: str) -> None:
        super().__init__(500, "A mapping with these attributes already exists.")
        self.path = path

    def body(self) -> dict[str, Any]:
        """`timestamp`, `status`, `error`, `exception`, `message`, `path`."""
        # ASSUMPTION A133: the timestamp is in epoch milliseconds; an update that would make two equal is told the same.
        return {
            "timestamp": now_ms(),
            "status": 500,
            "error": "Internal Server Error",
            "exception": "MappingAlreadyExistsException",
            "message": self.message,
            "path": self.path,
        }


def read_mapping(body: Any) -> MappingRequest:
    """Read the body of a create or update; all that is wrong with it at once as `FieldsRefusedError`."""
    # ASSUMPTION A134: the body is {"data": {"targetGroups": […], "attributes": […]}}; its read-only fields are dropped.
    data = body.get("data") if isinstance(body, dict) else None
    if not isinstance(data, dict):
        raise FieldsRefusedError([_entry("data", "NotNull", "may not be null", None)])
    problems: list[dict[str, Any]] = []
    attributes = _items(data, "attributes", _attribute, problems)
    groups = _items(data, "targetGroups", _target_group, problems)
    if problems:
        raise FieldsRefusedError(problems)
    return MappingRequest(tuple(groups), tuple(attributes))


def _items(data: dict[str, Any], name: str, read: Any, problems: list[dict[str, Any]]) -> list[Any]:
    path, value = f"data.{name}", data.get(name)
    if value is None or value == []:
        problems.append(_entry(path, "NotEmpty", "may not be empty", value))
        return []
    if not isinstance(value, list):
        problems.append(_mismatch(path, value, "a list is needed"))
        return []
    return [read(item, f"{path}[{position}]", problems) for position, item in enumerate(value)]


def _attribute(item: Any, path: str, problems: list[dict[str, Any]]) -> Attribute | None:
    if not isinstance(item, dict):
        problems.append(_mismatch(path, item, "an object is needed"))
        return None
    name, values = item.get("name"), item.get("values")
    if name is None or (isinstance(name, str) and not name.strip()):
        problems.append(_entry(f"{path}.name", "NotEmpty", "may not be empty", name))
    elif not isinstance(name, str) or "\0" in name:
        problems.append(_mismatch(f"{path}.name", name, "a text is needed"))
    elif len(name) > KEY_LENGTH:
        problems.append(_too_long(f"{path}.name", name))
    if not isinstance(values, list) or not all(isinstance(value, str) and "\0" not in value for value in values):
        problems.append(_mismatch(f"{path}.values", values, "a list of texts is needed"))
        return None
    problems += [
        _too_long(f"{path}.values[{position}]", value)
        for position, value in enumerate(values)
        if len(value) > KEY_LENGTH
    ]
    return Attribute(name if isinstance(name, str) else "", tuple(values))


def _target_group(item: Any, path: str, problems: list[dict[str, Any]]) -> TargetGroup | None:
    if not isinstance(item, dict):
        problems.append(_mismatch(path, item, "an object is needed"))
        return None
    identity, name = item.get("id"), item.get("name", "")
    if isinstance(identity, str) and identity.isascii() and identity.isdigit():
        identity = int(identity)
    if not isinstance(identity, int) or isinstance(identity, bool) or abs(identity) > MAX_LONG:
        problems.append(_mismatch(f"{path}.id", item.get("id"), "a whole number is needed"))
        return None
    if name is not None and (not isinstance(name, str) or "\0" in name):
        problems.append(_mismatch(f"{path}.name", name, "a text is needed"))
        return None
    return TargetGroup(identity, name or "")


def _mismatch(field: str, rejected: Any, words: str) -> dict[str, Any]:
    return _entry(field, "typeMismatch", words, rejected, binding_failure=True)


def _too_long(field: str, rejected: str) -> dict[str, Any]:
    return _entry(field, "Size", f"size must be between 0 and {KEY_LENGTH}", rejected)


def _entry(field: str, code: str, message: str, rejected: Any, *, binding_failure: bool = False) -> dict[str, Any]:
    last = field.rpartition(".")[2]
    return {
        "codes": [f"{code}.{_OBJECT}.{field}", f"{code}.{field}", f"{code}.{last}", code],
        "arguments": [
            {"codes": [f"{_OBJECT}.{field}", field], "arguments": None, "defaultMessage": field, "code": field}
        ],
        "defaultMessage": message,
        "objectName": _OBJECT,
        "field": field,
        "rejectedValue": rejected,
        "bindingFailure": binding_failure,
        "code": code,
    }
