"""The draft in the composer, and the callbacks of the composer's buttons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from components.alerts.alert_session import DRAFT, EVENT_NOTE
from components.alerts.sending.alert_editor import ALERT_EDITOR
from components.alerts.sending.alert_times import text_zone
from components.edits.draft_session import QUERY
from components.shell.notices import show_failure, show_success
from domain.alerts import alert_templates
from domain.alerts.alert_events import PLACE, TIME, WHO, outline_of, placeholders_in, sender_of
from domain.alerts.alert_problems import alert_problems
from domain.alerts.alert_templates import (
    fill_placeholders,
    open_placeholders,
    remember_sender,
    texts_in,
    texts_of,
    with_sender,
    words_after,
)
from domain.alerts.draft import SECOND_LANGUAGE, AlertDraft, WrittenEnd
from domain.alerts.expiry import Ending
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.recipients.saved_areas import with_latest_areas
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.wording.end_time_in_text import replace_time
from domain.alerts.wording.fixed_times import replace_fixed_times
from domain.alerts.wording.follow_ups import follow_up
from domain.alerts.wording.sms import straighten
from domain.edits import stored_drafts
from domain.edits.edit_draft import DraftVersion
from domain.forms.form import Problems
from domain.runtime.workspace import Workspace
from domain.text.plain_text import names
from journal import JournalError, RecordVersion


def open_address(workspace: Workspace) -> None:
    """Show the draft that the URL names, unless it is on the screen already."""
    before = DRAFT.get()

    def begin() -> AlertDraft:
        # A colleague's draft, or one that was sent or discarded: the page shows its status.
        uid = st.query_params.get(QUERY)
        stored = stored_drafts.load_from_journal(workspace, ALERT_EDIT, uid) if uid else None
        return stored.draft if stored is not None else AlertDraft()

    ALERT_EDITOR.open(workspace, None, begin)
    if DRAFT.get() is not before:
        EVENT_NOTE.clear()


def show(draft: AlertDraft, note: str = "", *, version: datetime | None = None) -> None:
    """Show a draft with a note about it."""
    ALERT_EDITOR.show(draft, note, version=version)
    EVENT_NOTE.clear()


def show_new(workspace: Workspace, draft: AlertDraft) -> None:
    """Store a new draft and show it. The current one stays stored."""
    show(draft, version=stored_drafts.begin(workspace, ALERT_EDIT, draft))
    st.query_params.pop(QUERY, None)
    ALERT_EDITOR.linked.clear()


def keep(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Store the draft if it has changed, merged with changes of another tab."""
    return ALERT_EDITOR.store(workspace, draft, stored_drafts.load(workspace, ALERT_EDIT, draft.uid))


def problems_now(workspace: Workspace, draft: AlertDraft) -> Problems:
    """Return the errors that prevent sending, checked against the lookups as far as they have loaded."""
    return alert_problems(draft, offered=region_lookups(workspace).offered())


def put_in_url(draft: AlertDraft) -> None:
    """Put the draft into the URL, so that a refresh finds it."""
    if is_new_in_url(draft):
        st.query_params[QUERY] = draft.uid


def is_new_in_url(draft: AlertDraft) -> bool:
    """Return whether the draft is stored and the URL does not name it yet."""
    return ALERT_EDITOR.is_stored(draft) and st.query_params.get(QUERY) != draft.uid


def new_alert(_: AlertDraft) -> None:
    """Start a new alert. The current one stays stored."""
    st.query_params.clear()
    ALERT_EDITOR.linked.clear()
    show(AlertDraft())


def current() -> AlertDraft | None:
    """Return the draft with the current values of its fields."""
    return ALERT_EDITOR.current()


def with_known_texts(draft: AlertDraft, place: str, ending: Ending | None) -> AlertDraft:
    """Return the draft with the known sender, place, and end in the placeholders of its template or outline.

    The end follows the hours until the user writes another. The place follows the recipients, and becomes a placeholder
    again if none is left. The name of a sender may contain the place.
    """
    was, sender = draft.inserted_place, sender_of(draft)
    if not draft.placeholders and not was and draft.end_written is None:
        return draft
    before_end, draft = draft, with_updated_end(draft, ending)
    if was and not draft.regions:
        place = PLACE
    known = {WHO: sender, PLACE: place, TIME: ending.in_text if ending is not None else ""}
    before = list(dict.fromkeys([*draft.words_after_place, *words_after(draft, PLACE)]))
    with_words = fill_placeholders(
        draft, {sender: sender, place: place, was or PLACE: place, **known}, earlier_texts=before
    )
    if place == PLACE:
        blanks = list(dict.fromkeys([*draft.placeholders, PLACE]))
        with_words = with_words.model_copy(
            update={"inserted_place": "", "words_after_place": [], "placeholders": blanks}
        )
    elif place and (was or PLACE in open_placeholders(draft)):
        with_words = with_words.model_copy(update={"inserted_place": place, "words_after_place": before})
    if ending is not None and TIME in open_placeholders(draft) and draft.hours is not None:
        written = WrittenEnd(ending.in_text, draft.hours, ending.zone)
        with_words = with_words.model_copy(update={"end_written": written})
    if with_words is not before_end:
        DRAFT.set(with_words)
        if not ALERT_EDITOR.is_stored(draft) and not draft.is_untouched:
            # No user typed these texts, so they do not make a new draft worth storing.
            ALERT_EDITOR.saved.set(DraftVersion(with_words, None))
    return with_words


