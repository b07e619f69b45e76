"""Approval by a second person: the waiting alerts, one alert to read, and the decision.

The author requests the approval in the review, and sees the decision there.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from components.alerts.sending import send_actions
from components.alerts.sending.alert_times import format_alert_time
from components.alerts.sending.boxes import (
    LONG_AGO,
    age_note,
    boxes,
    draw_warnings,
    kind_banner,
    loading_names_note,
    template_note,
)
from components.alerts.sending.send_actions import DECISION, MISSING_NOTE, NOTE_LENGTH, keep_note, rejection_note
from components.alerts.sending.similar_alerts import similar_alerts
from components.alerts.sending.text_changes import changes_between, changes_from_sent
from components.shell.address import link_to
from components.shell.background_changes import redraw_while_loading
from components.shell.notices import show_problem
from components.shell.page_redraw import redraw_page
from components.shell.session import browser_path
from components.streamlit_workarounds.own_scripts import follow_live_text, live_text, new_stage
from components.widgets.downloads import request_expander
from components.widgets.empty_state import draw_empty_state
from domain.alerts.draft import KIND, AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending import approval
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.approval import Approval, approval_of, submitted_draft, submitted_request
from domain.alerts.sending.facts import look_of, name_of
from domain.alerts.sending.known_recipients import known_reach
from domain.alerts.wording.contradictions import looks_live
from domain.edits.stored_drafts import load_from_journal
from domain.runtime.screens import PUBLIC_ALERT, PUBLIC_ALERT_APPROVAL
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain
from domain.text.time_text import ago
from journal.approval_requests import ApprovalRequest

EVERY_SECONDS: Final = 3.0


def waiting_for_you(workspace: Workspace) -> None:
    """Draw a link to the alerts of others that wait for this user's approval, if there are any."""
    if not approval.is_required():
        return
    waiting = len(_others(workspace))
    if waiting:
        label = f"{count(waiting, 'alert needs', 'alerts need')} your approval"
        link_to(PUBLIC_ALERT_APPROVAL, label)


def approval_screen(workspace: Workspace, request_id: str) -> None:
    """Draw the alert of this request, or the list of those that wait."""
    new_stage(request_id)
    with redraw_while_loading(region_lookups(workspace)):
        _screen(workspace, request_id)


def _screen(workspace: Workspace, request_id: str) -> None:
    if not request_id:
        _list_of_waiting(workspace)
        return
    actor = workspace.actor
    approval_request = workspace.journal.approval_requests.load(actor.service, actor.organization_id, request_id)
    if approval_request is None or approval_request.kind != KIND:
        st.info(
            "No alert in your organization has this address. Ask for the link again, or select an alert below.",
            icon=":material/search_off:",
        )
        _list_of_waiting(workspace)
        return
    _one(workspace, approval_request)


def _one(workspace: Workspace, approval_request: ApprovalRequest) -> None:
    draft = submitted_draft(approval_request)
    if draft is None:
        st.info(
            f"This version of Muster cannot read the alert by {plain(approval_request.written_by)}. No one can "
            "approve it. Ask the author to request approval again.",
            icon=":material/info:",
        )
        _list_of_waiting(workspace)
        return
    known = known_reach(workspace, draft)
    st.markdown(
        f"**{plain(name_of(draft))}** · written by **{plain(approval_request.written_by)}** · approval requested "
        f"{plain(format_alert_time(workspace, draft, approval_request.requested_at))} "
        f"({ago(approval_request.requested_at, datetime.now(UTC))})"
    )
    kind_banner(workspace, draft, known.reach)
    age_note(workspace, draft)
    template_note(draft)
    decides = approval.why_not(workspace, approval_request) is None
    found = draw_warnings(workspace, draft, writer=approval_request.written_by if decides else "")
    if decides:
        similar_alerts(workspace, draft, can_continue=False)
    changes_from_sent(draft)
    _changes_since_decision(workspace, approval_request, draft)
    sent = load_from_journal(workspace, ALERT_EDIT, draft.uid) if approval_request.state == "used" else None
    boxes(workspace, draft, at=sent.begun_at if sent is not None else None)
    request_expander("Show request", submitted_request(approval_request), key=f"public-alert-{approval_request.key}")
    _failed(approval_request.id)
    if not decides:
        _decided(workspace, approval_request, draft)
    elif known.names_loading:
        loading_names_note()
    else:
        _decide(workspace, approval_request, known.reach.whom, found)


