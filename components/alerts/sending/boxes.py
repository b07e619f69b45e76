"""The three boxes of a review: event and levels, message, and recipients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final

import streamlit as st

from components.alerts.phone_preview import phone_preview
from components.alerts.recipients.reach_card import reach_card
from components.alerts.recipients.reach_map_view import reach_map
from components.alerts.sending.alert_times import alert_zone, format_alert_time, text_zone
from components.widgets.browser_zone import browser_zone
from domain.alerts.cap.alert_state import not_live_reasons
from domain.alerts.draft import SECOND_LANGUAGE, AlertDraft
from domain.alerts.filing_names import CATEGORIES, EVENTS, filing_names
from domain.alerts.levels import eligibility_hint
from domain.alerts.recipients.reach import Reach
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.alert_chain import chains
from domain.alerts.sending.alerts_in_force import AlertInForce, find_followed, find_remaining
from domain.alerts.sending.facts import CANNOT_RECALL, Fact, around, event_facts, length_words, look_of, name_of, sender
from domain.alerts.sending.hints import find_hints
from domain.alerts.sending.known_recipients import has_known_zone
from domain.alerts.wording.contradictions import Advice, Fix, looks_live
from domain.alerts.wording.follow_ups import KINDS, is_calm
from domain.alerts.wording.sms import describe_wireless_excess
from domain.runtime.background import BackgroundReads
from domain.runtime.workspace import Workspace
from domain.text.place_clock import clock, zone_or_utc
from domain.text.plain_text import plain
from domain.text.time_text import ago, moment

LONG_AGO: Final = timedelta(hours=1)
"""The age at which texts, and an approval of them, count as old."""


def has_old_words(draft: AlertDraft) -> bool:
    """Return whether the texts are so old that they may not be true anymore."""
    return not draft.is_untouched and datetime.now(UTC) - draft.written_at > LONG_AGO


def age_note(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the age of old texts, and the CAP alert that they came from."""
    written, now = draft.written_at, datetime.now(UTC)
    _source_note(workspace, draft, now)
    if has_old_words(draft):
        st.warning(
            f"**Written {ago(written, now)}**, {plain(format_alert_time(workspace, draft, written))}. Check that the "
            "text is still true and that the end time is right.",
            icon=":material/schedule:",
        )


def _source_note(workspace: Workspace, draft: AlertDraft, now: datetime) -> None:
    source = draft.source
    if source is None:
        return
    sender = f" from {plain(source.sender)}" if source.sender else ""
    is_old = source.sent is not None and now - source.sent > LONG_AGO
    lines = []
    if source.is_over:
        lines.append(f"**The CAP alert{sender} says that this event is over.**")
    if source.sent is not None and is_old:
        sent = f"{ago(source.sent, now)}**, {plain(format_alert_time(workspace, draft, source.sent))}"
        lines.append(f"**The CAP alert{sender} was sent {sent}.")
    if lines:
        st.warning(" ".join([*lines, "Check that the text is still true."]), icon=":material/history:")


def cap_status_note(draft: AlertDraft) -> None:
    """Draw why the CAP alert that a live alert was opened from was not live itself. Draw it first, and at the text."""
    source = draft.source
    reasons = not_live_reasons(source) if source is not None and not draft.is_test else []
    if source is not None and reasons:
        sender = f" from {plain(source.sender)}" if source.sender else ""
        st.warning(
            f"**The CAP alert{sender} {plain(' and '.join(reasons))}, but this alert is live.** For a test or an "
            "exercise, select a routine test as the event.",
            icon=":material/science:",
        )


def template_note(draft: AlertDraft) -> None:
    """Draw the alert template of the draft, and when it was saved."""
    if draft.template is not None:
        written = f", saved {plain(moment(draft.template_saved_at))}" if draft.template_saved_at is not None else ""
        name, version = draft.template
        st.caption(f":material/bolt: From the alert template “{plain(name)}”, version {version}{written}.")


