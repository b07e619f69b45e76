"""Drawing a whole import: the file, its rows, the jobs, and their results."""

from __future__ import annotations

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
from components.shell.notices import show_failure, show_success
from components.shell.session import while_signed_in
from components.shell.state import StateKey
from components.widgets.downloads import download_menu
from components.widgets.job_progress import Progress, job_progress
from components.widgets.status_badge import status_markdown
from domain.file_import.checking import Check
from domain.file_import.import_declaration import Intake
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
_NOT_DONE: Final[tuple[ItemState, ...]] = ("failed", "not sent")
_BEGUN: Final = StateKey[dict[str, int]]("intake.begun", dict)
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
    intake: Intake,
    *,
    key: str,
    preview: Callable[[Check], None] | None = None,
    after: Callable[[Job], None] | None = None,
    since: UndoneNotes = lambda _: {},
    limits: Callable[[Check], str] = lambda _: "",
) -> None:
    """Draw the steps, the send button, and the jobs of the organization.

    `preview` draws the rows before they are sent, and `after` the actions for a job. `since` returns notes about later
    changes of jobs. `limits` returns what sending does not do, for the label of the button: "1 reaches no one".
    """
    sending = intake.sending
    if sending is None:
        raise ValueError(f"{intake.kind} declares no sending")
    order = arrange(workspace, intake, key=key)
    with order.steps:
        check = draw_steps(workspace, intake, key=key, is_folded=order.is_folded)
        if check is not None:
            if preview is not None:
                preview(check)
            _send_step(workspace, check, sending, key, since, limits(check))
    with order.jobs:
        draw_jobs(workspace, intake, key=key, after=after, since=since)


class Layout(NamedTuple):
    """The containers of the steps and the jobs, and whether the file field is folded."""

    steps: DeltaGenerator
    jobs: DeltaGenerator
    is_folded: bool


def arrange(workspace: Workspace, intake: Intake, *, key: str) -> Layout:
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
        is_led = field.name in st.query_params and _choice(key).name not in st.session_state
        latest = workspace.journal.ledger.jobs(workspace.actor, intake.kind, at_most=1)
        is_followed.set(is_led or any(job.is_owned for job in latest))
    above, below = st.container(), st.container()
    is_left = check is not None and is_followed.get()
    if is_left:
        below.header("Unsent rows", anchor=False)
    return Layout(below if is_left else above, above if is_left else below, check is None and is_followed.get())


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


def _send_step(workspace: Workspace, check: Check, sending: Sending, key: str, since: UndoneNotes, limits: str) -> None:
    number = check.ready_count
    problem = StateKey[tuple[Check | None, str]](f"{key}-send-problem", lambda: (None, ""))

    decisions, version = check.decisions, check.version
    is_whole = not (decisions.origin or decisions.job_of_row or decisions.returned)
    ledger, kind = workspace.journal.ledger, check.intake.kind
    jobs = ledger.same_file(workspace.actor, kind, check.source.digest) if is_whole else []

    def send() -> None:
        if not check.is_ready.any():  # the second click of two, or sent in another tab
            if check.job_id is not None:
                show_job(key, check.job_id)
            return
        problem.clear()
        if asked and check.version != version:
            problem.set((check, CHANGED_SINCE))
            return
        # Whoever leaves before the job is there and comes back is shown the latest, and not the one from before.
        sent_field(key).clear()
        st.query_params.pop(sent_field(key).name, None)
        try:
            job_id = JOBS.begin(workspace, check, known_jobs=[job.id for job in jobs] if is_whole else None)
        except JournalError as error:
            problem.set((check, f"Nothing was sent. {error}"))
            return
        show_job(key, job_id)

    later = since(jobs)
    for job in jobs:
        words = _describe_job(workspace, job, sending, later.get(job.id))
        st.warning(f"This file was sent before: {plain(words)}.", icon=":material/history:")
    what = check.describe_sending(sending)
    label = f"{what} · {limits}" if limits and number else what
    asked = (
        [plain(line) for line in sending.confirmation_lines(check.ready, workspace)]
        if sending.confirmation_lines is not None and number
        else []
    )
    if not asked:
        press = while_signed_in(send)
        st.button(label, key=f"{key}-send", type="primary", icon=":material/send:", disabled=not number, on_click=press)
    elif st.button(f":red[{label}]", key=f"{key}-send", icon=":material/warning:"):
        lines = [*asked, sending.last_line]
        confirm_dialog(f"{what}?", lines, what, send, key=f"{key}-send-dialog", icon=":material/warning:")
    of, words = problem.get()
    if of is check:
        st.error(plain(words), icon=":material/error:")


