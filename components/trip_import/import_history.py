"""The imports of the organization: which file, by whom, when, and what came of it, of the screen and of the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.intake.intake_screen import JOB_STATES, sent_field
from components.records.declared import Listed, Records, Tell, Whole, numbers, text, times
from components.shell.navigation import link_to
from components.shell.screens import TRIP_IMPORT
from components.trip_import.import_screen import KEY
from components.trip_import.trip_intake import TRIPS
from components.widgets.number_text import count

if TYPE_CHECKING:
    from components.records.declared import Found
    from components.shell.workspace import Workspace
    from journal import Job

MOST: Final = 5_000


def _read(workspace: Workspace, _: Tell) -> Listed[Job]:
    return Listed(workspace.journal.ledger.jobs(workspace.actor, TRIPS.kind, at_most=MOST))


def _answer(_: Workspace, found: Found[Job]) -> str:
    jobs: Sequence[Job] = found.listed.records
    added = sum(job.counts.get("done", 0) for job in jobs)
    files = len({job.digest for job in jobs})
    imports, trips = count(len(jobs), "import", "imports"), count(added, "trip", "trips")
    return f"{imports} of {count(files, 'file', 'files')} · {trips} added"


def _detail(_: Workspace, job: Job) -> None:
    if job.digest:
        st.caption("SHA-256 of the file")
        st.code(job.digest, language=None, wrap_lines=True)
    else:
        st.caption("It was written on the screen, and is in no file.")
    link_to(TRIP_IMPORT, "Open its results", **{sent_field(KEY).name: str(job.id)})


IMPORTS: Final = Records(
    key="imports",
    title="Imports",
    noun=("import", "imports"),
    read=Whole(_read, search=("file", "by", "digest"), hint="Part of its file's name, who, or a hash", good_for=None),
    identity=lambda job: str(job.id),
    name=lambda job: job.name,
    columns={
        "file": text("File", lambda job: job.name),
        "at": times("Sent", lambda job: job.created_at),
        "by": text("By", lambda job: job.created_by),
        "state": text("State", lambda job: JOB_STATES[job.state]),
        "added": numbers("Added", lambda job: job.counts.get("done", 0)),
        "refused": numbers("Refused", lambda job: job.counts.get("failed", 0)),
        "unknown": numbers("Unknown", lambda job: job.counts.get("unknown", 0)),
        "digest": text("SHA-256", lambda job: job.digest[:12]),
    },
    picked_in="import",
    detail=_detail,
    shown_id=lambda _: None,
    missing="This organization has no import {id}.",
    pick="Pick an import to see the hash of its file and to open its results.",
    answer=_answer,
    empty="Nothing was imported yet. Files that are sent on the Import screen, or by the command at night, stand here.",
)
