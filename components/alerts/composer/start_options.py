"""Ways to start or store an alert: alert template, CAP alert, another language, and wordings of its event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.alerts.alert_session import on_press
from components.alerts.composer import actions
from components.alerts.sending.alert_times import format_alert_time
from components.forms.save_under_name import draw_save_under_name
from components.shell.address import link_to
from components.shell.confirm import confirm_dialog
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import focus_field
from domain.alerts.alert_events import outline_of, starting_wording
from domain.alerts.alert_templates import (
    alert_templates,
    delete_wording,
    open_placeholders,
    pinned_names,
    placeholder_key,
    same_name,
    wordings,
)
from domain.alerts.cap.cap_reading import ExpiredCap, NotCap, cap_parts, gravest_part, read_cap
from domain.alerts.draft import AlertDraft, excerpt
from domain.alerts.recipients.cap_places import add_places
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_chain import most_used_first
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.edits import stored_drafts
from domain.geography.folding import fold
from domain.runtime.screens import ALERT_TEMPLATES, PUBLIC_ALERT
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain
from domain.text.text_limits import MAX_LINE, MAX_PASTE
from domain.text.time_text import moment
from journal import RecordVersion

SHOWN: Final = 4
"""How many templates the composer shows at once, or more if more are pinned. The others are in a popover."""
_MOST_LISTED: Final = 50
"""How many templates the popover lists. All of them are on their own screen."""
FILE_KEY: Final = "public_alert.cap_file"
TEXT_KEY: Final = "public_alert.cap_text"
_MOST_BLANKS: Final = 8
_BLANK_WIDTH: Final = 240
"""The width of a placeholder's field, in pixels."""
_BLANKS_KEY: Final = "public_alert-blanks"
_FIND: Final = StateKey[str | None]("public_alert.find_template", lambda: None)
_CAP_ERROR: Final = StateKey[str]("public_alerts.cap_error", str)


