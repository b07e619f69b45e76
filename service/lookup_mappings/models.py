"""A lookup mapping as it arrives in `data`, and as it leaves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from service.clock import to_iso_with_milliseconds
from service.statements import Row


@dataclass(frozen=True)
class TargetGroup:
    """A group that the attribute values stand for."""

    id: int
    name: str


@dataclass(frozen=True)
class Attribute:
    """A name and the values it may have; several attributes may share the name."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class MappingRequest:
    """What is sent on create and update."""

    target_groups: tuple[TargetGroup, ...]
    attributes: tuple[Attribute, ...]

    @property
    def fingerprint(self) -> str:
        """The same for every mapping with the same attributes: their order and that of the values set aside."""
        # ASSUMPTION A132: a mapping exists already when one of the organization has equal attributes.
        canonical = sorted([attribute.name, sorted(set(attribute.values))] for attribute in self.attributes)
        return hashlib.sha256(json.dumps(canonical).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """Every name with each of its values."""
        return {(attribute.name, value) for attribute in self.attributes for value in attribute.values}

    @property
    def group_ids(self) -> set[int]:
        """The groups, each once."""
        return {group.id for group in self.target_groups}

    def target_groups_document(self) -> list[dict[str, Any]]:
        """The groups as they are kept and sent."""
        return [{"id": group.id, "name": group.name} for group in self.target_groups]

    def attributes_document(self) -> list[dict[str, Any]]:
        """The attributes as they are kept and sent, in the order they came."""
        return [{"name": attribute.name, "values": list(attribute.values)} for attribute in self.attributes]


@dataclass(frozen=True)
class Search:
    """What to look for: mappings with one of the groups, and for each name one of its values."""

    group_ids: frozenset[int] | None
    attributes: Sequence[tuple[str, frozenset[str]]]
    newest_first: bool
    page_number: int
    page_size: int

    @property
    def start(self) -> int:
        """Position of the first item, from 0."""
        return (self.page_number - 1) * self.page_size


def to_wire(row: Row) -> dict[str, Any]:
    """One stored mapping as LookupMapping."""
    return {
        "id": row.id,
        "organizationId": row.organization_id,
        # Deleted ones are never answered with (interface: Status of a record).
        "deleted": False,
        "targetGroups": row.target_groups,
        "attributes": row.attributes,
        "createdBy": row.created_by,
        "lastUpdatedBy": row.modified_by,
        "lastUpdatedOn": to_iso_with_milliseconds(row.modified_at),
    }
