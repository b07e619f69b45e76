"""The screen of alert templates: the list, and one template with its versions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.alerts.composer.actions import draft_from_template
from components.alerts.recipients.reach_card import reach_card
from components.alerts.recipients.saved_area_box import area_lines
from components.alerts.sending.alert_editor import open_new
from components.alerts.sending.boxes import says
from components.record_list.declaration import Action, AllRecords, NewAction, RecordList, numbers, text, times
from components.record_list.used_in import Use, draw_uses
from components.shell.address import go_to
from components.shell.confirm import confirm_dialog
from components.shell.notices import show_failure, show_success
from domain.alerts.alert_templates import (
    alert_templates,
    delete_template,
    open_placeholders,
    pin_template,
    pinned_names,
    start_from_template,
    versions,
)
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.recipients.saved_areas import with_latest_areas
from domain.alerts.sending.alert_chain import most_used_first, sendings
from domain.alerts.sending.facts import levels_of
from domain.edits.journal_texts import describe_subject
from domain.runtime.screens import NOTIFICATIONS, PUBLIC_ALERT
from domain.runtime.workspace import Workspace
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count, names, plain
from domain.text.time_text import moment
from journal import JournalError, RecordVersion


def _start(workspace: Workspace, template: RecordVersion, latest: int) -> None:
    try:
        begun = draft_from_template(workspace, template, latest)
    except JournalError as error:
        show_failure(str(error))
    else:
        open_new(workspace, begun)


def _pin(workspace: Workspace, chosen: Sequence[RecordVersion]) -> None:
    (template,) = chosen
    try:
        pin_template(workspace, template.name, is_pinned=not _is_pinned(workspace, template))
    except JournalError as error:
        show_failure(str(error))


def _is_pinned(workspace: Workspace, template: RecordVersion) -> bool:
    return template.name in pinned_names(workspace)


def _ask_to_delete(workspace: Workspace, chosen: Sequence[RecordVersion]) -> None:
    (template,) = chosen

    def delete() -> None:
        delete_template(workspace, template)
        show_success(f"Deleted the alert template “{template.name}”.")

    confirm_dialog(
        "Delete this alert template?",
        [
            f"**{plain(template.name)}**",
            f"{count(template.version, 'version', 'versions')} will be deleted for everyone in your organization.",
            "This cannot be undone.",
        ],
        "Delete template",
        delete,
        key="ready_alert-delete",
    )


def _detail(workspace: Workspace, template: RecordVersion) -> None:
    every = versions(workspace, template.name)
    try:
        draft = with_latest_areas(workspace, start_from_template(template))
        drafts = [start_from_template(each) for each in every]
    except JournalError as error:
        st.info(plain(str(error)), icon=":material/info:")
        return
    st.caption(f"Version {template.version} by {plain(template.saved_by)}, {moment(template.saved_at)}")
    if template.name in (pinned := pinned_names(workspace)):
        st.caption(
            f":material/keep: Pinned for everyone. Number key in the composer: {pinned.index(template.name) + 1}"
        )
    says(draft, " · ".join((levels_of(draft), count(draft.hours or 0, "hour", "hours"))).removeprefix(" · "))
    if blanks := open_placeholders(draft):
        st.caption(f"Placeholders: {plain(names(blanks))}")
    reach_card(draft, region_lookups(workspace), key="ready_alerts.reach", watch=bool(draft.regions or draft.groups))
    area_lines(workspace, draft)
    draw_uses(
        [
            Use(f"Alert: {describe_subject(each)}, {moment(each.at)}", NOTIFICATIONS, {"notification": each.subject_id})
            for each in sendings(workspace)
            if each.subject_id and (each.request or {}).get("ready") == template.name
        ]
    )
    if len(every) > 1:
        with st.expander(count(len(every), "version", "versions"), icon=":material/history:"):
            for each, older in zip(every, drafts, strict=True):
                st.markdown(f"**Version {each.version}** · {plain(each.saved_by)}, {moment(each.saved_at)}")
                st.text(older.sms)
                if each.version != template.version and st.button(
                    f"Create alert from version {each.version}", key=f"ready_alerts.version/{each.version}"
                ):
                    _start(workspace, each, template.version)


ALERT_TEMPLATE_LIST: Final = RecordList(
    key="ready_alerts",
    noun=("alert template", "alert templates"),
    source=AllRecords(
        lambda workspace, _: LoadedRecords(most_used_first(workspace, alert_templates(workspace))),
        search=("name", "event", "text"),
        search_hint="Name, event, or text",
        max_age=None,
    ),
    identity=lambda template: template.name,
    name=lambda template: template.name,
    columns={
        "name": text("Name", lambda template: template.name),
        "event": text("Event", lambda template: template.payload.get("event")),
        "text": text("Text message", lambda template: template.payload.get("sms")).in_files_only(),
        "version": numbers("Version", lambda template: template.version).secondary(),
        "changed": times("Last changed", lambda template: template.saved_at),
        "by": text("By", lambda template: template.saved_by),
    },
    url_parameter="ready",
    draw_detail=_detail,
    displayed_id=lambda _: None,
    missing_message="Your organization has no alert template “{id}”. The template may have been deleted.",
    icon="bolt",
    actions=(
        Action(
            "Create alert",
            lambda workspace, chosen: _start(workspace, chosen[0], chosen[0].version),
            icon=":material/bolt:",
            key="start",
        ),
        Action(
            lambda workspace, template: "Unpin" if _is_pinned(workspace, template) else "Pin",
            _pin,
            icon=":material/keep:",
            key="pin",
        ),
        Action("Delete template", _ask_to_delete, icon=":material/delete:", is_destructive=True, key="delete"),
    ),
    new=NewAction("Create public alert", open=lambda _: go_to(PUBLIC_ALERT), is_primary=False),
    summarize=lambda _, found: count(len(found.loaded.records), "alert template", "alert templates"),
    empty_message=(
        "An alert template is a reusable alert with placeholders. Write a public alert, and save it as a template."
    ),
)