def draw_jobs(
    workspace: Workspace,
    intake: Intake,
    *,
    key: str,
    after: Callable[[Job], None] | None = None,
    since: UndoneNotes = lambda _: {},
) -> None:
    """Draw the selected job, or the job in the address, or the latest, with a list of the others."""
    ledger, sending = workspace.journal.ledger, intake.sending
    jobs = ledger.jobs(workspace.actor, intake.kind)
    if sending is None:
        return
    field, choice = sent_field(key), _choice(key)

    def choose() -> None:
        # What a browser calls by the words from before is no choice of a person.
        if choice.name == _choice(key).name and choice.get() in by_id:
            field.set(choice.get())

    with in_address(field):
        held, by_id = field.get(), {str(job.id): job for job in jobs}
        if held is not None and held not in by_id:
            asked = ledger.job(workspace.actor, id_in(held) or 0)
            if asked is None or asked.kind != intake.kind:
                told = f"There is no sent file with the ID {plain(quoted_id(held))}."
                st.warning(told, icon=":material/search_off:")
                held = None
            else:
                held, jobs = str(asked.id), [*jobs, asked]
                by_id[held] = asked
        if not jobs:
            return
        later = since(jobs)
        first = next((job for job in jobs if job.counts.get("unknown") and not job.is_owned), jobs[0])
        picked = held if held is not None else str(first.id)
        field.set(picked)
        # Set anew each time: the browser goes on showing what a choice was called when it was made.
        choice.set(picked)
        st.selectbox(
            "Sent files",
            list(by_id),
            format_func=lambda job_id: _describe_job(workspace, by_id[job_id], sending, later.get(int(job_id))),
            key=choice.widget_key,
            on_change=choose,
        )
    job = by_id[picked]
    _draw_job(workspace, intake, sending, job, later.get(job.id), key=f"{key}-job-{picked}", steps_key=key)
    if after is not None:
        after(job)
    if job.is_owned:
        st.caption("The status of each row appears once the job ends or pauses.")
    else:
        _draw_results(workspace, intake, job, key=f"{key}-job-{picked}")


def _draw_job(
    workspace: Workspace,
    intake: Intake,
    sending: Sending,
    job: Job,
    later: str | None,
    *,
    key: str,
    steps_key: str,
) -> None:
    if job.state == "cut off" and sending.reconcile is not None and not job.counts.get("waiting"):
        # All that is left is to look, which sends nothing.
        JOBS.resume(workspace, intake, job.id)
        job = workspace.journal.ledger.job(workspace.actor, job.id) or job
    is_pausing = job.state == "paused" and job.is_owned
    badge = status_markdown(status.PAUSING if is_pausing else job_status(job))
    counted = "" if job.is_owned else f" · {plain(_describe_counts(workspace, job, sending))}"
    st.markdown(f"{badge}{f' **{plain(later)}**' if later else ''}{counted}")
    if job.digest:
        st.caption(f"{plain(job.name)} · SHA-256 {job.digest}")
    if job.message:
        st.warning(plain(job.message), icon=":material/pause_circle:")
    if job.is_owned:
        job_progress(
            partial(_progress, workspace, job.id, job.state),
            key=key,
            on_pause=partial(JOBS.request_state, workspace, job.id, "paused") if job.state == "running" else None,
            on_stop=partial(JOBS.request_state, workspace, job.id, "stopped"),
        )
    _draw_actions(workspace, intake, sending, job, key, steps_key)