def loading_names_note() -> None:
    """Say that the names of the recipients are loading. Draw it only if the page follows the lookups."""
    st.info(
        "**Loading the names of the recipients.** You can continue in a few seconds.",
        icon=":material/hourglass_top:",
    )


def boxes(workspace: Workspace, draft: AlertDraft, *, at: datetime | None = None, quiet: bool = False) -> None:
    """Draw the three boxes side by side, or below each other on a phone. `at` is when the alert was sent.

    With `quiet`, nothing in them redraws the page.
    """
    zone, now = alert_zone(workspace, draft), at or datetime.now(UTC)
    happens, reads, receives = st.columns(3, gap="medium")
    with happens, st.container(border=True):
        st.header("Event and levels", anchor=False)
        _facts(event_facts(draft, now=now, zone=zone, desk=browser_zone(), is_sent=at is not None))
        hint = eligibility_hint(draft)
        if hint:
            st.caption(f":material/info: {plain(hint)}")
        facts = around(draft, _filed(workspace, draft))
        if facts:
            st.markdown("**Notification**")
            _facts(facts)
    with reads, st.container(border=True):
        st.header("Message", anchor=False)
        cap_status_note(draft)
        phone_preview(draft, clock(now.astimezone(zone_or_utc(zone))))
        st.caption(length_words(draft))
    with receives, st.container(border=True):
        st.header("Recipients", anchor=False)
        lookups = region_lookups(workspace)
        is_awaited = bool(draft.regions or draft.groups) or not has_known_zone(draft, lookups.regions.value)
        reach_card(draft, lookups, key="public_alert-reach-read", watch=is_awaited and not quiet)
        if not quiet:
            reach_map(draft, lookups.regions.value, key=f"public_alert-map/{draft.uid}")
        contact = sender(draft)
        if contact:
            st.markdown("**Sender**")
            _facts(contact)


def says(draft: AlertDraft, summary: str) -> None:
    """Draw the text of an alert in one box, with a line about it and the sender."""
    with st.container(border=True):
        st.markdown(f":material/campaign: **{plain(draft.event or 'Public alert')}** · {plain(draft.category)}")
        if draft.sms:
            st.text(draft.sms)
        else:
            st.caption("No text")
        if draft.instructions:
            st.caption(":material/checklist: Instructions")
            st.text(draft.instructions)
        st.caption(plain(summary))
        if contact := sender(draft):
            st.markdown(f":material/contact_phone: {plain(' · '.join(fact.value for fact in contact))}")


def find_warnings(workspace: Workspace, draft: AlertDraft) -> tuple[list[str], Sequence[Advice]]:
    """Return the warnings, as of now: contradictions, missing content, and a follow-up that someone else sent
    meanwhile. The advice among them may offer fixes.

    The check of the end time waits for the places, which give the time zone.
    """
    regions = region_lookups(workspace).regions
    if not has_known_zone(draft, regions.value):
        regions.wait(BackgroundReads.patience_for_names, since_it_began=True)
    hints = find_hints(draft, regions.value, now=datetime.now(UTC), zone=text_zone(workspace, draft))
    lines = [*remaining_alerts(workspace, draft), *(each.words for each in hints.advice)]
    lines += [each.hint for each in hints.missing]
    lines += filter(None, [describe_wireless_excess(draft.sms)])
    takes_its_place = draft.follow_up not in ("", SECOND_LANGUAGE)
    after = chains(workspace).superseded(draft.follows) if takes_its_place else None
    if after is not None and after.draft != draft.uid:
        followed = after.describe(partial(format_alert_time, workspace, draft))
        lines.insert(
            0,
            f"Notification {draft.follows} already has a follow-up. {followed}. Check that this alert is still needed.",
        )
    return lines, hints.advice


