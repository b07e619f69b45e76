"""Draw the import of trips: file, columns, check, preview, sending, and results."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.import_view import draw_import
from components.file_import.row_focus import focus_rows
from components.file_import.steps import replace_file
from components.maps.map_view import shapes_map
from components.record_list.record_table import record_table
from components.shell.address import go_to
from components.shell.state import StateKey
from components.trips.trip_import.import_actions import CANCEL_KEY, draw_import_actions
from domain.file_import.check_notes import describe_notes, list_note_rows
from domain.file_import.checking import Check
from domain.runtime.screens import CANCEL_TRIPS
from domain.tables.table_pages import numbers
from domain.text.plain_text import count, names, plain
from domain.trips.known_trip import IMPORT, REMOVAL
from domain.trips.trip_findings import KINDS
from domain.trips.trip_import.canceling import TRIPS_TO_CANCEL
from domain.trips.trip_import.dry_run import DryRun, SendHistory, TripEffect, dry_run, load_send_history
from domain.trips.trip_import.known_comparison import Remark, compare_with_known
from domain.trips.trip_import.trip_declaration import declare_trips
from domain.trips.trip_import.trip_rows import find_default_kinds
from domain.trips.trip_import.undoing import summarize_undone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from domain.runtime.workspace import Workspace

KEY: Final = "trip-import"
KINDS_SHOWN: Final = 6
_ASSUMED_KINDS: Final = {"Air": "flights", "Car": "rental cars", "Rail": "trains"}
_RUN: Final = StateKey[tuple[object, DryRun, list[str], list[Remark]] | None]("trip-import.dry-run", lambda: None)
_HISTORY: Final = StateKey[tuple[object, SendHistory] | None]("trip-import.memory", lambda: None)
_CHECKS_ALL: Final = StateKey[object]("trip-import.whole", lambda: None)
"""The state of the rows for which a person requested a check of all trips."""


def import_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    history = _load_history(workspace)
    draw_import(
        workspace,
        declare_trips(history.employee_ids),
        key=KEY,
        preview=partial(_draw_preview, workspace, history),
        sending_limits=partial(_describe_limits, history),
        draw_actions=partial(draw_import_actions, workspace),
        undone_notes=lambda jobs: {job_id: each.summary for job_id, each in summarize_undone(workspace, jobs).items()},
    )


def _load_history(workspace: Workspace) -> SendHistory:
    """Return what Muster sent before. It is read again when there is more."""
    sent_count = workspace.journal.ledger_history.count_done_writes(workspace.actor, [IMPORT, REMOVAL])
    cached = _HISTORY.get()
    if cached is None or cached[0] != sent_count:
        cached = sent_count, load_send_history(workspace)
        _HISTORY.set(cached)
    return cached[1]


def _draw_preview(workspace: Workspace, history: SendHistory, check: Check) -> None:
    if not check.is_ready.any():
        return
    state = (check, check.version, history)
    cached = _RUN.get()
    is_complete = _CHECKS_ALL.get() == state
    if cached is None or cached[0] != (state, is_complete):
        with st.spinner("Checking the trips …"):
            items = list(check.outgoing())
            run = dry_run(items, history, **({"at_most": len(items)} if is_complete else {}))
            cached = (
                (state, is_complete),
                run,
                [_ASSUMED_KINDS[kind] for kind in sorted(find_default_kinds(check.ready))],
                compare_with_known(check, workspace, history, now=datetime.now(UTC)),
            )
        _RUN.set(cached)
    run, assumed, remarks = cached[1:]
    _draw_remarks(workspace, check, remarks)
    st.header("Preview", anchor=False)
    st.markdown(f"**{plain(_trips_line(run))}**")
    st.markdown(plain(_batches_line(run)))
    _draw_notes(check)
    if assumed:
        st.caption(
            f":material/info: No column gives the segment type. Muster treats everything except hotels as "
            f"{names(assumed)}. If that is wrong, add a column “Segment type” with Flight, Hotel, Train, or Car."
        )
    if not run.is_complete:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f":material/info: Muster checked a sample of {run.checked_count:,} of "
                f"{count(len(run.trips), 'trip', 'trips')}. The places and problems below are from that sample."
            )
            st.button(
                f"Check all {len(run.trips):,} trips",
                key=f"{KEY}-whole",
                icon=":material/calculate:",
                on_click=partial(_CHECKS_ALL.set, state),
            )
    if run.locations:
        locations = count(run.locations, "expected location", "expected locations")
        of_all = "" if run.placed_count == run.locations else f"{run.placed_count:,} of "
        with st.expander(f"{of_all}{locations} on the map", icon=":material/map:", key=f"{KEY}-map-shown"):
            if run.places.empty:
                st.caption("None of these places has coordinates or an airport.")
            else:
                shapes_map(run.place_shapes, key=f"{KEY}-map", height=420)
    with st.expander(f"Trips · {_findings_line(run)}", icon=":material/checklist:", key=f"{KEY}-trips-shown"):
        record_table(
            run.with_kind(_select_rule(run.kinds)),
            {
                "locator": "Record locator",
                "effect": "Effect",
                "travelers": numbers("Travelers"),
                "segments": numbers("Segments"),
                "locations": numbers("Expected locations"),
                "problems": "Problems",
            },
            f"{KEY}-trips",
            id_column="id",
            selection=None,
            noun=("trip", "trips"),
        )


def _draw_notes(check: Check) -> None:
    """Draw how cells are read that may be read otherwise, with a link to their rows."""
    text = describe_notes(check)
    if text:
        rows = list_note_rows(check)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(plain(text), icon=":material/info:")
            st.button(
                f"Show {count(len(rows), 'row', 'rows')} with notes",
                key=f"{KEY}-notes",
                icon=":material/filter_alt:",
                on_click=partial(focus_rows, check, KEY, text, rows),
            )


def _draw_remarks(workspace: Workspace, check: Check, remarks: Sequence[Remark]) -> None:
    """Draw how the file compares with earlier trips and files, with links to the rows and to the missing trips."""
    if not remarks:
        return
    st.header("Compared with earlier trips and files", anchor=False)
    st.markdown(plain(" ".join(remark.text for remark in remarks)))
    with st.container(horizontal=True):
        for number, remark in enumerate(remarks):
            if remark.rows:
                st.button(
                    f"Show {count(len(remark.rows), 'row', 'rows')}: {remark.link}",
                    key=f"{KEY}-remark-{number}",
                    icon=":material/filter_alt:",
                    on_click=partial(focus_rows, check, KEY, remark.text, remark.rows),
                )
            elif remark.missing_locators and st.button(
                f"Check {count(len(remark.missing_locators), 'missing trip', 'missing trips')}",
                key=f"{KEY}-remark-{number}",
                icon=":material/event_busy:",
            ):
                text = "\n".join(("Record locator", *remark.missing_locators))
                name = f"Missing from {check.source.name}"
                if replace_file(CANCEL_KEY, Check.of(TRIPS_TO_CANCEL, name, text), workspace):
                    go_to(CANCEL_TRIPS)


def _describe_limits(history: SendHistory, check: Check) -> str:
    """Return how many trips have no expected locations, if all trips were checked."""
    cached = _RUN.get()
    if cached is None or cached[0] != (
        (check, check.version, history),
        _CHECKS_ALL.get() == (check, check.version, history),
    ):
        return ""
    run = cached[1]
    if not run.is_complete or not run.unreached_count:
        return ""
    return f"{run.unreached_count:,} without expected locations"


def _findings_line(run: DryRun) -> str:
    number = len(run.findings)
    if not number:
        return "no problems"
    return (
        f"{number:,} with problems, {run.error_count:,} with errors" if run.error_count else f"{number:,} with problems"
    )


def _select_rule(kinds: Mapping[str, int]) -> str | None:
    """Draw the rules with findings, and return the selected rule, or None for all."""
    if not kinds:
        return None
    offered = list(kinds)
    if len(kinds) > KINDS_SHOWN and not st.toggle(f"Show all {len(kinds)} types of problems", key=f"{KEY}-kinds-all"):
        offered = offered[:KINDS_SHOWN]
    picked: str | None = st.pills(
        "Problems",
        offered,
        format_func=lambda rule: f"{KINDS[rule]} · {kinds[rule]:,}",
        key=f"{KEY}-kind",
    )
    return picked if picked in offered else None


def _trips_line(run: DryRun) -> str:
    labels: dict[TripEffect, str] = {
        "new": "new",
        "sent before": "will replace earlier trips",
        "canceled": "to cancel",
    }
    parts = [f"{run.effects[name]:,} {message}" for name, message in labels.items() if run.effects.get(name)]
    return " · ".join([count(len(run.trips), "trip", "trips"), *parts])


def _batches_line(run: DryRun) -> str:
    small, large = (count(each, "batch", "batches") for each in (run.batches_with_contacts, run.batches))
    contacts = f"Up to {count(run.contacts, 'contact', 'contacts')} will be created, in {small} of up to 50 trips."
    if not run.batches_with_contacts:
        return (
            f"No contacts will be created. Muster will send the trips in {large} of up to 1,000." if run.batches else ""
        )
    return f"{contacts} Muster will send the other trips in {large} of up to 1,000." if run.batches else contacts
