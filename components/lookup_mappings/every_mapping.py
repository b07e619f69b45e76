"""All lookup mappings of an organization, read in the background for what is worked out here; as many as are held."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from components.lookup_mappings.mapping_change import LIST_KEY, READ_AT_MOST
from components.lookup_mappings.mapping_query import told_values
from components.lookup_mappings.mapping_text import attributes_of
from components.records.declared import SHOWN_FOR
from components.shell.server import server

if TYPE_CHECKING:
    from client.models.lookup_mappings import LookupMapping
    from components.records.declared import Tell
    from components.shell.background import BackgroundRead
    from components.shell.workspace import Workspace

_PAGE: Final = 500


def every_mapping(workspace: Workspace) -> BackgroundRead[Sequence[LookupMapping]]:
    """The reading of them all, begun where it is too old."""

    def read(tell: Tell) -> Sequence[LookupMapping]:
        found: list[LookupMapping] = []
        for page in islice(workspace.client.lookup_mappings.search(page_size=_PAGE).pages(), READ_AT_MOST // _PAGE):
            found += page.items
            tell(len(found), page.total_count)
        return found

    return server().reads.open(workspace, (LIST_KEY, "every"), read, good_for=SHOWN_FOR)


def known_values(workspace: Workspace) -> dict[str, list[str]]:
    """The attribute names that occur in what is read so far, each with its values."""
    known = every_mapping(workspace).value or ()
    return told_values({name: list(map(str, values)) for name, values in attributes_of(each)} for each in known)