def _changes_since_decision(workspace: Workspace, approval_request: ApprovalRequest, draft: AlertDraft) -> None:
    earlier = workspace.journal.approval_requests.decided_before(workspace.actor, approval_request)
    before = submitted_draft(earlier) if earlier is not None else None
    if earlier is not None and before is not None:
        title = f"Changes since the decision by {earlier.decided_by}"
        changes_between(plain(title), before, draft, key=f"public_alert-changes/{approval_request.id}")


def _decide(workspace: Workspace, approval_request: ApprovalRequest, whom: str, found: Sequence[str]) -> None:
    approving, declining = st.columns(2, gap="medium")
    with approving, st.container(border=True):
        st.markdown(f"Approve this alert only if you would send exactly this text to **{plain(whom)}**.")
        st.button(
            "Approve alert",
            key="public_alert_approval.approve",
            type="primary",
            icon=":material/approval:",
            on_click=send_actions.approve,
            args=(workspace, approval_request),
        )
    follow_live_text()
    with declining, live_text("public_alert_approval", border=True):
        note = rejection_note(workspace, approval_request.id)
        note.get()  # the stored note is in the field
        st.text_area(
            "Changes needed",
            key=note.widget_key,
            on_change=keep_note,
            args=(workspace, approval_request.id),
            max_chars=NOTE_LENGTH,
            height=80,
            placeholder="Add the end time.",
        )
        if found:
            st.button(
                "Copy the warnings above",
                key="public_alert_approval.fill_note",
                icon=":material/content_copy:",
                type="tertiary",
                help="Copies the warnings into the note. You can edit them.",
                on_click=send_actions.fill_note,
                args=(workspace, approval_request.id, found),
            )
        if MISSING_NOTE.get() == approval_request.id:
            st.markdown(":small[:red[:material/error: Enter the changes that are needed.]]")
        st.button(
            "Reject alert",
            key="public_alert_approval.decline",
            icon=":material/block:",
            on_click=send_actions.decline,
            args=(workspace, approval_request),
        )


def _decided(workspace: Workspace, approval_request: ApprovalRequest, draft: AlertDraft) -> None:
    is_author = approval.is_author(workspace, approval_request)
    became = approval.outcome_words(workspace, approval_request)
    at = (
        plain(format_alert_time(workspace, draft, approval_request.decided_at))
        if approval_request.decided_at is not None
        else ""
    )
    decided = f"{plain((became or '').removesuffix('.'))} {at}."
    if became is None:
        st.info("You wrote this alert. Someone else must approve it.", icon=":material/info:")
    elif approval_request.state == "approved" and approval.counts(workspace, approval_request):
        next_step = "You can send it now." if is_author else f"{plain(approval_request.written_by)} can send it now."
        st.success(f"{decided} {next_step}", icon=":material/approval:")
    elif approval_request.state == "declined":
        st.info(f"{decided} “{plain(approval_request.note or '')}”", icon=":material/block:")
    else:
        st.info(plain(became), icon=":material/info:")
    if approval_request.written_by == workspace.actor.username:
        link_to(PUBLIC_ALERT, "Open draft", draft=approval_request.key)
    link_to(PUBLIC_ALERT_APPROVAL, "All alerts that need approval")


def _list_of_waiting(workspace: Workspace) -> None:
    actor = workspace.actor
    waiting = workspace.journal.approval_requests.waiting(actor.service, actor.organization_id, KIND)
    others = _others(workspace)
    mine = [each for each in waiting if approval.is_author(workspace, each) and approval.counts(workspace, each)]
    if not others:
        draw_empty_state(
            "approval",
            "No alerts need your approval. Alerts that others in your organization submit appear in this list."
            if approval.is_required()
            else "No alerts need approval. Approval is off. The administrator of Muster can require it.",
            key="public_alert_approval",
        )
    else:
        st.markdown(f"{count(len(others), 'alert needs', 'alerts need')} your approval.")
    for approval_request in others:
        _line(workspace, approval_request, "Open alert")
    if mine:
        st.markdown("**Your alerts, waiting for approval**")
    for approval_request in mine:
        _line(workspace, approval_request, "Open alert")


def _others(workspace: Workspace) -> list[ApprovalRequest]:
    actor = workspace.actor
    waiting = workspace.journal.approval_requests.waiting(actor.service, actor.organization_id, KIND)
    return [each for each in waiting if approval.why_not(workspace, each) is None]