def _draw_actions(workspace: Workspace, intake: Intake, sending: Sending, job: Job, key: str, steps_key: str) -> None:
    unknown, bad = job.counts.get("unknown", 0), sum(job.counts.get(each, 0) for each in _NOT_DONE)
    looked = StateKey[int | None](f"{key}-looked", lambda: None)
    is_looking = is_under_way(workspace, f"{job.kind}.look", str(job.id))
    batches: list[list[Item]] = []
    with st.container(horizontal=True, vertical_alignment="center"):
        if job.state in ("paused", "cut off") and not (job.state == "paused" and job.is_owned):
            resume = while_signed_in(partial(JOBS.resume, workspace, intake, job.id))
            st.button("Resume", key=f"{key}-resume", icon=":material/play_circle:", type="primary", on_click=resume)
            stop = partial(JOBS.request_state, workspace, job.id, "stopped")
            st.button("Stop", key=f"{key}-end", icon=":material/stop_circle:", on_click=stop)
        if unknown and sending.reconcile is not None:
            look = partial(_run_reconcile, workspace, job, partial(JOBS.reconcile, workspace, intake, job.id), looked)
            icon = ":material/search:"
            st.button(
                f"Check {count(unknown, *intake.noun)}",
                key=f"{key}-look",
                icon=icon,
                disabled=is_looking,
                on_click=look,
            )
        if unknown and (sending.reconcile is None or looked.get() == unknown):
            batches = _batches(workspace.journal.ledger.items(job.id, ["unknown"]))
        if bad:
            retry = while_signed_in(partial(JOBS.resume, workspace, intake, job.id, retry=True))
            st.button(f"Retry {count(bad, *intake.noun)}", key=f"{key}-retry", icon=":material/replay:", on_click=retry)
            if st.button(f"Fix {count(bad, *intake.noun)}", key=f"{key}-mend", icon=":material/build:"):
                failed_items = workspace.journal.ledger.items(job.id, _NOT_DONE)
                held = current_file(steps_key, workspace)
                if held is not None and held.restore_failed(job.id, failed_items):
                    st.rerun()
                if replace_file(steps_key, Check.of_failed(intake, job, failed_items), workspace):
                    st.rerun()
    if unknown:
        st.caption(
            f":material/help: {count(unknown, *intake.noun)} {'has' if unknown == 1 else 'have'} status Unknown. "
            "Muster will not resend them until you check."
        )
    for number, batch in enumerate(batches[:MOST_BATCHES]):
        _draw_status_buttons(
            workspace, intake, job, batch, looked, f"{key}-say{f'-{number}' if number else ''}", is_looking
        )
    if len(batches) > MOST_BATCHES:
        st.caption(f"{count(len(batches) - MOST_BATCHES, 'more batch', 'more batches')} to check after these.")
    if is_looking:
        st.caption(f":material/search: Checking {count(unknown, *intake.noun)}. You can leave this page.")
    elif unknown and sending.reconcile is not None and looked.get() == unknown:
        st.caption(
            f"The service does not show the status of {count(unknown, *intake.noun)}. Check again, or set the status."
        )


def _batches(unknown: Sequence[Item]) -> list[list[Item]]:
    """Return the items of each call whose response was lost. A person sets the status per call."""
    found: dict[datetime | None, list[Item]] = {}
    for item in unknown:
        found.setdefault(item.at, []).append(item)
    return list(found.values())


