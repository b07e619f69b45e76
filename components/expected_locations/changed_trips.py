"""Which trips this desk has changed at the service since a load read them: what it shows of these is out of date."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from components.expected_locations.roster_load import RosterLoad
from journal import Actor, EntryFilters, Journal

_LONGEST_CALL: Final = timedelta(minutes=10)
_MOST: Final = 500


def changed_here(journal: Journal, actor: Actor, load: RosterLoad) -> dict[int, str]:
    """Return the record locators by the journal's entries: added, changed, canceled or deleted by anybody here.

    Left out are those that the load has heeded, and those it had read after they were done.
    """
    if load.as_of is None:
        return {}
    # An entry tells when its call began, which may be before the load and end after it.
    done = EntryFilters(state="succeeded", since=load.as_of - _LONGEST_CALL)
    entries = journal.audit.list(actor.service, actor.organization_id, filters=done, page_size=_MOST, payloads_of=())
    return {
        entry.id: entry.subject_name
        for entry in entries
        if entry.subject_kind == "itinerary"
        and entry.subject_name
        and entry.id not in load.heeded
        and (entry.finished_at or entry.at) >= load.as_of
    }