def _line(workspace: Workspace, approval_request: ApprovalRequest, label: str) -> None:
    if (draft := submitted_draft(approval_request)) is None:  # not one that is valid
        return
    with st.container(border=True):
        taken = " · people could mistake it for a live alert" if looks_live(draft) else ""
        st.markdown(
            f"{look_of(draft).badge} **{plain(name_of(draft))}**{taken} · written by "
            f"{plain(approval_request.written_by)}"
        )
        st.text(draft.sms)
        whom = plain(known_reach(workspace, draft, patience=0).reach.whom)
        requested_at = approval_request.requested_at
        st.caption(
            f"To {whom} · approval requested {plain(format_alert_time(workspace, draft, requested_at))} "
            f"({ago(requested_at, datetime.now(UTC))})"
        )
        link_to(PUBLIC_ALERT_APPROVAL, label, id=approval_request.id)


def _failed(about: str) -> None:
    failed = DECISION.get()
    if failed is None or failed[0] != about:
        return
    if isinstance(failed[1], approval.CannotDecide):
        st.error(f"**Your decision was not saved.** {plain(str(failed[1]))}", icon=":material/error:")
    else:
        show_problem(failed[1], key="public_alert-approval")


def approval_status(workspace: Workspace, draft: AlertDraft) -> bool:
    """Draw the state of the approval, and return whether the draft may be sent."""
    if not approval.is_required():
        return True
    now = approval_of(workspace, draft)
    st.header("Approval", anchor=False)
    failed = DECISION.get()
    if failed is not None and failed[0] == draft.uid:
        show_problem(failed[1], key="public_alert-handing-over")
    approval_request = now.approval_request
    if now.may_be_sent and approval_request is not None:
        _approved(workspace, draft, approval_request)
        return True
    if now.state == "waiting" and approval_request is not None:
        _waiting(workspace, draft, approval_request)
        return False
    _why_to_request_approval(workspace, draft, now)
    st.button(
        "Request approval",
        key="public_alert.request_approval",
        type="primary",
        icon=":material/approval:",
        on_click=send_actions.request_approval,
        args=(workspace, draft),
    )
    return False


def address_of(approval_request: ApprovalRequest) -> str:
    """Return the URL at which a second person finds the alert."""
    path = browser_path(f"/{PUBLIC_ALERT_APPROVAL.url_path}?id={approval_request.id}")
    here = urlsplit(st.context.url or "")
    return f"{here.scheme}://{here.netloc}{path}" if here.netloc else path


def _approved(workspace: Workspace, draft: AlertDraft, approval_request: ApprovalRequest) -> None:
    now, at = datetime.now(UTC), approval_request.decided_at or approval_request.requested_at
    st.success(
        f"**Approved by {plain(approval_request.decided_by or '')}** {plain(format_alert_time(workspace, draft, at))} "
        f"({ago(at, now)}). "
        "Editing the alert voids the approval.",
        icon=":material/approval:",
    )
    if now - at > LONG_AGO:
        st.warning(
            f"**Approved {ago(at, now)}.** Check that the text is still true and that the end time is right.",
            icon=":material/schedule:",
        )


def _waiting(workspace: Workspace, draft: AlertDraft, approval_request: ApprovalRequest) -> None:
    since = plain(format_alert_time(workspace, draft, approval_request.requested_at))
    st.info(
        f"**Waiting for approval** since {since}. Send this link to another user of your organization. Editing the "
        "alert voids the request.",
        icon=":material/hourglass_top:",
    )
    st.code(address_of(approval_request), language=None, wrap_lines=True)
    st.button(
        "Withdraw request",
        key="public_alert.withdraw_request",
        icon=":material/undo:",
        on_click=send_actions.withdraw_request,
        args=(workspace, draft),
    )
    _watch(workspace, draft)


@st.fragment(run_every=EVERY_SECONDS)
def _watch(workspace: Workspace, draft: AlertDraft) -> None:
    if approval_of(workspace, draft).state != "waiting":
        redraw_page()
    st.caption("The decision appears on this page automatically.")


def _why_to_request_approval(workspace: Workspace, draft: AlertDraft, now: Approval) -> None:
    approval_request = now.approval_request
    if now.state == "declined" and approval_request is not None:
        at = approval_request.decided_at or approval_request.requested_at
        st.error(
            f"**Rejected by {plain(approval_request.decided_by or '')}** "
            f"{plain(format_alert_time(workspace, draft, at))} ({ago(at, datetime.now(UTC))}): "
            f"{plain(approval_request.note or 'No note')}",
            icon=":material/block:",
        )
    elif now.state == "changed":
        st.warning(
            "The alert has changed since you requested approval. Request approval again.",
            icon=":material/edit:",
        )
    st.markdown("Someone else must approve this alert before you can send it.")