def _draw_status_buttons(
    workspace: Workspace,
    intake: Intake,
    job: Job,
    batch: Sequence[Item],
    looked: StateKey[int | None],
    key: str,
    is_looking: bool,
) -> None:
    """Draw the buttons that set the status of one call, with the names of its records."""
    positions = {item.position for item in batch}
    with st.container(horizontal=True, vertical_alignment="center"):
        sent = f" at {batch[0].at:%H:%M:%S} UTC" if batch[0].at is not None else ""
        named = names([item.label for item in batch], at_most=MAX_NAMES)
        st.markdown(f"{count(len(batch), *intake.noun)} sent{sent}: {plain(named)}", width="content")
        for is_done, words in ((True, "Mark as done"), (False, "Mark as not done")):
            work = partial(JOBS.set_status, workspace, job.id, is_done=is_done, positions=positions)
            say = partial(_run_reconcile, workspace, job, work, looked)
            st.button(words, key=f"{key}-{is_done}", disabled=is_looking, on_click=say)


def _draw_results(workspace: Workspace, intake: Intake, job: Job, key: str) -> None:
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
    bounds = pager(total, key=f"{key}-items-page", noun=intake.noun)
    labels = {column.name: column.label for column in intake.columns}
    items = _item_frame(ledger.items(job.id, states, start=bounds.start, at_most=PAGE_SIZE), labels)
    columns = {"rows": "Row", "label": intake.noun[0].capitalize(), "state": "Status", "id": "ID", "reason": "Reason"}
    with place:
        page_table(
            items,
            normalize_columns({name: label for name, label in columns.items() if items[name].any()}),
            f"{key}-items",
            sortable=(),
            id_column="position",
            selection=None,
            noun=intake.noun,
            has_cards=True,
        )
    undone: tuple[ItemState, ...] = ("failed", "not sent", "unknown", "waiting")
    bad = [each for each in undone if job.counts.get(each)]
    downloads = st.container(horizontal=True)
    if bad:
        with downloads:
            download_menu(
                lambda: build_result_frame(intake, job, ledger.items(job.id, bad)),
                f"{job.kind}-not-done",
                f"{key}-bad",
                label="Download failed rows",
            )
    with downloads:
        download_menu(
            lambda: build_result_frame(intake, job, ledger.items(job.id)),
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
            "state": ITEM_STATUSES[item.fate.state],
            "id": item.fate.result_id or "",
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
    words = f"{format_progress(job, datetime.now(UTC))} {JOBS.status_message(job_id)}".rstrip()
    return Progress(job.total, job.settled, words, not job.is_owned or job.state != state)


def _run_reconcile(workspace: Workspace, job: Job, work: partial[int], looked: StateKey[int | None]) -> None:
    def told(end: End) -> None:
        if end.error is not None:
            show_failure(f"{job.name}: {explain(end.error).text}")
        else:
            looked.set(job.counts.get("unknown", 0) - end.value)
            show_success(f"Status updated for {end.value:,}")

    start_change(workspace, f"{job.kind}.look", str(job.id), work, label=job.name, then=told)


def job_status(job: Job) -> Status:
    """Return where a job stands; one that has ended is sent only if every row is."""
    if job.state != "done":
        return _JOB_STATUSES[job.state]
    ends: dict[ItemState, Status] = {"unknown": status.UNKNOWN, "failed": status.FAILED, "not sent": status.NOT_SENT}
    wrong = [each for state, each in ends.items() if job.counts.get(state)]
    if not wrong:
        return status.SENT
    return status.PARTLY_SENT if job.counts.get("done") or len(wrong) > 1 else wrong[0]


def _describe_job(workspace: Workspace, job: Job, sending: Sending, later: str | None) -> str:
    began = moment(job.created_at, now=datetime.now(UTC))
    # What grows from moment to moment is told where it is drawn anew by itself.
    words = "sending" if job.is_owned else _describe_counts(workspace, job, sending)
    return " · ".join([isolated(job.name), began, job.created_by, f"no. {job.id}", words, *filter(None, [later])])


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
