"""The imports of the organization, from the screen and from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.import_view import job_status, sent_field
from components.record_list.declaration import AllRecords, NewAction, RecordList, numbers, statuses, text, times
from components.shell.address import go_to, link_to
from components.trips.trip_import.import_screen import KEY
from components.trips.trip_import.leftover_list import draw_leftovers
from components.widgets.status_badge import draw_status
from domain.file_import.job_undo import UndoSummary
from domain.runtime.screens import TRIP_IMPORT
from domain.tables.loaded_records import LoadedRecords, ReportProgress
from domain.tables.status import Status
from domain.text.plain_text import count, plain
from domain.trips.trip_import.trip_declaration import TRIPS
from domain.trips.trip_import.undoing import count_canceled_by_file, summarize_undone

if TYPE_CHECKING:
    from components.record_list.declaration import ListResult
    from domain.runtime.workspace import Workspace
    from journal import Job

MOST: Final = 5_000


@dataclass(frozen=True)
class Import:
    """An import, the number of trips that its file canceled, and what was undone."""

    job: Job
    canceled: int
    undo: UndoSummary | None

    @property
    def status(self) -> Status:
        """The status of the import."""
        return job_status(self.job) if self.undo is None else Status(self.undo.state, "undo", "gray")


def _load(workspace: Workspace, _: ReportProgress) -> LoadedRecords[Import]:
    jobs = workspace.journal.ledger.jobs(workspace.actor, TRIPS.kind, at_most=MOST)
    later = summarize_undone(workspace, jobs)
    by_file = count_canceled_by_file(workspace, jobs)
    return LoadedRecords([Import(job, by_file.get(job.id, 0), later.get(job.id)) for job in jobs])


def _summarize(_: Workspace, shown: ListResult[Import]) -> str:
    imports: Sequence[Import] = shown.loaded.records
    if not imports:
        return count(0, "import", "imports")
    canceled = sum(each.canceled for each in imports)
    added = sum(each.job.counts.get("done", 0) for each in imports) - canceled
    undone = sum(each.undo.undone_count for each in imports if each.undo is not None)
    files = len({each.job.digest for each in imports})
    text = f"{count(len(imports), 'import', 'imports')} of {count(files, 'file', 'files')}"
    text += f" · {count(added, 'trip', 'trips')} added"
    text += f" · {canceled:,} canceled" if canceled else ""
    return f"{text} · {undone:,} undone" if undone else text


def _detail(_: Workspace, each: Import) -> None:
    job = each.job
    draw_status(each.status)
    if each.undo is not None:
        st.info(f"{plain(each.undo.summary)}.", icon=":material/undo:")
    elif job.state == "cut off":
        st.warning("Muster stopped during this import. Open the results to continue.", icon=":material/power_off:")
    if job.digest:
        st.caption("SHA-256 of the file")
        st.code(job.digest, language=None, wrap_lines=True)
    else:
        st.caption("These trips were typed or pasted, not read from a file.")


IMPORTS: Final = RecordList(
    key="imports",
    noun=("import", "imports"),
    source=AllRecords(_load, search=("file", "by", "digest"), search_hint="File, person, or SHA-256", max_age=None),
    identity=lambda each: str(each.job.id),
    name=lambda each: each.job.name,
    columns={
        "file": text("File", lambda each: each.job.name),
        "at": times("Sent", lambda each: each.job.created_at),
        "by": text("By", lambda each: each.job.created_by),
        "state": statuses("Status", lambda each: each.status),
        "added": numbers("Rows sent", lambda each: each.job.counts.get("done", 0)),
        "refused": numbers("Failed", lambda each: each.job.counts.get("failed", 0)),
        "unknown": numbers("Unknown", lambda each: each.job.counts.get("unknown", 0)),
        "digest": text("SHA-256", lambda each: each.job.digest).in_files_only(),
    },
    url_parameter="import",
    draw_detail=_detail,
    displayed_id=lambda _: None,
    missing_message="This organization has no import {id}.",
    icon="upload_file",
    draw_buttons=lambda _, each: link_to(TRIP_IMPORT, "Open results", **{sent_field(KEY).name: str(each.job.id)}),
    summarize=_summarize,
    draw_above_list=lambda workspace, _: draw_leftovers(workspace),
    empty_message="No trips have been imported yet.",
    new=NewAction("Import trips", open=lambda _: go_to(TRIP_IMPORT)),
)