def draw_warnings(
    workspace: Workspace, draft: AlertDraft, fix_draft: Callable[[Fix], None] | None = None, *, writer: str = ""
) -> list[str]:
    """Draw the warnings, and return them.

    `fix_draft` is called by the button of a fix. `writer` is the author, for a user who only approves.
    """
    lines, advice = find_warnings(workspace, draft)
    if lines:
        shown = "\n".join(f"- {plain(line)}" for line in lines)
        head = "**Check before you send**"
        if writer:
            head = (
                f"**Check before you approve.** Only {plain(writer)} can edit this alert. To request changes, "
                "reject it."
            )
        st.warning(f"{head}\n{shown}", icon=":material/visibility:")
    regions = region_lookups(workspace).regions
    if not has_known_zone(draft, regions.value):
        st.info(
            "**Loading the list of places.** Muster cannot check the end time in the text yet."
            if regions.now.is_running
            else "**The list of places could not be loaded.** Muster cannot check the end time in the text.",
            icon=":material/hourglass_top:",
        )
    if fix_draft is not None:
        advice_buttons(advice, fix_draft)
    return lines


def advice_buttons(advice_list: Sequence[Advice], fix_draft: Callable[[Fix], None]) -> None:
    """Draw a button for each change that advice offers."""
    fixes = {fix.label: fix for each in advice_list for fix in each.fixes}
    if fixes:
        with st.container(horizontal=True):
            for number, (label, fix) in enumerate(fixes.items()):
                st.button(
                    plain(label),
                    key=f"public_alert.fix/{number}",
                    icon=":material/build:",
                    on_click=fix_draft,
                    args=(fix,),
                )


def kind_banner(workspace: Workspace, draft: AlertDraft, reach: Reach) -> None:
    """Say at the top whether this is a test or a live alert, with a color, and which alert it follows."""
    look, whom = look_of(draft), plain(reach.whom)
    if looks_live(draft):
        st.error(
            f"**This test reads like a live alert. Event: {plain(name_of(draft))}. To: {whom}.** {CANNOT_RECALL}",
            icon=":material/campaign:",
        )
    elif is_calm(draft):
        st.success(
            f"**{plain(look.words)}: {plain(draft.event)}. To: {whom}.** This alert tells people that they no longer "
            f"need to act. {CANNOT_RECALL}",
            icon=look.icon,
        )
    elif draft.is_test:
        with st.container(border=True, key="public_alert-test-band"):
            st.markdown(f"{look.badge} :violet[**To: {whom}.** A test is delivered like a live alert. {CANNOT_RECALL}]")
    else:
        st.error(
            f"**LIVE ALERT: {plain(name_of(draft))}. To: {whom}.** {CANNOT_RECALL}",
            icon=":material/campaign:",
        )
    if draft.follow_up and draft.follows is not None:
        followed = find_followed(workspace, draft)
        named = f"Follows notification {draft.follows}"
        if followed is not None:
            named += f": {_quoted(followed)}, sent {format_alert_time(workspace, followed.draft, followed.sent_at)}"
        st.markdown(f":material/reply: {KINDS[draft.follow_up].title}. {plain(named)}.")
    cap_status_note(draft)


def _quoted(alert: AlertInForce) -> str:
    return f"“{alert.draft.title.strip() or name_of(alert.draft)}”"


def remaining_alerts(workspace: Workspace, draft: AlertDraft) -> list[str]:
    """Name each live alert that stays in force for some of the same people after an all clear."""
    return [
        f"Another alert stays in force for some of the same people: {_quoted(each)}, sent "
        f"{format_alert_time(workspace, each.draft, each.sent_at)}, until "
        f"{format_alert_time(workspace, each.draft, each.ends)}."
        for each in find_remaining(workspace, draft, datetime.now(UTC))
    ]


def _facts(facts: Sequence[Fact]) -> None:
    with st.container(gap="xsmall"):
        for fact in facts:
            meaning = f"  \n:small[{plain(fact.meaning)}]" if fact.meaning else ""
            st.markdown(f"{plain(fact.label)}: **{plain(fact.value)}**{meaning}")


def _filed(workspace: Workspace, draft: AlertDraft) -> dict[str, dict[int, str]]:
    if draft.notification_event_id is None and draft.category_id is None:
        return {}
    filing = filing_names(workspace, patience=BackgroundReads.patience_for_names)
    return {name: filing.names(name) for name in (EVENTS, CATEGORIES)}