def with_updated_end(draft: AlertDraft, ending: Ending | None) -> AlertDraft:
    """Return the draft with Muster's end updated to the hours. An end that the user wrote stays."""
    written = draft.end_written
    if written is None or ending is None or (written.hours, written.zone) == (draft.hours, ending.zone):
        return draft
    texts = {name: replace_time(text, written.text, ending.in_text) for name, text in texts_of(draft).items()}
    is_there = any(written.text in text for text in texts_of(draft).values())
    now_written = WrittenEnd(ending.in_text, draft.hours or 0, ending.zone) if is_there else None
    return draft.model_copy(update={**texts, "end_written": now_written})


def put(label: str, fields: Mapping[str, Any]) -> None:
    """Set fields of the draft. `label` names the step that can be undone."""
    ALERT_EDITOR.do(label, lambda draft: draft.model_copy(update=dict(fields)))


def choose_category() -> None:
    """Apply the selected category, and say so if it does not list the event."""
    before, draft = DRAFT.get(), current()
    if before is None or draft is None:
        return
    if before.event and not draft.event:
        EVENT_NOTE.set((draft.category, before.event))
    else:
        EVENT_NOTE.clear()


def choose_event(workspace: Workspace) -> None:
    """Clear the note about the previous event, and fill in the last sender unless the draft has one."""
    EVENT_NOTE.clear()
    draft = current()
    if draft is not None and draft.event:
        DRAFT.set(with_sender(workspace, draft))


def straighten_text(name: str) -> None:
    """Replace costly characters with plain ones."""
    draft = current()
    if draft is not None:
        put("replace quotes and dashes", {name: straighten(getattr(draft, name))})


def insert_outline() -> None:
    """Put the outline before the text. Nothing happens while the text has placeholders.

    The button is not disabled then, because a disabled button loses the keyboard focus.
    """
    draft = current()
    if draft is not None and not placeholders_in(draft.sms):
        text = outline_of(draft).sms
        put("insert outline", {"sms": f"{text}\n{draft.sms.strip()}".strip(), **_blanks(draft, text)})


def fill_notification() -> None:
    """Fill the title and text of the notification from the alert."""
    draft = current()
    if draft is not None:
        parts = [part for each in (draft.sms, draft.instructions) if (part := each.strip())]
        put("copy from alert", {"title": draft.event, "text": "\n\n".join(parts)})


def use_wording(name: str, payload: Mapping[str, Any]) -> None:
    """Put a stored wording into the draft."""
    draft, texts = current(), texts_in(payload)
    if draft is not None:
        put(f"use saved text “{name}”", {**texts, **_blanks(draft, *texts.values())})


def _blanks(draft: AlertDraft, *texts: str) -> dict[str, list[str]]:
    """Return the placeholders of the draft and of these texts."""
    return {"placeholders": list(dict.fromkeys([*draft.placeholders, *placeholders_in(*texts)]))}


def save_wording(workspace: Workspace, versions: Mapping[str, int], name: str) -> None:
    """Save the texts of the draft as a wording. `versions` are those that the user saw. Raises `JournalError`."""
    draft = current()
    if draft is not None:
        alert_templates.keep_wording(workspace, draft, name, over=versions.get(name.casefold(), 0))


def save_as_template(workspace: Workspace, typed: str) -> None:
    """Save the draft as a template under the typed name, or that of its template. Raises `JournalError`."""
    draft = current()
    if draft is not None:
        name = typed or (draft.template[0] if draft.template is not None else "")
        without_times, fixed = replace_fixed_times(draft, datetime.now(UTC), text_zone(workspace, draft))
        version = alert_templates.save_template(workspace, without_times, name)
        DRAFT.set(draft.model_copy(update={"template": (name, version), "template_saved_at": datetime.now(UTC)}))
        words = names([f"“{each}”" for each in fixed], at_most=6)
        placeholders = f" The template has placeholders for {words}. Your draft is unchanged." if fixed else ""
        show_success(f"Saved the alert template “{name}”, version {version}.{placeholders}")


def start_from_template_version(workspace: Workspace, name: str, version: int, _: AlertDraft) -> None:
    """Start a draft from this version of an alert template. The current draft stays stored."""
    known = alert_templates.versions(workspace, name)
    wanted = next((each for each in known if each.version == version), None)
    if wanted is not None:
        try:
            begun = draft_from_template(workspace, wanted, known[0].version)
        except JournalError as error:
            show_failure(str(error))
        else:
            show_new(workspace, begun)


def draft_from_template(workspace: Workspace, template: RecordVersion, latest: int) -> AlertDraft:
    """Return a draft from an alert template, with the current places of its saved areas and the last sender."""
    begun = alert_templates.start_from_template(template, version=latest)
    return with_sender(workspace, with_latest_areas(workspace, begun))


def start_translation(workspace: Workspace, _: AlertDraft) -> None:
    """Start the same alert in another language. The current draft stays stored."""
    draft = current()
    if draft is not None:
        first = keep(workspace, draft)
        show_new(workspace, follow_up(SECOND_LANGUAGE, first).model_copy(update={"translation_of": first.uid}))


def open_review(workspace: Workspace, _: AlertDraft) -> None:
    """Go to the review, or show all errors. Changes of another tab must be seen first."""
    draft = current()
    if draft is None:
        return
    ALERT_EDITOR.note.clear()
    both = keep(workspace, draft)
    is_new_here = not both.has_same_payload(draft) or ALERT_EDITOR.conflict.get() is not None
    checked_draft = both.model_copy(update={"checked": True, "refused": []})
    stage = "edit" if is_new_here or problems_now(workspace, checked_draft) else "review"
    if stage == "review":
        remember_sender(workspace, checked_draft)
    DRAFT.set(checked_draft.model_copy(update={"stage": stage}))
