"""The second box of the composer: the text, its preview on a phone, and help with writing.

A fragment draws text, meter, preview, and checks, so that typing does not rerun the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.alerts.alert_session import IS_PAGE_OUTDATED
from components.alerts.composer import actions
from components.alerts.composer.actions import is_new_in_url, keep, problems_now
from components.alerts.composer.start_options import has_placeholders_on_top, placeholder_fields
from components.alerts.phone_preview import Phone, show_on
from components.alerts.sending import send_actions
from components.alerts.sending.alert_editor import ALERT_EDITOR
from components.alerts.sending.boxes import advice_buttons, cap_status_note, has_old_words
from components.edits.send_status_view import draw_undo
from components.forms.form_view import FormView
from components.shell.notices import error_list
from components.shell.session import current_workspace
from components.streamlit_workarounds.own_scripts import live_text
from domain.alerts.alert_events import placeholders_in
from domain.alerts.alert_form import ALERT_FORM, differs_beyond_its_text
from domain.alerts.alert_problems import problems_to_show
from domain.alerts.alert_templates import open_placeholders
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.hints import find_hints
from domain.alerts.wording.contradictions import Advice
from domain.alerts.wording.sms import measure, wireless_rooms
from domain.alerts.wording.wording_checks import FINISHED, Check
from domain.forms.form import Problems
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names, plain


@st.fragment
def text_part(
    workspace: Workspace,
    page_of: AlertDraft,
    zone: str | None,
    *,
    drawn: Sequence[Phone],
    checks: DeltaGenerator,
    foot: DeltaGenerator,
) -> None:
    """Draw the text with its meter and findings, the phones in `drawn`, and the checks in `checks`.

    The errors go to `foot`. `zone` is that of times in the text. The draft is stored as the user types. `page_of` is
    the draft as the whole page was last drawn.
    """
    typed = actions.current()
    if typed is None:
        return
    had_conflict = ALERT_EDITOR.conflict.get() is not None
    draft = keep(workspace, typed)
    # Typing counts as use of the session, although only this fragment runs. After a sign-out in another tab it ends.
    if current_workspace() is None:
        st.rerun()
    # A button pressed right after a key may share its run, which draws only this fragment. The page must follow, as it
    # must if the URL does not name the draft yet, or if another tab changed something.
    is_joined = not draft.has_same_payload(typed) or had_conflict is not (ALERT_EDITOR.conflict.get() is not None)
    if IS_PAGE_OUTDATED.get() or is_joined or is_outdated(page_of, draft) or is_new_in_url(draft):
        st.rerun()
    found = problems_to_show(draft, problems_now(workspace, draft))
    catalog = region_lookups(workspace).regions.value
    hints = find_hints(draft, catalog, now=datetime.now(UTC), zone=zone)
    # A fragment can draw into containers outside it only if they had content when the whole page was drawn.
    for place in (*(phone.screen for phone in drawn), foot):
        place.empty()
    for phone in drawn:
        show_on(phone, draft, folded=True)
    fields = FormView(ALERT_FORM, draft, found)
    if not has_placeholders_on_top(draft):
        placeholder_fields(draft)
    with live_text("public_alert"):
        with st.container():
            cap_status_note(draft)
        fields.draw("sms")
        meter_line(draft)
        missing_words(draft, hints.checks)
        skeleton()
        text_findings(draft, hints.about_text)
        fields.draw("instructions")
    with checks:
        if draft.checked:
            errors_line(draft, found)
        checks_line(draft, hints.checks)
        # Always visible.
        draw_undo(ALERT_EDITOR)
    with foot:
        if draft.checked:
            error_list(ALERT_FORM.describe_problems(draft, found))


def is_outdated(page_of: AlertDraft, draft: AlertDraft) -> bool:
    """Return whether the rest of the page, drawn for one state of a draft, is wrong for another.

    For example, when a placeholder was filled in the text, or when old texts were changed.
    """
    has_other_blanks = has_placeholders_on_top(draft) and open_placeholders(draft) != open_placeholders(page_of)
    has_new_words = has_old_words(page_of) and not has_old_words(draft)
    return has_other_blanks or has_new_words or differs_beyond_its_text(draft, page_of)


def notification_fields(fields: FormView[AlertDraft]) -> None:
    """Draw the title and text of the notification that carries the alert."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Notification**", width="content")
        st.space("stretch")
        st.button(
            "Copy from alert",
            key="public_alert.fill_around",
            icon=":material/content_copy:",
            type="tertiary",
            help="Copies the event to the title, and the text message and instructions to the text.",
            on_click=actions.fill_notification,
        )
    fields.draw("title", "text")


