"""The request that is built from a mapping's draft."""

from __future__ import annotations

from client.models.lookup_mappings import LookupMapping
from domain.mappings.mapping_change import draft_of, to_request


def test_stored_spaces_around_a_value_stay_and_typed_spaces_are_removed():
    mapping = LookupMapping.model_validate(
        {"id": "7", "attributes": [{"name": "department", "values": ["Sales "]}], "targetGroups": [{"id": 1}]}
    )
    draft = draft_of(mapping)
    draft.attributes[0].values.append(" Legal ")
    assert to_request(draft).attributes[0].values == ["Sales ", "Legal"]
