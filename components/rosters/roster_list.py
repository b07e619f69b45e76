"""The rosters of the organization: the named lists of record locators that are put on the map together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.change.removed_view import ask_to_remove, draw_removed
from components.records.declared import Action, Found, Listed, New, RecordColumn, Records, Tell, Whole, numbers, text
from components.rosters.changes import ROSTER_IN_URL, ROSTER_REMOVAL, target_of
from components.rosters.roster_forms import FAILURE, new_roster, roster_detail
from components.rosters.roster_frame import load_words
from components.shell.notices import show_problem
from components.widgets.number_text import count

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from journal import Roster, RosterLoad


@dataclass(frozen=True)
class Known:
    """A roster, and when it was last put on the map."""

    roster: Roster
    load: RosterLoad | None

    @property
    def loaded_at(self) -> datetime | None:
        """When it was last put on the map."""
        return None if self.load is None else self.load.finished_at or self.load.started_at


def _read(workspace: Workspace, _: Tell) -> Listed[Known]:
    journal, scope = workspace.journal, (workspace.actor.service, workspace.actor.organization_id)
    loads = journal.roster_loads.latest_of(*scope)
    return Listed([Known(roster, loads.get(roster.id)) for roster in journal.rosters.list(*scope)])


def _answer(_: Workspace, found: Found[Known]) -> str:
    trips = sum(known.roster.entry_count for known in found.listed.records)
    return f"{count(len(found.listed.records), 'roster', 'rosters')} · {count(trips, 'trip', 'trips')} in them"


def _above(workspace: Workspace, *_: object) -> None:
    draw_removed(workspace, ROSTER_REMOVAL)
    failure = FAILURE.get()
    if failure is not None:
        doing, error = failure
        show_problem(error, doing=doing, key="rosters-failure")
        st.button("Dismiss", key="rosters-failure-dismiss", on_click=FAILURE.clear)


ROSTERS: Final = Records(
    key="rosters",
    title="Rosters",
    noun=("roster", "rosters"),
    read=Whole(_read, search=("name",), hint="Part of its name", good_for=None),
    identity=lambda known: str(known.roster.id),
    name=lambda known: known.roster.name,
    columns={
        "name": text("Roster", lambda known: known.roster.name),
        "trips": numbers("Trips", lambda known: known.roster.entry_count),
        "last_load": RecordColumn(
            "Last on the map",
            lambda known: load_words(known.load, datetime.now(UTC)),
            order=lambda known: known.loaded_at,
        ),
        "made_by": text("Made by", lambda known: known.roster.created_by),
    },
    picked_in=ROSTER_IN_URL,
    detail=lambda workspace, known: roster_detail(workspace, known.roster, known.load, datetime.now(UTC)),
    shown_id=lambda _: None,
    missing="This organization has no roster {id}. It may have been deleted.",
    pick="Pick a roster to see its trips, put it on the map, rename or delete it.",
    actions=(
        Action(
            "Delete",
            lambda workspace, chosen: ask_to_remove(
                workspace, ROSTER_REMOVAL, [target_of(known.roster) for known in chosen]
            ),
            icon=":material/delete:",
            danger=True,
            several=True,
            key="delete",
        ),
    ),
    new=New("New roster", form=new_roster, primary=False),
    answer=_answer,
    above=_above,
    empty="A roster is a named list of record locators: a team, a conference, everybody on the road this month. "
    "The service cannot list trips by itself, so the map shows the trips of a roster. Make the first one here.",
)