def meter_line(draft: AlertDraft) -> None:
    """Draw the length of the text per channel, and the characters that make it longer, with a fix."""
    meter = measure(draft.sms)
    is_cheap = meter.segments == 1 and not meter.costly
    color, icon = ("green", ":material/check:") if is_cheap else ("orange", ":material/splitscreen:")
    if not draft.sms:
        color, icon = "gray", ":material/straighten:"
    rooms = [
        f":{'gray' if fits else 'orange'}-badge[:material/cell_tower: {plain(words)}]"
        for words, fits in wireless_rooms(draft.sms)
    ]
    st.markdown(" ".join([f":{color}-badge[{icon} SMS: {plain(meter.words)}]", *rooms]))
    if meter.doubled:
        st.caption(plain(meter.doubled_words))
    if not meter.costly:
        return
    st.markdown(f":small[:orange[:material/paid: {plain(meter.costly_words)}]]")
    if meter.can_be_straightened:
        st.button(
            "Replace quotes and dashes",
            key="public_alert.straighten",
            icon=":material/auto_fix_high:",
            on_click=actions.straighten_text,
            args=("sms",),
        )
    if any(each.replacement is None for each in meter.costly):
        st.caption(
            "Some of these characters have no plain equivalent. Replace them yourself, or accept more message parts."
        )


def text_findings(draft: AlertDraft, findings: Sequence[Advice]) -> None:
    """Draw the unfilled placeholders, and the contradictions in `findings`."""
    open_gaps = placeholders_in(draft.sms, draft.instructions, draft.title, draft.text)
    if open_gaps:
        st.warning(f"Fill in these placeholders: **{plain(names(open_gaps, at_most=8))}**", icon=":material/edit:")
    for each in findings:
        st.warning(plain(each.words), icon=":material/compare_arrows:")
    advice_buttons(findings, send_actions.apply_fix)


def skeleton() -> None:
    """Draw the button that inserts the outline."""
    st.button(
        "Insert outline",
        key="public_alert.skeleton",
        icon=":material/format_list_numbered:",
        type="tertiary",
        help="Inserts placeholders for the sender, the hazard, the place, what to do, and the end time.",
        on_click=actions.insert_outline,
    )


def checks_line(draft: AlertDraft, checks: Sequence[Check]) -> None:
    """Draw whether it is a test or live, and badges for what the text says and lacks."""
    kind = []
    if draft.event:
        kind = [
            ":violet-badge[:material/science: **TEST**]"
            if draft.is_test
            else ":red-badge[:material/campaign: **LIVE ALERT**]"
        ]
    is_written = bool(draft.sms.strip())
    # Badges do not break over lines.
    st.markdown(" ".join([*kind, *(_sign(check, is_written=is_written) for check in checks)]))


def _sign(check: Check, *, is_written: bool) -> str:
    if not is_written:
        return f":gray-badge[:material/radio_button_unchecked: {plain(check.name)}]"
    if check.ok:
        return f":green-badge[:material/check_circle: {plain(check.name)}]"
    return f":orange-badge[:material/cancel: **{plain(check.name)}**]"


def missing_words(draft: AlertDraft, checks: Sequence[Check]) -> None:
    """Draw what to write for each thing that the text lacks."""
    # Placeholders are named below, with those of the other texts.
    missing = [check for check in checks if not check.ok and check.name != FINISHED]
    if draft.sms.strip() and missing:
        st.caption("  \n".join(f":orange[:material/cancel:] {plain(check.words)}" for check in missing))


def errors_line(draft: AlertDraft, problems: Problems) -> None:
    """Draw a line with the number of errors and their fields."""
    lines = ALERT_FORM.label_problems(draft, problems)
    if lines:
        slots = list(dict.fromkeys(f"“{where}”" if where else "the alert" for where, _ in lines))
        errors = count(len(lines), "error", "errors")
        st.markdown(f":red[:material/error: **{errors}**: {plain(names(slots, at_most=6))}]")
