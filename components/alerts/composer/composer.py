"""The composer: the draft's status, its three boxes with the checks, or the review."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from components.alerts.alert_session import IS_PAGE_OUTDATED, on_press
from components.alerts.composer import actions
from components.alerts.composer.actions import new_alert, open_address, problems_now, put_in_url
from components.alerts.composer.event_box import filed_under, what_happens
from components.alerts.composer.message_box import notification_fields, text_part
from components.alerts.composer.start_options import (
    draw_templates,
    has_placeholders_on_top,
    in_another_language,
    omitted_from_cap,
    open_cap,
    placeholder_fields,
    save_as_template,
    wording_box,
)
from components.alerts.phone_preview import phone
from components.alerts.recipients.reach_card import reach_card
from components.alerts.recipients.region_picker import region_picker
from components.alerts.sending.alert_editor import ALERT_EDITOR
from components.alerts.sending.alert_times import alert_zone, text_zone
from components.alerts.sending.approval_view import waiting_for_you
from components.alerts.sending.boxes import age_note, cap_status_note, template_note
from components.alerts.sending.review import review, unfinished_countdown_note
from components.alerts.sending.sent_alert import outcome
from components.alerts.sending.text_changes import changes_from_sent
from components.edits.send_status_view import ask_to_discard, draft_on_screen, draw_error, draw_note, draw_unfinished
from components.forms.form_view import FormView
from components.shell.background_changes import redraw_while_loading
from components.shell.page_header import draw_page_header
from components.streamlit_workarounds.own_scripts import follow_live_text, new_stage
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_problems import problems_to_show
from domain.alerts.draft import CONTACT, AlertDraft
from domain.alerts.expiry import ends_at
from domain.alerts.filing_names import filing_names
from domain.alerts.recipients.place_names import place_words
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import zip_flag_is_offered
from domain.alerts.sending.facts import CANNOT_RECALL, look_of
from domain.alerts.wording.contradictions import looks_live
from domain.alerts.wording.follow_ups import KINDS, is_calm
from domain.runtime.workspace import Workspace
from domain.text.place_clock import clock, zone_or_utc
from domain.text.plain_text import plain


def composer(workspace: Workspace) -> None:
    """Draw the alert of this URL: its status, its review, or the form."""
    open_address(workspace)
    IS_PAGE_OUTDATED.clear()
    draft = draft_on_screen(workspace, ALERT_EDITOR, outcome)
    if draft is None:
        return
    put_in_url(draft)
    if draft.stage == "review":
        title = "Review the alert" if looks_live(draft) or not draft.is_test else "Review the test"
        draw_page_header(title, color=_color(draft))
        review(workspace, draft)
    else:
        new_stage(draft.uid, "edit")
        with redraw_while_loading(region_lookups(workspace), filing_names(workspace)):
            _edit(workspace, draft)


def _edit(workspace: Workspace, draft: AlertDraft) -> None:
    now = datetime.now(UTC)
    filing, catalog = filing_names(workspace), region_lookups(workspace).regions.value
    zone, in_text = alert_zone(workspace, draft), text_zone(workspace, draft)
    ending = ends_at(draft.hours, now, in_text) if in_text is not None else None
    draft = actions.with_known_texts(draft, place_words(draft, catalog), ending)
    found = problems_to_show(draft, problems_now(workspace, draft))
    fields = FormView(ALERT_FORM, draft, found)
    # What appears and disappears has a container of its own: otherwise the fields below lose the focus.
    with st.container():
        # Also at the text, which may be out of sight.
        cap_status_note(draft)
        age_note(workspace, draft)
        _head(workspace, draft)
        draw_error(ALERT_EDITOR, draft)
        omitted_from_cap(draft)
        changes_from_sent(draft)
        fields.draw_problems("")
        if has_placeholders_on_top(draft):
            placeholder_fields(draft)
    first, second, third = st.columns([5, 6, 5], gap="small")
    foot = st.container()
    # Always visible: missing content, preview, and the Review button.
    with st.bottom:
        # At the bottom, so that the buttons do not move when lines appear above them.
        checks, ways = st.columns([10, 6], vertical_alignment="bottom", gap="small")
    phone_clock = clock(now.astimezone(zone_or_utc(zone)))
    with ways, st.container(horizontal=True, horizontal_alignment="right", vertical_alignment="center", gap="small"):
        with st.popover("Preview", icon=":material/smartphone:", key="public_alert.preview"):
            at_hand = phone(phone_clock, key="public_alert-phone-at-hand")
        _review_button(workspace, draft)
    with first, st.container(border=True, key="public_alert-happens"):
        what_happens(workspace, fields, zone=zone, now=now)
        st.divider()
        filed_under(fields, filing)
    with second, st.container(border=True, key="public_alert-read"):
        st.header("Message", anchor=False)
        phones = (phone(phone_clock), at_hand)
        text_part(workspace, draft, in_text, drawn=phones, checks=checks, foot=foot)
        in_another_language(workspace, draft)
        wording_box(workspace, draft)
        st.divider()
        notification_fields(fields)
    with third, st.container(border=True, key="public_alert-receives"):
        recipients_box(workspace, fields)
    follow_live_text()


def _head(workspace: Workspace, draft: AlertDraft) -> None:
    title = KINDS[draft.follow_up].title if draft.follow_up else "Public alert"
    kind = ": routine test" if draft.is_test else ": live" if draft.event else ""
    with draw_page_header(f"{title}{kind}", color=_color(draft), trail=()).actions:
        draw_unfinished(workspace, ALERT_EDITOR, but=draft.uid, in_popover=True)
        waiting_for_you(workspace)
        if not draft.is_untouched:
            is_kept = ALERT_EDITOR.is_stored(draft)
            if is_kept:
                st.caption(":material/cloud_done: Saved as draft", width="content")
            if is_kept and st.button(
                "Discard draft", key="public_alert.discard", icon=":material/delete_sweep:", type="tertiary"
            ):
                ask_to_discard(workspace, ALERT_EDITOR, draft)
            save_as_template(workspace, draft)
            new = on_press(draft, new_alert)
            st.button("New alert", key="public_alert.new", icon=":material/add_circle:", on_click=new)
    draw_note(ALERT_EDITOR)
    # The browser's *back* during a countdown leads to this screen.
    unfinished_countdown_note(workspace, draft)
    if draft.follow_up and draft.follows is not None:
        st.caption(f"{KINDS[draft.follow_up].title}. Follows notification {draft.follows}, which has been sent.")
    _kind(draft)
    if draft.is_untouched:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw_templates(workspace, draft)
            open_cap(workspace, draft)
    else:
        template_note(draft)


def _color(draft: AlertDraft) -> str:
    """Return the color of the title for a test or a live alert, or "" before an event is selected."""
    if draft.is_test and not looks_live(draft):
        return "violet"
    if draft.follow_up:
        return KINDS[draft.follow_up].colour
    return "red" if draft.event else ""


def _kind(draft: AlertDraft) -> None:
    """Say whether the alert is a test or live, with color, icon, and words."""
    look = look_of(draft)
    if not (draft.event or is_calm(draft)):
        st.markdown(
            f"{look.badge} Nothing is sent until you select **Send** in the review. Muster saves your draft as you "
            "type. All events are live except the routine tests in the category Other."
        )
        return
    meaning = f"The public will act on this alert. {CANNOT_RECALL}"
    if draft.is_test:
        meaning = "A test is delivered like a live alert. The text must say that it is a test."
    elif is_calm(draft):
        meaning = f"This alert tells people that they no longer need to act. {CANNOT_RECALL}"
    st.markdown(f"{look.badge} :{look.colour}[{plain(draft.event)}. {meaning}]")


def _review_button(workspace: Workspace, draft: AlertDraft) -> None:
    st.button(
        ":violet[**Review test**]" if draft.is_test else "Review alert",
        key="public_alert.review",
        type="secondary" if draft.is_test else "primary",
        icon=":material/science:" if draft.is_test else ":material/campaign:",
        # Not Ctrl+Enter, with which live_text.js sends the typed text.
        shortcut="Ctrl+Shift+Enter",
        on_click=on_press(draft, actions.open_review, workspace),
    )


def recipients_box(workspace: Workspace, fields: FormView[AlertDraft]) -> None:
    """Draw the recipients and the fields that select them."""
    draft, lookups = fields.draft, region_lookups(workspace)
    st.header("Recipients", anchor=False)
    reach_card(draft, lookups)
    region_picker(workspace, fields)
    now = lookups.groups.now
    names = now.value or {}
    fields.draw(
        "groups",
        options=list(names),
        labels=lambda group: names.get(group, f"Group {group}"),
        placeholder="None" if names else "Loading" if now.is_running else "None available",
    )
    if now.error is not None and not names:
        st.markdown(":small[:orange[:material/cloud_off: The names of the event groups could not be loaded.]]")
    fields.draw("zip_to_groups", hide_problems=True)
    if draft.groups and not zip_flag_is_offered(draft):
        st.caption("ZIP codes apply to event groups only if you also select a place or enter a contact.")
    fields.draw_problems("zip_to_groups")
    fields.draw("type")
    given = any(getattr(draft, name).strip() for name in CONTACT)
    wrong = bool(fields.problems.at(draft.uid, *CONTACT))
    with st.expander("Sender (optional)", icon=":material/contact_phone:", expanded=given or wrong):
        fields.draw(*CONTACT)
