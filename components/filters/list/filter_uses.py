"""Where the filters of the organization use something: an ID, or the groups of a lookup mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from components.filters.list.contact_filter_list import CONTACT_FILTERS
from components.mappings.mapping_list import MAPPINGS
from components.record_list.record_reads import open_records
from components.record_list.used_in import Use, draw_uses
from components.shell.background_changes import redraw_when
from domain.filters.comparison import rules_of
from domain.filters.named_ids import NamedId, uses_id
from domain.mappings.mapping_text import groups_of
from domain.runtime.background import BackgroundReads
from domain.runtime.screens import CONTACT_FILTERS as SCREEN

if TYPE_CHECKING:
    from client.models.lookup_mappings import LookupMapping
    from domain.runtime.workspace import Workspace


def filters_with(workspace: Workspace, is_used_in: Callable[[Mapping[str, Any]], bool]) -> list[Use]:
    """Return the filters with a rule for which this is true. Until all are read, the page is drawn again."""
    reading = open_records(workspace, CONTACT_FILTERS)
    if not reading.wait(BackgroundReads.patience_for_names, since_it_began=True):
        redraw_when(lambda: not reading.now.is_running)
    records = reading.value.records if reading.value is not None else ()
    return [
        Use(f"Filter: {each.name}", SCREEN, {"id": each.key})
        for each in records
        if any(map(is_used_in, rules_of(each.stored)))
    ]


def _draw_mapping(workspace: Workspace, mapping: LookupMapping) -> None:
    MAPPINGS.draw_detail(workspace, mapping)
    groups = [NamedId("group", number, "", "") for number, _ in groups_of(mapping) if number]
    uses = filters_with(workspace, lambda rule: any(uses_id(rule, group) for group in groups))
    draw_uses(uses, none="No filter uses these groups.")


MAPPINGS_WITH_USES: Final = replace(MAPPINGS, draw_detail=_draw_mapping)
"""The list of mappings, which also names the filters that use the groups of a mapping."""
