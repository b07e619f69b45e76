"""The screens of notification events and of notification categories: a list, and a form for a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import streamlit as st

from client import Duplicate, Invalid
from components.record_list.declaration import AllRecords, ListResult, NewAction, RecordList, numbers, text, times
from components.record_list.list_filters import select_record
from components.record_list.record_reads import get_loaded_records, read_again
from components.record_list.used_in import Use, draw_uses
from components.shell.address import link_to
from components.shell.background_changes import is_pending, is_under_way, redraw_when, start_change
from components.shell.notices import field_problem, show_problem, show_success
from components.shell.state import StateKey
from domain.alerts.alert_templates import alert_templates
from domain.alerts.notifications import named_records
from domain.alerts.notifications.named_records import CATEGORY, EVENT, NAMELESS, FiledRecord, NamedRecordKind, Uses
from domain.edits.edit import DuplicateRecordError
from domain.edits.journaled_calls import classify_outcome
from domain.runtime.background import BackgroundRead, BackgroundReads
from domain.runtime.calls import End
from domain.runtime.screens import ALERT_TEMPLATES, NOTIFICATIONS
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.tables.loaded_records import MAX_AGE, NEW
from domain.text.plain_text import plain
from domain.text.text_limits import MAX_LINE
from domain.text.time_text import moment

NOT_TOLD: Final = "unknown"
_UNSENT: Final = "name"
"""The journal's kind of draft for the name of a new one."""


def _declared(kind: NamedRecordKind, meaning: str) -> RecordList[FiledRecord]:
    noun, nouns = kind.noun
    return RecordList(
        key=f"notification-{nouns}",
        noun=kind.noun,
        source=AllRecords(
            lambda workspace, _: named_records.read_records(
                workspace.client, kind, partial(_counting, workspace, kind)
            ),
            search=("name",),
            search_hint="Name or ID",
        ),
        identity=lambda filed: filed.id,
        name=lambda filed: filed.record.name or NAMELESS,
        columns={
            "name": text("Name", lambda filed: filed.record.name or NAMELESS),
            "uses": numbers("Notifications", lambda filed: filed.times_used),
            "created": times("Created", lambda filed: filed.record.created_date),
            "by": text("By", lambda filed: filed.record.created_name),
            "id": text("ID", lambda filed: filed.id).secondary(),
        },
        default_order="name",
        placeholder="Unknown",
        url_parameter="record",
        subject_kind=kind.subject_kind,
        draw_detail=partial(_detail, kind),
        retrieve=lambda workspace, record_id: FiledRecord(kind.retrieve(workspace.client, int(record_id))),
        summarize=lambda _, found: named_records.answer_words(found.loaded, kind),
        draw_above_list=partial(_above, kind),
        new=NewAction(f"New {noun}", form=partial(_new, kind, meaning)),
        icon="event_note" if kind is EVENT else "category",
        empty_message=meaning,
    )


def _uses(workspace: Workspace, kind: NamedRecordKind) -> BackgroundRead[Uses]:
    """Return the counts of notifications. They load separately, so that the list does not wait."""
    name = f"notification-{kind.noun[1]}-uses"
    return server().reads.get_or_create(workspace, (name,), lambda: BackgroundRead(name, lambda _: Uses(), MAX_AGE))


def _counting(workspace: Workspace, kind: NamedRecordKind, ids: Sequence[int]) -> Callable[[], Uses]:
    reading = _uses(workspace, kind)
    reading.read = lambda _: kind.count_uses(workspace.client, ids)
    reading.restart()

    def counted() -> Uses:
        now = reading.now
        return now.value or Uses(error=now.error, is_counting=now.is_running)

    return counted


def _above(kind: NamedRecordKind, workspace: Workspace, found: ListResult[FiledRecord]) -> None:
    counting = _uses(workspace, kind)
    if found.loaded.records and not counting.wait(BackgroundReads.patience, since_it_began=True):
        redraw_when(lambda: not counting.now.is_running)
    uses_error = found.loaded.records[0].uses.error if found.loaded.records else None
    if uses_error is not None:
        show_problem(uses_error, key=f"{kind.noun[0]}-uses", is_read=True)
    error = _problem(kind).get()
    if not isinstance(error, Exception):
        return
    show_problem(error, key=f"{kind.noun[0]}-create")
    if classify_outcome(error) == "unknown":
        st.info(
            f"Creating the {kind.noun[0]} again is safe. Muster first checks that it does not exist.",
            icon=":material/fact_check:",
        )
    st.button("Dismiss", key=f"notifications.dismiss/{kind.noun[0]}", on_click=_problem(kind).clear)


