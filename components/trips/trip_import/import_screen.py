"""Drawing the import of trips: file, columns and check, what would follow, the sending, and what came of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.intake_screen import draw_import
from components.maps.map_view import shapes_map
from components.record_list.record_table import record_table
from components.shell.state import StateKey
from components.trips.trip_import.after_import import after_import
from domain.tables.table_pages import numbers
from domain.text.plain_text import count, names, plain
from domain.trips.known_trip import IMPORT, REMOVAL
from domain.trips.trip_findings import KINDS
from domain.trips.trip_import.dry_run import DryRun, Remembered, Standing, dry_run, remembered
from domain.trips.trip_import.trip_intake import trips_with
from domain.trips.trip_import.trip_rows import supposed_kinds
from domain.trips.trip_import.undoing import undone

if TYPE_CHECKING:
    from collections.abc import Mapping

    from domain.file_import.checking import Check
    from domain.runtime.workspace import Workspace

KEY: Final = "trip-import"
KINDS_SHOWN: Final = 6
_TAKEN_FOR: Final = {"Air": "flights", "Car": "rented cars", "Rail": "trains"}
_RUN: Final = StateKey[tuple[object, DryRun, list[str]] | None]("trip-import.dry-run", lambda: None)
_MEMORY: Final = StateKey[tuple[object, Remembered] | None]("trip-import.memory", lambda: None)
_WHOLE: Final = StateKey[object]("trip-import.whole", lambda: None)
"""The rows, as they stood, of which a person wants every trip worked out."""


def import_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    memory = _memory(workspace)
    draw_import(
        workspace,
        trips_with(memory.employee_ids),
        key=KEY,
        preview=partial(_what_would_follow, memory),
        limits=partial(_limits, memory),
        after=partial(after_import, workspace),
        since=lambda jobs: {job_id: each.summary for job_id, each in undone(workspace, jobs).items()},
    )


def _memory(workspace: Workspace) -> Remembered:
    """What this desk has sent, read again once there is more of it."""
    now = workspace.journal.ledger_history.count_done(workspace.actor, [IMPORT, REMOVAL])
    held = _MEMORY.get()
    if held is None or held[0] != now:
        held = now, remembered(workspace)
        _MEMORY.set(held)
    return held[1]


def _what_would_follow(memory: Remembered, check: Check) -> None:
    if not check.is_ready.any():
        return
    state = (check, check.version, memory)
    held = _RUN.get()
    whole = _WHOLE.get() == state
    if held is None or held[0] != (state, whole):
        with st.spinner("Working out what would follow …"):
            items = list(check.outgoing())
            run = dry_run(items, memory, **({"at_most": len(items)} if whole else {}))
            held = (state, whole), run, [_TAKEN_FOR[kind] for kind in sorted(supposed_kinds(check.ready))]
        _RUN.set(held)
    run, supposed = held[1:]
    st.header("What would follow", anchor=False)
    st.markdown(f"**{plain(_trips_line(run))}**")
    st.markdown(plain(_batches_line(run)))
    if supposed:
        st.caption(
            f":material/info: No column gives the segment type. Muster treats everything except hotels as "
            f"{names(supposed)}. If that is wrong, add a column “Segment type” with Air, Hotel, Rail, or Car."
        )
    if not run.is_whole:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/info: Places and what looks wrong are worked out for {run.worked_out:,} of "
                f"{count(len(run.trips), 'trip', 'trips')}, evenly spread."
            )
            work_out = partial(_WHOLE.set, state)
            st.button(
                f"Work out all {len(run.trips):,}", key=f"{KEY}-whole", icon=":material/calculate:", on_click=work_out
            )
    if run.locations:
        told = count(run.locations, "expected location", "expected locations")
        of_all = "" if run.placed == run.locations else f"{run.placed:,} of "
        with st.expander(f"{of_all}{told} on the map", icon=":material/map:", key=f"{KEY}-map-shown"):
            if run.places.empty:
                st.caption("None of these places has coordinates or an airport.")
            else:
                shapes_map(run.place_shapes, key=f"{KEY}-map", height=420)
    with st.expander(f"Trip by trip: {_wrong_line(run)}", icon=":material/checklist:", key=f"{KEY}-trips-shown"):
        record_table(
            run.with_kind(_kind_looked_at(run.kinds)),
            {
                "locator": "Record locator",
                "standing": "Is",
                "travellers": numbers("Travelers"),
                "segments": numbers("Segments"),
                "locations": numbers("Expected locations"),
                "wrong": "What looks wrong",
            },
            f"{KEY}-trips",
            id_column="id",
            selection=None,
            noun=("trip", "trips"),
        )


def _limits(memory: Remembered, check: Check) -> str:
    """Say how many of the trips reach no one, if every trip was predicted."""
    held = _RUN.get()
    if held is None or held[0] != ((check, check.version, memory), _WHOLE.get() == (check, check.version, memory)):
        return ""
    run = held[1]
    if not run.is_whole or not run.unreached:
        return ""
    return count(run.unreached, "reaches no one", "reach no one")


def _wrong_line(run: DryRun) -> str:
    looks = len(run.found)
    if not looks:
        return "nothing looks wrong with these trips"
    words = f"{count(looks, 'trip looks', 'trips look')} wrong"
    return f"{words}, {run.cannot_be:,} of them cannot be as they stand" if run.cannot_be else words


def _kind_looked_at(kinds: Mapping[str, int]) -> str | None:
    """Draw what looks wrong, kind by kind; which of them alone is to be seen, None for all."""
    if not kinds:
        return None
    offered = list(kinds)
    if len(kinds) > KINDS_SHOWN and not st.toggle(f"All {len(kinds)} kinds", key=f"{KEY}-kinds-all"):
        offered = offered[:KINDS_SHOWN]
    picked: str | None = st.pills(
        "What looks wrong",
        offered,
        format_func=lambda rule: f"{KINDS[rule]} · {kinds[rule]:,}",
        key=f"{KEY}-kind",
    )
    return picked if picked in offered else None


def _trips_line(run: DryRun) -> str:
    told: dict[Standing, str] = {
        "new": "new",
        "sent before": "sent from Muster before. These replace them",
        "removed": "canceled: what the service has of them is removed",
    }
    parts = [f"{run.standings[name]:,} {words}" for name, words in told.items() if run.standings.get(name)]
    return " · ".join([count(len(run.trips), "trip", "trips"), *parts])


def _batches_line(run: DryRun) -> str:
    parts = []
    if run.batches_with_contacts:
        contacts = f"up to {count(run.contacts, 'contact is', 'contacts are')} created"
        parts.append(f"{contacts}: {count(run.batches_with_contacts, 'batch', 'batches')} of up to 50 trips")
    if run.batches:
        none = "no contact is created" if not parts else "none for the others"
        parts.append(f"{none}: {count(run.batches, 'batch', 'batches')} of up to 1,000 trips")
    line = " · ".join(parts)
    return f"{line[0].upper()}{line[1:]}." if line else ""
