"""The versions of a contact filter: those saved from Muster, and those that an edit replaced.

The journal stores the whole filter of each save. The service keeps the current version only, so a version that was made
outside Muster is known only if it was replaced from Muster, or is the current one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from client.models.contact_filters import ContactFilter
from domain.edits.journaled_calls import SETTLES
from domain.filters.comparison import changed_at, compare_filters, is_same_filter, summarize
from domain.filters.filter_change import CONTENTS, KIND, REPLACED, changed_by
from domain.filters.filter_draft import FilterDraft, from_filter, replace_rules
from domain.text.plain_text import count
from domain.text.time_text import moment

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace
    from journal import Entry

MOST_ENTRIES: Final = 200
"""How many journal entries of a filter are read, the latest ones."""
_SAVES: Final = (f"{KIND}.create", f"{KIND}.update")


@dataclass(frozen=True)
class FilterVersion:
    """One version of a filter; `number` counts from 1, the oldest known one."""

    number: int
    contents: ContactFilter
    at: datetime | None
    by: str | None
    is_outside: bool
    """Whether it was saved outside Muster."""
    summary: str
    """What changed since the version before; "" for the first one."""

    @property
    def label(self) -> str:
        """Number and time: "Version 2 · Fri, Nov 20, 12:05 UTC"."""
        return f"Version {self.number} · {moment(self.at) if self.at else 'time unknown'}"

    @property
    def author(self) -> str:
        """Who saved it, and whether outside Muster."""
        return " · ".join(part for part in (self.by or "", "outside Muster" if self.is_outside else "") if part)


@dataclass(frozen=True)
class FilterHistory:
    """The known versions of a filter, the latest first, and a note on those that are missing."""

    versions: Sequence[FilterVersion]
    note: str = ""


def read_history(workspace: Workspace, filter_id: int, current: ContactFilter | None) -> FilterHistory:
    """Read the versions of a filter from the journal; `current` is what the service has."""
    actor = workspace.actor
    entries = workspace.journal.audit.history(
        actor.service,
        actor.organization_id,
        subject_kind=KIND,
        subject_id=str(filter_id),
        at_most=MOST_ENTRIES,
    )
    return find_versions(entries, current)


def find_versions(entries: Iterable[Entry], current: ContactFilter | None) -> FilterHistory:
    """Return the versions in these journal entries of one filter, the latest first, and the current one."""
    oldest_first = sorted(entries, key=lambda entry: entry.id)
    begun = {entry.id: entry for entry in oldest_first}
    found: list[FilterVersion] = []

    def add(contents: ContactFilter, at: datetime | None, by: str | None, *, is_outside: bool) -> None:
        before = found[-1].contents if found else None
        summary = "" if before is None else summarize(compare_filters(before, contents))
        found.append(FilterVersion(len(found) + 1, contents, at, by, is_outside, summary))

    def add_outside(contents: ContactFilter) -> None:
        if not found or not is_same_filter(found[-1].contents, contents):
            add(contents, changed_at(contents), changed_by(contents), is_outside=True)

    removed = 0
    for entry in oldest_first:
        if entry.state != "succeeded" or entry.action not in _SAVES:
            continue
        request: Mapping[str, Any] = entry.request or {}
        if CONTENTS not in request:
            # The retention period has ended.
            removed += 1
            continue
        if request.get(REPLACED):
            add_outside(ContactFilter.from_wire(request[REPLACED]))
        # If a person resolved a lost response, the first entry has who saved the filter and when.
        saved = begun.get(request.get(SETTLES) or 0, entry)
        add(ContactFilter.from_wire(request[CONTENTS]), saved.at, saved.actor.username, is_outside=False)
    if current is not None:
        add_outside(current)
    note = f"{count(removed, 'older version was', 'older versions were')} removed after the retention period."
    return FilterHistory(found[::-1], note if removed else "")


def restore(draft: FilterDraft, version: FilterVersion) -> FilterDraft:
    """Return the draft with the name and the rules of a version."""
    return replace_rules(draft, from_filter(version.contents))