def draw_templates(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the organization's templates: the pinned ones with number keys, the most used ones, and all in a popover."""
    templates = most_used_first(workspace, alert_templates(workspace))
    if not templates:
        return
    by_name = {each.name: each for each in templates}
    pinned = [by_name[name] for name in pinned_names(workspace) if name in by_name]
    st.markdown("**Start from a template**", width="content")
    for number, each in enumerate(pinned, start=1):
        _template_button(workspace, draft, each, key="public_alert.ready", shortcut=str(number))
    others = [each for each in templates if each not in pinned][: max(0, SHOWN - len(pinned))]
    for each in others:
        _template_button(workspace, draft, each, key="public_alert.ready")
    if len(templates) <= len(pinned) + len(others):
        link_to(ALERT_TEMPLATES, "All templates")
        return
    with st.popover(f"All {len(templates):,} templates", key="public_alert.all_ready"):
        words = st.text_input(
            "Find", key=_FIND.widget_key, max_chars=MAX_LINE, live=True, placeholder="Name, event, or text"
        )
        found = [each for each in templates if _matches(each, fold(words or "").split())]
        for each in sorted(found, key=lambda each: each.name.casefold())[:_MOST_LISTED]:
            _template_button(workspace, draft, each, key="public_alert.all_ready")
        if not found:
            st.caption("No template has these words.")
        link_to(ALERT_TEMPLATES, "Search templates", icon=":material/search:")


def _matches(template: RecordVersion, words: Sequence[str]) -> bool:
    text = fold(" ".join(str(each or "") for each in (template.name, *map(template.payload.get, ("event", "sms")))))
    return all(word in text for word in words)


def _template_button(
    workspace: Workspace, draft: AlertDraft, template: RecordVersion, *, key: str, shortcut: str | None = None
) -> None:
    st.button(
        plain(template.name),
        key=f"{key}/{template.name}",
        icon=":material/bolt:",
        help=f"Saved {plain(moment(template.saved_at))} by {plain(template.saved_by)}",
        shortcut=shortcut,
        on_click=on_press(draft, actions.start_from_template_version, workspace, template.name, template.version),
    )


def has_placeholders_on_top(draft: AlertDraft) -> bool:
    """Return whether the placeholders come first on the page: those of a template or a follow-up."""
    return draft.template is not None or bool(draft.follow_up)


def placeholder_fields(draft: AlertDraft) -> None:
    """Draw a field for each placeholder. Its text replaces the placeholder everywhere."""
    blanks = [blank for blank in open_placeholders(draft) if blank in draft.placeholders][:_MOST_BLANKS]
    if not blanks:
        return
    with st.container(border=True, gap="xsmall", key=_BLANKS_KEY):
        reminder = ":red[:material/error: **Fill in before sending**]"
        st.markdown(reminder if draft.checked else ":material/edit: **Fill in**")
        # Not columns: a field that moves to another column when the first one is filled would lose the focus.
        with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
            for blank in blanks:
                st.text_input(
                    blank.strip("[]"), key=placeholder_key(draft, blank), max_chars=MAX_LINE, width=_BLANK_WIDTH
                )
        focus_field(_BLANKS_KEY, draft.uid)


def save_as_template(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the popover that saves the alert as a template, or as the next version of its template."""
    with st.popover("Save as template", icon=":material/bolt:", key="public_alert.keep_ready"):
        st.caption(
            "The template is for everyone in your organization. It contains the texts, levels, hours, and recipients. "
            "Fixed times and dates become placeholders in [brackets]."
        )
        known, version = draft.template or ("", 0)
        draw_save_under_name(
            "Name",
            partial(actions.save_as_template, workspace),
            key=f"public_alert.keep_ready/{draft.uid}",
            button=lambda name: (
                f"Save version {version + 1}" if known and same_name(name or known, known) else "Save template"
            ),
            placeholder=known or "Boil water: north side",
        )


def open_cap(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the popover that imports a CAP alert."""
    with st.popover("Import CAP alert", icon=":material/rss_feed:", key="public_alert.cap"):
        st.file_uploader("CAP file", type=["xml", "cap"], key=FILE_KEY)
        st.text_area(
            "Or paste the CAP text", key=TEXT_KEY, max_chars=MAX_PASTE, placeholder="<alert xmlns=…", height=120
        )
        _choose_part()
        st.button(
            "Create draft",
            key="public_alert.open_cap",
            icon=":material/file_open:",
            on_click=on_press(draft, _open_cap, workspace),
        )
        if _CAP_ERROR.get():
            st.error(f"**No draft was created.** {plain(_CAP_ERROR.get())}", icon=":material/error:")


def _cap_content() -> bytes | str:
    """Return the content of the file, or else of the text field."""
    file = st.session_state.get(FILE_KEY)
    return file.getvalue() if file is not None else str(st.session_state.get(TEXT_KEY) or "").strip()


def _choose_part() -> None:
    """Draw the parts of a CAP alert that has several. The active and most severe one is preselected."""
    content = _cap_content()
    try:
        parts = cap_parts(content) if content else []
    except NotCap:
        return  # The button shows the reason.
    if len(parts) > 1:
        chosen = _cap_part(content)
        if chosen.get() is None:
            chosen.set(gravest_part(parts))
        st.radio(
            "Part to import",
            range(len(parts)),
            key=chosen.widget_key,
            format_func=lambda index: plain(parts[index].label),
        )


def _cap_part(content: bytes | str) -> StateKey[int | None]:
    """Return the selected part of this content, or None before the parts were drawn."""
    return StateKey(f"public_alert.cap_part/{hash(content)}", lambda: None)


def _open_cap(workspace: Workspace, _: AlertDraft) -> None:
    """Open the CAP alert in the fields as a new draft, or store why it cannot be opened.

    It waits for the lookup of places, and for the user to see the parts of the alert.
    """
    content = _cap_content()
    if not content:
        file = st.session_state.get(FILE_KEY)
        _CAP_ERROR.set("The file is empty." if file is not None else "Select a CAP file, or paste the CAP text.")
        return
    try:
        part = _cap_part(content).get()
        if part is None and len(cap_parts(content)) > 1:
            _CAP_ERROR.clear()
            return
        opened = read_cap(content, part=part)
    except ExpiredCap as error:
        # In the time of its places.
        areas = add_places(error.areas, region_lookups(workspace).regions.value)
        _CAP_ERROR.set(error.describe(format_alert_time(workspace, areas, error.expires)))
        return
    except NotCap as error:
        _CAP_ERROR.set(str(error))
        return
    regions = region_lookups(workspace).regions
    if opened.has_areas and regions.value is None:
        _CAP_ERROR.set("Muster is still loading the list of places. Try again in a few seconds.")
        return
    _CAP_ERROR.clear()
    actions.show(add_places(opened, regions.value))


def omitted_from_cap(draft: AlertDraft) -> None:
    """Draw what the CAP alert or the area of an incident says and the draft does not."""
    if not draft.not_imported:
        return
    number = len(draft.not_imported)
    summary = f"Imported from a CAP alert. {count(number, 'item was', 'items were')} not imported."
    if draft.source is None:
        summary = f"Made from the area of an incident. Check {count(number, 'note', 'notes')} on the area."
    with st.expander(summary, icon=":material/rss_feed:", expanded=True):
        st.markdown("\n".join(f"- {plain(line)}" for line in draft.not_imported))


def in_another_language(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw links between the draft and the same alert in another language, or the button that starts one."""
    if draft.translation_of:
        first = stored_drafts.load(workspace, ALERT_EDIT, draft.translation_of)
        with st.container(border=True, gap="xsmall", key="public_alert-first-language"):
            st.markdown(":material/translate: **This alert in the other language**")
            if first is not None:
                st.text(first.draft.sms)
                if first.draft.instructions.strip():
                    st.text(first.draft.instructions)
            link_to(PUBLIC_ALERT, "Open that alert", draft=draft.translation_of)
        return
    others = [
        each.draft
        for each in stored_drafts.list_unfinished(workspace, ALERT_EDIT)
        if each.draft.translation_of == draft.uid
    ]
    for other in others:
        beginning = excerpt(other.sms) or "No text yet"
        link_to(PUBLIC_ALERT, plain(f"Other language: {beginning}"), icon=":material/translate:", draft=other.uid)
    if not draft.is_untouched:
        st.button(
            "Add language",
            key="public_alert.second_language",
            icon=":material/translate:",
            type="tertiary",
            help="Creates a second alert to the same recipients. You write its text in the other language. Each "
            "alert is reviewed and sent separately.",
            on_click=on_press(draft, actions.start_translation, workspace),
        )


def wording_box(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the popover with the wordings of the draft's event."""
    with st.popover("Saved texts", icon=":material/library_books:", key="public_alert.wordings"):
        if not draft.event:
            st.caption("Select an event first. Texts are saved for an event.")
            return
        st.markdown(f"**Saved texts for {plain(draft.event)}**")
        saved = wordings(workspace, draft.event)
        if starting_wording(draft.event) is not None:
            _wording(workspace, draft, "Outline with placeholders", outline_of(draft)._asdict())
        for wording in saved:
            _wording(workspace, draft, wording.name, wording.payload, wording)
        versions = {wording.name.casefold(): wording.version for wording in saved}
        draw_save_under_name(
            "Save this text as",
            partial(actions.save_wording, workspace, versions),
            key=f"public_alert.keep_wording/{draft.uid}",
            button=lambda name: "Replace saved text" if name.casefold() in versions else "Save text",
        )


def _wording(
    workspace: Workspace, draft: AlertDraft, name: str, payload: Mapping[str, Any], saved: RecordVersion | None = None
) -> None:
    about = f"  \nSaved by {plain(saved.saved_by)}, {moment(saved.saved_at)}" if saved is not None else ""
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{plain(name)}**")
        st.caption(f"{plain(excerpt(str(payload.get('sms') or payload.get('text') or ''), 110))}{about}")
        with st.container(horizontal=True):
            st.button(
                "Use text",
                key=f"public_alert.use/{saved.name if saved is not None else ''}",
                icon=":material/input:",
                on_click=actions.use_wording,
                args=(name, payload),
            )
            if saved is None or saved.saved_by != workspace.actor.username:
                return
            if st.button("Delete text", key=f"public_alert.delete_wording/{saved.name}", icon=":material/delete:"):
                confirm_dialog(
                    "Delete this saved text?",
                    [
                        f"**{plain(name)}** will be deleted for everyone in your organization. Alerts do not change.",
                        "This cannot be undone.",
                    ],
                    "Delete saved text",
                    partial(delete_wording, workspace, draft.event, saved),
                    key="wording-delete",
                )