def _detail(kind: NamedRecordKind, workspace: Workspace, filed: FiledRecord) -> None:
    record = filed.record
    st.markdown(filed.uses_words)
    if kind is EVENT and filed.times_used:
        link_to(NOTIFICATIONS, "Open notifications", event=record.id)
    made = moment(record.created_date) if record.created_date else NOT_TOLD
    changed = moment(record.last_modified_date) if record.last_modified_date else NOT_TOLD
    st.markdown(
        f"Created: {made}, by {plain(record.created_name or NOT_TOLD)}  \n"
        f"Last changed: {changed}, by {plain(record.last_modified_name or NOT_TOLD)}"
    )
    field_name = "notification_event_id" if kind is EVENT else "category_id"
    templates = [each for each in alert_templates(workspace) if each.payload.get(field_name) == record.id]
    draw_uses([Use(f"Alert template: {each.name}", ALERT_TEMPLATES, {"ready": each.name}) for each in templates])


def _new(kind: NamedRecordKind, meaning: str, workspace: Workspace) -> None:
    noun = kind.noun[0]
    st.header(f"New {noun}", anchor=False)
    st.caption(meaning)
    typed = new_name_key(kind)
    if typed.get() is None:
        unsent = workspace.journal.drafts.load(workspace.actor, kind.action, _UNSENT)
        typed.set(str(unsent.payload["name"]) if unsent is not None else "")
    st.text_input("Name", key=typed.widget_key, max_chars=MAX_LINE, persist_state="session")
    problem = _problem(kind).get()
    field_problem(problem if isinstance(problem, str) else None)
    if is_under_way(workspace, kind.action):
        st.info(f"Creating the {noun}…", icon=":material/hourglass_top:")
        return
    st.button(
        f"Create {noun}",
        key=f"notifications.create/{noun}",
        type="primary",
        icon=":material/add:",
        on_click=create,
        args=(workspace, kind),
    )


def create(workspace: Workspace, kind: NamedRecordKind) -> None:
    """Create a record with the typed name if it is valid. The name stays in the field until it is created."""
    if is_pending(workspace, kind.action):
        if created := _created_last(kind).get():
            # The second click of a double click has the URL from before the first.
            select_record(SCREENS[kind.noun], created)
        return
    _created_last(kind).clear()
    # It stays open if the list was empty before.
    select_record(SCREENS[kind.noun], NEW)
    name = (new_name_key(kind).get() or "").strip()
    taken = [filed.record.name for filed in get_loaded_records(workspace, SCREENS[kind.noun])]
    problem = named_records.name_problem(name, taken)
    _problem(kind).set(problem)
    if problem is None:
        workspace.journal.drafts.save(workspace.actor, kind.action, _UNSENT, {"name": name})
        start_change(
            workspace,
            kind.action,
            name,
            partial(named_records.create, workspace, kind, name),
            label=f"{kind.noun[0].capitalize()} {name}",
            then=partial(_created, workspace, kind, name),
        )


def _created(workspace: Workspace, kind: NamedRecordKind, name: str, end: End) -> None:
    what = SCREENS[kind.noun]
    # Reload the list.
    read_again(what)
    server().reads.invalidate("names")
    if isinstance(end.error, Duplicate | Invalid):
        message = end.error.service_message or end.error.message
        _problem(kind).set(f"The service rejected this name: {message}")
    elif isinstance(end.error, DuplicateRecordError):
        _problem(kind).set(str(end.error))
    elif end.error is not None:
        _problem(kind).set(end.error)
    else:
        typed = new_name_key(kind)
        if (typed.get() or "").strip() == name:
            typed.set("")
        workspace.journal.drafts.delete(workspace.actor, kind.action, _UNSENT)
        if end.is_here and end.value.id is not None:
            _created_last(kind).set(str(end.value.id))
            select_record(what, str(end.value.id))
        # A record that was found after a lost response has its author in the journal.
        by = f" by {end.value.created_name}" if getattr(end.value, "created_name", None) else ""
        show_success(f"Created the {kind.noun[0]} “{name}”{by}.")


# Events and categories have separate session state.


def new_name_key(kind: NamedRecordKind) -> StateKey[str | None]:
    """The typed name of a new record."""
    return StateKey(f"notifications.new_name/{kind.noun[0]}", lambda: None)


def _problem(kind: NamedRecordKind) -> StateKey[str | Exception | None]:
    """Why the last record was not created: an error of its name, or of the service."""
    return StateKey(f"notifications.problem/{kind.noun[0]}", lambda: None)


def _created_last(kind: NamedRecordKind) -> StateKey[str | None]:
    """The ID of the record that was created last."""
    return StateKey(f"notifications.created/{kind.noun[0]}", lambda: None)


EVENTS: Final = _declared(EVENT, "An event groups related notifications, such as all notifications about a storm.")
CATEGORIES: Final = _declared(CATEGORY, "A category is the topic of a notification, such as weather or traffic.")
SCREENS: Final = {EVENT.noun: EVENTS, CATEGORY.noun: CATEGORIES}
