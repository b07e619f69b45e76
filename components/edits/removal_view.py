"""Drawing the question before records are removed, and the outcome of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.record_list.declaration import Action
from components.shell.address import choices_field, go_to
from components.shell.background_changes import is_pending, is_under_way, start_change
from components.shell.confirm import confirm_dialog
from components.shell.job_progress import Progress, job_progress
from components.shell.notices import show_failure, show_success
from components.shell.state import StateKey
from components.widgets.downloads import request_expander
from domain.edits.removals import (
    Outcome,
    Removal,
    RemovalProgress,
    T,
    outcomes_in,
    remove_each,
    unknown_of_others,
)
from domain.runtime.problems import explain
from domain.text.plain_text import count, names, plain

if TYPE_CHECKING:
    from domain.edits.edit_draft import Draft, SubjectId
    from domain.runtime.calls import End
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace

NAMED: Final = 8
MIN_COUNTED: Final = 2
"""From how many records the removal shows its progress."""


def ask_to_remove(
    workspace: Workspace,
    removal: Removal[T],
    targets: Sequence[T],
    *,
    leave: bool = False,
    also: Callable[[], bool] | None = None,
    complete: Callable[[T], T] = lambda target: target,
) -> None:
    """Open the dialog that asks before the records are removed. Call it in the run in which the button was pressed.

    With `leave`, the page of the records is left once they are gone. `also` draws fields to fill in first and returns
    whether they are filled in; `complete` adds what was filled in to a target.
    """
    titles = [f"- **{plain(each.title)}**" + (f": {plain(each.note)}" if each.note else "") for each in targets[:NAMED]]
    if len(targets) > NAMED:
        titles.append(f"- and {len(targets) - NAMED:,} more")
    lines = ["\n".join(titles), *removal.consequences(workspace, targets)]
    unknown = outcomes_in(_removed(removal).get(), "unknown")
    others = unknown_of_others(unknown, targets)
    if tried := [each for each in unknown if each not in others]:
        lines.append(f"Status Unknown from an earlier attempt: {_titles(tried)}.")
    confirm_dialog(
        removal.question(targets),
        lines,
        removal.label(targets),
        partial(_start, workspace, removal, targets, complete, leave),
        key=f"{removal.key}-dialog",
        keep_label=f"Keep {removal.noun[0] if len(targets) == 1 else removal.noun[1]}",
        icon=removal.icon,
        also=also,
    )


def deleting(removal: Removal[T], target_of: Callable[[Any], T]) -> Action[Any]:
    """Return the action of a list that deletes the selected records after a confirmation."""
    return Action(
        "Delete",
        lambda workspace, chosen: ask_to_remove(workspace, removal, [target_of(each) for each in chosen]),
        icon=":material/delete:",
        is_destructive=True,
        allows_several=True,
        key="delete",
    )


def is_being_removed(workspace: Workspace, removal: Removal[T], subject_id: SubjectId | None = None) -> bool:
    """Whether this person is removing records now: any, or the one with this ID."""
    return is_under_way(workspace, removal.action, None if subject_id is None else str(subject_id))


def leave_if_removed(removal: Removal[T], screen: Screen) -> None:
    """Leave the page of a record that was removed on it."""
    if _leaves(removal).get():
        _leaves(removal).clear()
        go_to(screen)


def draw_removed(
    workspace: Workspace,
    removal: Removal[T],
    *,
    is_there: Callable[[T], bool] | None = None,
) -> None:
    """Draw the outcome for each record unless all are gone. It stays until it is dismissed.

    `is_there` returns whether a list that was read since still has a record.
    """
    if is_being_removed(workspace, removal):
        _draw_progress(workspace, removal)
    outcomes = _removed(removal).get()
    if not outcomes:
        return
    with st.container(border=True, key=f"{removal.key}-removed"):
        if gone := outcomes_in(outcomes, "gone"):
            st.success(f"{removal.verb.done.capitalize()}: {_titles(gone)}.", icon=":material/check_circle:")
        if before := outcomes_in(outcomes, "gone before"):
            st.info(plain(removal.gone_before_message(before)), icon=":material/info:")
        for each in outcomes_in(outcomes, "kept"):
            st.error(
                f"**Not {removal.verb.done}: {plain(each.target.title)}.** {_why(each)}",
                icon=":material/error:",
            )
            _draw_request(removal, each)
        for each in outcomes_in(outcomes, "unknown"):
            st.warning(
                f"**Unknown: {plain(each.target.title)}.** {_why(each)} "
                f"{_advice(removal, None if is_there is None else is_there(each.target))}",
                icon=":material/help:",
            )
            _draw_request(removal, each)
        if rest := outcomes_in(outcomes, "not tried"):
            number = count(len(rest), *removal.noun)
            unchanged = "This has not changed" if len(rest) == 1 else "These have not changed"
            st.warning(f"**Not attempted: {number}.** {unchanged}: {_titles(rest)}.", icon=":material/warning:")
        st.button("Dismiss", key=f"{removal.key}-removed-dismiss", on_click=_removed(removal).clear)


def _draw_progress(workspace: Workspace, removal: Removal[T]) -> None:
    """Draw how many records are removed, and the button that stops. Another sign-in knows only that it goes on."""
    progress: RemovalProgress | None = workspace.unsaved_work.get(_progress_key(removal))
    if progress is None or progress.total < MIN_COUNTED or progress.is_finished:
        st.info(f"{removal.verb.progress} the {removal.noun[1]}, one after the other.", icon=":material/hourglass_top:")
        return
    job_progress(
        partial(_describe_progress, removal, progress),
        key=f"{removal.key}-progress",
        on_stop=None if progress.is_stopped else progress.stop,
        meaning="You can leave this page. The results will be in the Journal.",
    )


def _describe_progress(removal: Removal[T], progress: RemovalProgress) -> Progress:
    done = f"{progress.done:,} of {count(progress.total, *removal.noun)} {removal.verb.done}"
    text = f"{done}. Stopping." if progress.is_stopped else done
    return Progress(progress.total, progress.done, text, progress.is_finished)


def _start(
    workspace: Workspace, removal: Removal[T], targets: Sequence[T], complete: Callable[[T], T], leave: bool
) -> None:
    completed = [complete(each) for each in targets]
    subject = "/".join(sorted(each.identity for each in completed))
    if is_pending(workspace, removal.action, subject):
        return
    _removed(removal).set(unknown_of_others(_removed(removal).get(), completed))
    progress = RemovalProgress(len(completed))
    if not is_being_removed(workspace, removal):
        workspace.unsaved_work[_progress_key(removal)] = progress
    start_change(
        workspace,
        removal.action,
        subject,
        partial(remove_each, workspace, removal, completed, progress),
        label=names([each.title for each in completed]),
        then=partial(_ended, removal, completed, leave),
    )


def _ended(removal: Removal[T], targets: Sequence[T], leave: bool, end: End) -> None:
    outcomes: list[Outcome[T]] = end.value or [Outcome(each, "unknown", end.error) for each in targets]
    removal.invalidate_reads()
    _clear_draft(removal, outcomes)
    gone = [each for each in outcomes if each.is_gone]
    if end.is_here:
        _leaves(removal).set(leave and len(gone) == len(outcomes))
        _deselect(removal, gone)
    others = unknown_of_others(_removed(removal).get(), targets)
    summary = removal.summary(outcomes)
    if summary:
        _removed(removal).set(others)
        show_success(summary)
        return
    _removed(removal).set([*others, *outcomes])
    if not end.is_here and end.error is None:
        for each in outcomes:
            if not each.is_gone:
                show_failure(f"{each.target.title}: {_why(each)}")


def _clear_draft(removal: Removal[T], outcomes: Sequence[Outcome[T]]) -> None:
    """Clear the draft in this session of a change to a record that is gone."""
    if removal.edit is None:
        return
    draft: StateKey[Draft | None] = StateKey(f"{removal.edit.key}.draft", lambda: None)
    shown = draft.get()
    if shown is not None and any(each.is_gone and each.target.subject_id == shown.subject_id for each in outcomes):
        draft.clear()


def _deselect(removal: Removal[T], gone: Sequence[Outcome[T]]) -> None:
    """Remove the records that are gone from the selection in the URL."""
    if removal.selection_parameter:
        selected = st.query_params.get_all(removal.selection_parameter)
        names = {name for each in gone for name in removal.selection_values(each.target)}
        choices_field(removal.selection_parameter).set_with_url([value for value in selected if value not in names])


def _removed(removal: Removal[T]) -> StateKey[list[Outcome[T]]]:
    return StateKey(f"{removal.key}.removed", list)


def _leaves(removal: Removal[Any]) -> StateKey[bool]:
    return StateKey(f"{removal.key}.leaves", bool)


def _progress_key(removal: Removal[Any]) -> str:
    return f"{removal.key}.progress"


def _titles(outcomes: Sequence[Outcome[Any]]) -> str:
    return plain(names([each.target.title for each in outcomes], at_most=NAMED))


def _why(outcome: Outcome[T]) -> str:
    return "" if outcome.error is None else plain(explain(outcome.error).text)


def _draw_request(removal: Removal[T], outcome: Outcome[T]) -> None:
    request = None if outcome.error is None else explain(outcome.error).request
    if request is not None:
        key = f"{removal.key}-removal-{outcome.target.identity}"
        request_expander(f"Show request for {plain(outcome.target.title)}", request, key=key)


def _advice(removal: Removal[T], is_there: bool | None) -> str:
    if is_there is None:
        return removal.retry_note
    if is_there:
        return "The record is still in the list. You can safely try again."
    return "The record is no longer in the list."
