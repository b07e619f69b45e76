"""Drawing a whole import: the file, its rows, the jobs, and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import pandas as pd
import streamlit as st

from components.file_import.steps import current_file, draw_steps, remove_file, replace_file
from components.record_list.record_table import page_table, pager
from components.shell.address import AddressField, in_address, optional_field
from components.shell.background_changes import is_under_way, start_change
from components.shell.confirm import confirm_dialog
from components.shell.job_progress import Progress, job_progress
from components.shell.notices import show_failure, show_success
from components.shell.session import while_signed_in
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from components.widgets.status_badge import status_markdown
from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import ITEM_STATUSES, JOBS, build_result_frame, format_progress, format_reasons
from domain.file_import.row_sending import MAX_NAMES, Sending
from domain.runtime.calls import End
from domain.runtime.problems import explain
from domain.runtime.workspace import Workspace
from domain.tables import status
from domain.tables.status import Status
from domain.tables.table_pages import PAGE_SIZE, normalize_columns
from domain.text.plain_text import count, id_in, isolated, names, plain, quoted_id
from domain.text.time_text import moment
from journal import Item, ItemState, Job, JournalError

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

UndoneNotes = Callable[[Sequence[Job]], Mapping[int, str]]
"""Returns notes about later changes of jobs by job ID, such as that a job was undone."""
CHANGED_SINCE: Final = (
    "Nothing was sent. The rows changed while the dialog was open, for example in another tab. Check the rows and "
    "try again."
)
MOST_BATCHES: Final = 5
_MOST_READ: Final = 2_000
"""At most this many Unknown rows are read for their reasons."""
_MOST_REASONS: Final = 3
_NOT_DONE: Final[tuple[ItemState, ...]] = ("failed", "not sent")
_BEGUN: Final = StateKey[dict[str, int]]("file-import.jobs-started", dict)
"""The number of jobs started in this tab."""
_JOB_STATUSES: Final[dict[str, Status]] = {
    "running": status.SENDING,
    "paused": status.PAUSED,
    "stopped": status.STOPPED,
    "done": status.SENT,
    "cut off": status.INTERRUPTED,
}


def draw_import(
    workspace: Workspace,
    declaration: ImportDeclaration,
    *,
    key: str,
    preview: Callable[[Check], None] | None = None,
    draw_actions: Callable[[Job], None] | None = None,
    undone_notes: UndoneNotes = lambda _: {},
    sending_limits: Callable[[Check], str] = lambda _: "",
) -> None:
    """Draw the steps, the send button, and the jobs of the organization.

    `preview` draws the rows before they are sent, and `after` the actions for a job. `since` returns notes about later
    changes of jobs. `limits` returns what sending does not do, for the label of the button: "1 without
    expected locations".
    """
    sending = declaration.sending
    if sending is None:
        raise ValueError(f"{declaration.kind} declares no sending")
    order = arrange(workspace, declaration, key=key)
    with order.steps:
        check = draw_steps(workspace, declaration, key=key, is_folded=order.is_folded)
        if check is not None:
            if preview is not None:
                preview(check)
            _send_step(workspace, check, sending, key, undone_notes, sending_limits(check))
    with order.jobs:
        draw_jobs(workspace, declaration, key=key, draw_actions=draw_actions, undone_notes=undone_notes)


class Layout(NamedTuple):
    """The containers of the steps and the jobs, and whether the file field is folded."""

    steps: DeltaGenerator
    jobs: DeltaGenerator
    is_folded: bool


def arrange(workspace: Workspace, declaration: ImportDeclaration, *, key: str) -> Layout:
    """Put the jobs first if one is running, was started in this tab, or is in the address.

    Unsent rows of a sent file are below the jobs. A file that was not sent is above.
    """
    check, field, is_followed = current_file(key, workspace), sent_field(key), _is_job_first(key)
    if check is not None and check.decisions.job_of_row and not (check.is_ready | check.with_errors).any():
        # Done when drawing, not when sending, because another tab may have sent the file.
        remove_file(key, workspace)
        if field.get() != str(check.job_id) and check.job_id is not None:
            show_job(key, check.job_id)
        check = None
        is_followed.set(True)
    if check is not None:
        is_followed.set(bool(check.decisions.job_of_row))
    elif not is_followed.get():
        is_in_url = field.name in st.query_params and _choice(key).name not in st.session_state
        latest = workspace.journal.ledger.jobs(workspace.actor, declaration.kind, at_most=1)
        is_followed.set(is_in_url or any(job.is_owned for job in latest))
    above, below = st.container(), st.container()
    has_unsent_rows = check is not None and is_followed.get()
    if has_unsent_rows:
        below.header("Unsent rows", anchor=False)
    return Layout(
        below if has_unsent_rows else above, above if has_unsent_rows else below, check is None and is_followed.get()
    )


def show_job(key: str, job_id: int) -> None:
    """Show a job that was started, above the file field."""
    sent_field(key).set(str(job_id))
    _is_job_first(key).set(True)
    # A new widget, because the browser may still send the selection of the old one.
    _BEGUN.get()[key] = _BEGUN.get().get(key, 0) + 1


def _choice(key: str) -> StateKey[str]:
    return StateKey(f"{key}-what-was-sent-{_BEGUN.get().get(key, 0)}", str)


def _is_job_first(key: str) -> StateKey[bool]:
    return StateKey(f"{key}-followed", bool)


def _send_step(
    workspace: Workspace, check: Check, sending: Sending, key: str, undone_notes: UndoneNotes, sending_limits: str
) -> None:
    number = check.ready_count
    problem = StateKey[tuple[Check | None, str]](f"{key}-send-problem", lambda: (None, ""))

    decisions, version = check.decisions, check.version
    is_whole = not (decisions.origin or decisions.job_of_row or decisions.reopened_rows)
    ledger, kind = workspace.journal.ledger, check.declaration.kind
    jobs = ledger.same_file(workspace.actor, kind, check.source.digest) if is_whole else []

    def send() -> None:
        if not check.is_ready.any():  # the second click of two, or sent in another tab
            if check.job_id is not None:
                show_job(key, check.job_id)
            return
        problem.clear()
        if confirmation and check.version != version:
            problem.set((check, CHANGED_SINCE))
            return
        # If the person leaves now and returns, the latest job is shown, not the one from before.
        sent_field(key).clear()
        st.query_params.pop(sent_field(key).name, None)
        try:
            job_id = JOBS.begin(workspace, check, known_jobs=[job.id for job in jobs] if is_whole else None)
        except JournalError as error:
            problem.set((check, f"Nothing was sent. {error}"))
            return
        show_job(key, job_id)

    notes = undone_notes(jobs)
    for job in jobs:
        message = _describe_job(workspace, job, sending, notes.get(job.id))
        st.warning(f"This file was sent before: {plain(message)}.", icon=":material/history:")
    label = check.describe_sending(sending)
    full_label = f"{label} · {sending_limits}" if sending_limits and number else label
    confirmation = (
        [plain(line) for line in sending.confirmation_lines(check.ready, workspace)]
        if sending.confirmation_lines is not None and number
        else []
    )
    if not confirmation:
        on_click = while_signed_in(send)
        st.button(
            full_label,
            key=f"{key}-send",
            type="primary",
            icon=":material/send:",
            disabled=not number,
            on_click=on_click,
        )
    elif st.button(f":red[{full_label}]", key=f"{key}-send", icon=":material/warning:"):
        lines = [*confirmation, *check.describe_unready(), sending.last_line]
        confirm_dialog(f"{label}?", lines, label, send, key=f"{key}-send-dialog", icon=":material/warning:")
    problem_check, message = problem.get()
    if problem_check is check:
        st.error(plain(message), icon=":material/error:")


def draw_jobs(
    workspace: Workspace,
    declaration: ImportDeclaration,
    *,
    key: str,
    draw_actions: Callable[[Job], None] | None = None,
    undone_notes: UndoneNotes = lambda _: {},
) -> None:
    """Draw the selected job, or the job in the address, or the latest, with a list of the others."""
    ledger, sending = workspace.journal.ledger, declaration.sending
    jobs = ledger.jobs(workspace.actor, declaration.kind)
    if sending is None:
        return
    field, choice = sent_field(key), _choice(key)

    def choose() -> None:
        # The browser may still send a choice of an earlier list of options.
        if choice.name == _choice(key).name and choice.get() in by_id:
            field.set(choice.get())

    with in_address(field):
        selected_id, by_id = field.get(), {str(job.id): job for job in jobs}
        if selected_id is not None and selected_id not in by_id:
            job_in_url = ledger.job(workspace.actor, id_in(selected_id) or 0)
            if job_in_url is None or job_in_url.kind != declaration.kind:
                message = f"There is no sent file with the ID {plain(quoted_id(selected_id))}."
                st.warning(message, icon=":material/search_off:")
                selected_id = None
            else:
                selected_id, jobs = str(job_in_url.id), [*jobs, job_in_url]
                by_id[selected_id] = job_in_url
        if not jobs:
            return
        notes = undone_notes(jobs)
        default = next((job for job in jobs if job.counts.get("unknown") and not job.is_owned), jobs[0])
        selected = selected_id if selected_id is not None else str(default.id)
        field.set(selected)
        # Set each time, because the browser keeps the label that the option had when it was selected.
        choice.set(selected)
        st.selectbox(
            "Sent files",
            list(by_id),
            format_func=lambda job_id: _describe_job(workspace, by_id[job_id], sending, notes.get(int(job_id))),
            key=choice.widget_key,
            on_change=choose,
        )
    job = by_id[selected]
    _draw_job(workspace, declaration, sending, job, notes.get(job.id), key=f"{key}-job-{selected}", steps_key=key)
    if draw_actions is not None:
        draw_actions(job)
    if job.is_owned:
        st.caption("The status of each row appears when the job ends or pauses.")
    else:
        _draw_results(workspace, declaration, job, key=f"{key}-job-{selected}")


def _draw_job(
    workspace: Workspace,
    declaration: ImportDeclaration,
    sending: Sending,
    job: Job,
    note: str | None,
    *,
    key: str,
    steps_key: str,
) -> None:
    if job.state == "cut off" and sending.reconcile is not None and not job.counts.get("waiting"):
        # Only reconciling is left, which sends nothing.
        JOBS.resume(workspace, declaration, job.id)
        job = workspace.journal.ledger.job(workspace.actor, job.id) or job
    ending = {"paused": status.PAUSING, "stopped": status.STOPPING}.get(job.state) if job.is_owned else None
    badge = status_markdown(ending or job_status(job))
    counted = "" if job.is_owned else f" · {plain(_describe_counts(workspace, job, sending))}"
    st.markdown(f"{badge}{f' **{plain(note)}**' if note else ''}{counted}")
    if job.digest:
        st.caption(f"{plain(job.name)} · SHA-256 {job.digest}")
    if job.message:
        st.warning(plain(job.message), icon=":material/pause_circle:")
    if job.is_owned:
        job_progress(
            partial(_progress, workspace, job.id, job.state),
            key=key,
            on_pause=partial(JOBS.request_state, workspace, job.id, "paused") if job.state == "running" else None,
            on_stop=None if job.state == "stopped" else partial(JOBS.request_state, workspace, job.id, "stopped"),
        )
    _draw_actions(workspace, declaration, sending, job, key, steps_key)


def _draw_actions(
    workspace: Workspace, declaration: ImportDeclaration, sending: Sending, job: Job, key: str, steps_key: str
) -> None:
    unknown, failed_count = job.counts.get("unknown", 0), sum(job.counts.get(each, 0) for each in _NOT_DONE)
    reconciled_count = StateKey[int | None](f"{key}-looked", lambda: None)
    is_reconciling = is_under_way(workspace, f"{job.kind}.look", str(job.id))
    batches: list[list[Item]] = []
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.state in ("paused", "cut off") and not (job.state == "paused" and job.is_owned):
            resume = while_signed_in(partial(JOBS.resume, workspace, declaration, job.id))
            st.button("Resume", key=f"{key}-resume", icon=":material/play_circle:", type="primary", on_click=resume)
            stop = partial(JOBS.request_state, workspace, job.id, "stopped")
            st.button("Stop", key=f"{key}-end", icon=":material/stop_circle:", on_click=stop)
        if unknown and sending.reconcile is not None:
            reconcile = partial(
                _run_reconcile,
                workspace,
                job,
                partial(JOBS.reconcile, workspace, declaration, job.id),
                reconciled_count,
            )
            icon = ":material/search:"
            st.button(
                f"Check {count(unknown, *declaration.noun)}",
                key=f"{key}-look",
                icon=icon,
                disabled=is_reconciling,
                on_click=reconcile,
            )
        if unknown and (sending.reconcile is None or reconciled_count.get() == unknown):
            batches = _batches(workspace.journal.ledger.items(job.id, ["unknown"]))
        if failed_count:
            retry = while_signed_in(partial(JOBS.resume, workspace, declaration, job.id, retry=True))
            st.button(
                f"Retry {count(failed_count, *declaration.noun)}",
                key=f"{key}-retry",
                icon=":material/replay:",
                on_click=retry,
            )
            if st.button(f"Fix {count(failed_count, *declaration.noun)}", key=f"{key}-fix", icon=":material/build:"):
                failed_items = workspace.journal.ledger.items(job.id, _NOT_DONE)
                current = current_file(steps_key, workspace)
                if current is not None and current.restore_failed(job.id, failed_items):
                    st.rerun()
                if replace_file(steps_key, Check.of_failed(declaration, job, failed_items), workspace):
                    st.rerun()
    if unknown:
        st.caption(
            f":material/help: {count(unknown, *declaration.noun)} {'has' if unknown == 1 else 'have'} status Unknown. "
            f"Muster will not resend {'it' if unknown == 1 else 'them'} until you check."
        )
        for reason in _unknown_reasons(workspace, declaration, job):
            st.caption(plain(reason))
    for number, batch in enumerate(batches[:MOST_BATCHES]):
        _draw_status_buttons(
            workspace,
            declaration,
            job,
            batch,
            reconciled_count,
            f"{key}-say{f'-{number}' if number else ''}",
            is_reconciling,
        )
    if len(batches) > MOST_BATCHES:
        st.caption(f"{count(len(batches) - MOST_BATCHES, 'more batch', 'more batches')} to check after these.")
    if is_reconciling:
        job_progress(
            partial(_reconcile_progress, workspace, job), key=f"{key}-checked", meaning="You can leave this page."
        )
    elif unknown and sending.reconcile is not None and reconciled_count.get() == unknown:
        st.caption(
            f"The service does not show the status of {count(unknown, *declaration.noun)}. "
            "Check again, or set the status."
        )


def _unknown_reasons(workspace: Workspace, declaration: ImportDeclaration, job: Job) -> list[str]:
    """Return how many of the first Unknown rows have each reason, the most common first."""
    labels = {column.name: column.label for column in declaration.columns}
    unknown = workspace.journal.ledger.items(job.id, ["unknown"], at_most=_MOST_READ)
    reasons = Counter(filter(None, (format_reasons(item, labels) for item in unknown)))
    return [f"{count(number, *declaration.noun)}: {reason}" for reason, number in reasons.most_common(_MOST_REASONS)]


def _batches(unknown: Sequence[Item]) -> list[list[Item]]:
    """Return the items of each call whose response was lost. A person sets the status per call."""
    found: dict[datetime | None, list[Item]] = {}
    for item in unknown:
        found.setdefault(item.at, []).append(item)
    return list(found.values())


def _draw_status_buttons(
    workspace: Workspace,
    declaration: ImportDeclaration,
    job: Job,
    batch: Sequence[Item],
    reconciled_count: StateKey[int | None],
    key: str,
    is_reconciling: bool,
) -> None:
    """Draw the buttons that set the status of one call, with the names of its records."""
    positions = {item.position for item in batch}
    with st.container(horizontal=True, vertical_alignment="center"):
        sent = f" at {batch[0].at:%H:%M:%S} UTC" if batch[0].at is not None else ""
        named = names([item.label for item in batch], at_most=MAX_NAMES)
        st.markdown(f"{count(len(batch), *declaration.noun)} sent{sent}: {plain(named)}", width="content")
        for is_done, message in ((True, "Mark as sent"), (False, "Mark as not sent")):
            work = partial(JOBS.set_status, workspace, job.id, is_done=is_done, positions=positions)
            set_status = partial(_run_reconcile, workspace, job, work, reconciled_count)
            st.button(message, key=f"{key}-{is_done}", disabled=is_reconciling, on_click=set_status)


def _draw_results(workspace: Workspace, declaration: ImportDeclaration, job: Job, key: str) -> None:
    ledger = workspace.journal.ledger
    there = [state for state in ITEM_STATUSES if job.counts.get(state)]
    state: ItemState | None = st.segmented_control(
        "Show",
        there,
        format_func=lambda state: f"{ITEM_STATUSES[state]} {job.counts[state]:,}",
        key=f"{key}-state",
        label_visibility="collapsed",
        persist_state="session",
    )
    states = [state] if state in there else []
    total = sum(job.counts.get(each, 0) for each in (states or there))
    place = st.container()
    bounds = pager(total, key=f"{key}-items-page", noun=declaration.noun)
    labels = {column.name: column.label for column in declaration.columns}
    items = _item_frame(ledger.items(job.id, states, start=bounds.start, at_most=PAGE_SIZE), labels)
    columns = {
        "rows": "Row",
        "label": declaration.noun[0].capitalize(),
        "state": "Status",
        "id": "ID",
        "reason": "Reason",
    }
    with place:
        page_table(
            items,
            normalize_columns({name: label for name, label in columns.items() if items[name].any()}),
            f"{key}-items",
            sortable=(),
            id_column="position",
            selection=None,
            noun=declaration.noun,
            has_cards=True,
        )
    undone: tuple[ItemState, ...] = ("failed", "not sent", "unknown", "waiting")
    bad = [each for each in undone if job.counts.get(each)]
    downloads = st.container(horizontal=True)
    if bad:
        with downloads:
            download_menu(
                lambda: build_result_frame(declaration, job, ledger.items(job.id, bad)),
                f"{job.kind}-not-done",
                f"{key}-bad",
                label="Download failed rows",
            )
    with downloads:
        download_menu(
            lambda: build_result_frame(declaration, job, ledger.items(job.id)),
            f"{job.kind}-outcomes",
            f"{key}-all",
            label="Download all rows",
        )


def _item_frame(items: Sequence[Item], labels: dict[str, str]) -> pd.DataFrame:
    rows = [
        {
            "position": str(item.position),
            "rows": ", ".join(str(number) for number, _ in item.rows),
            "label": item.label,
            "state": ITEM_STATUSES[item.status.state],
            "id": item.status.result_id or "",
            "reason": format_reasons(item, labels),
        }
        for item in items
    ]
    # Of objects: as text, a status would lose its icon and color.
    return pd.DataFrame(rows, columns=["position", "rows", "label", "state", "id", "reason"], dtype=object)


def _progress(workspace: Workspace, job_id: int, state: str) -> Progress:
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    if job is None:
        return Progress(0, 0, "", is_finished=True)
    # A job that was stopped or paused will not retry.
    waits_for = JOBS.status_message(job_id) if job.state == "running" else "Muster is finishing the current calls."
    message = f"{format_progress(job, datetime.now(UTC))} {waits_for}".rstrip()
    return Progress(job.total, job.settled, message, not job.is_owned or job.state != state)


def _reconcile_progress(workspace: Workspace, job: Job) -> Progress:
    checked, total = JOBS.count_checked(job.id)
    is_over = not is_under_way(workspace, f"{job.kind}.look", str(job.id))
    total = total or job.counts.get("unknown", 0)
    return Progress(total, checked, f"Checked {checked:,} of {total:,}.", is_over)


def _run_reconcile(workspace: Workspace, job: Job, work: partial[int], reconciled_count: StateKey[int | None]) -> None:
    def finish(end: End) -> None:
        if end.error is not None:
            show_failure(f"{job.name}: {explain(end.error).text}")
        else:
            reconciled_count.set(job.counts.get("unknown", 0) - end.value)
            show_success(f"Status updated for {end.value:,}")

    start_change(workspace, f"{job.kind}.look", str(job.id), work, label=job.name, then=finish)


def job_status(job: Job) -> Status:
    """Return the status of a job. A job is Sent only if all its rows are."""
    if job.state != "done":
        return _JOB_STATUSES[job.state]
    ends: dict[ItemState, Status] = {"unknown": status.UNKNOWN, "failed": status.FAILED, "not sent": status.NOT_SENT}
    found = [each for state, each in ends.items() if job.counts.get(state)]
    if not found:
        return status.SENT
    return status.PARTLY_SENT if job.counts.get("done") or len(found) > 1 else found[0]


def _describe_job(workspace: Workspace, job: Job, sending: Sending, note: str | None) -> str:
    began = moment(job.created_at, now=datetime.now(UTC))
    # Counts that change every second are shown only where they are refreshed.
    message = "sending" if job.is_owned else _describe_counts(workspace, job, sending)
    return " · ".join([isolated(job.name), began, job.created_by, f"no. {job.id}", message, *filter(None, [note])])


def _describe_counts(workspace: Workspace, job: Job, sending: Sending) -> str:
    parts = sending.describe_done(job, workspace.journal.ledger_history)
    others: tuple[ItemState, ...] = ("failed", "not sent", "unknown", "waiting")
    parts += [f"{job.counts[state]:,} {state}" for state in others if job.counts.get(state)]
    if job.counts.get("replaced"):
        parts.append(f"{job.counts['replaced']:,} resent")
    return " · ".join(parts) or "nothing to send"


def sent_field(key: str) -> AddressField[str | None]:
    """Return the field of the address with the ID of the job."""
    return optional_field(f"{key}-sent")
