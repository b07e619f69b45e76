"""Help beside the text: what it costs as SMS, what it lacks, what contradicts what, and words to begin with."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.alert_composer import actions
from components.alert_sending.boxes import advice_buttons
from components.alert_wording.contradictions import Advice
from components.alert_wording.sms import measure, wireless_rooms
from components.alert_wording.wording_checks import FINISHED, Check
from components.forms.form import Problems
from components.public_alerts.alert_events import gaps
from components.public_alerts.alert_form import ALERT_FORM
from components.public_alerts.alert_session import STEPS
from components.public_alerts.draft import AlertDraft
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names


def meter_line(draft: AlertDraft) -> None:
    """Draw how much room the text takes on each channel, and which characters made it expensive, with a way out."""
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
            "Straighten quotes and dashes",
            key="public_alert.straighten",
            icon=":material/auto_fix_high:",
            on_click=actions.straighten_text,
            args=("sms",),
        )
    if any(each.replacement is None for each in meter.costly):
        st.caption("Nothing plain stands for some of them: write them otherwise, or let the text take more messages.")


def text_findings(draft: AlertDraft, found: Sequence[Advice]) -> None:
    """Draw what still has to be filled in, and what was `found` to contradict what."""
    open_gaps = gaps(draft.sms, draft.instructions, draft.title, draft.text)
    if open_gaps:
        st.warning(f"Still to be filled in: **{plain(names(open_gaps, at_most=8))}**", icon=":material/edit:")
    for each in found:
        st.warning(plain(each.words), icon=":material/compare_arrows:")
    advice_buttons(found, lambda each: actions.put(each.label[:1].lower() + each.label[1:], dict(each.change)))


def begin_with(draft: AlertDraft, place: str, until: str) -> None:
    """Draw the way to begin with a skeleton, and the way back from what a button wrote."""
    steps = STEPS.get()
    if not steps or steps[-1][0] != draft.uid:
        _skeleton(draft, place, until)
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _skeleton(draft, place, until)
        st.space("stretch")
        st.button(
            "Undo",
            key="public_alert.undo",
            icon=":material/undo:",
            type="tertiary",
            help=f"Undo: {plain(steps[-1][1])}",
            on_click=actions.undo,
        )


def _skeleton(draft: AlertDraft, place: str, until: str) -> None:
    st.button(
        "Insert the skeleton",
        key="public_alert.skeleton",
        icon=":material/format_list_numbered:",
        type="tertiary",
        help="Who says it, the hazard, the place, what to do, until when: as gaps to fill in.",
        on_click=actions.insert_skeleton,
        args=(place, until),
        disabled=bool(gaps(draft.sms)),
    )


def checks_line(draft: AlertDraft, checks: Sequence[Check]) -> None:
    """Draw whether it is a test or live, and what a warning has to say, with signs of whether the text says it."""
    kind = []
    if draft.event:
        kind = [":violet-badge[:material/science: Test]" if draft.is_test else ":red-badge[:material/campaign: Live]"]
    is_written = bool(draft.sms.strip())
    # As badges, which a line never turns within.
    st.markdown(" ".join([*kind, *(_sign(check) if is_written else _unsaid(check) for check in checks)]))


def _unsaid(check: Check) -> str:
    return f":gray-badge[:material/radio_button_unchecked: {plain(check.name)}]"


def _sign(check: Check) -> str:
    if check.ok:
        return f":green-badge[:material/check_circle: {plain(check.name)}]"
    return f":orange-badge[:material/cancel: **{plain(check.name)}**]"


def missing_words(draft: AlertDraft, checks: Sequence[Check]) -> None:
    """Draw what to write for each thing the text does not say."""
    # Gaps are named below, those of the other texts too.
    missing = [check for check in checks if not check.ok and check.name != FINISHED]
    if draft.sms.strip() and missing:
        st.caption("  \n".join(f":orange[:material/cancel:] {plain(check.words)}" for check in missing))


def to_mend_line(draft: AlertDraft, found: Problems) -> None:
    """Draw in a line how much keeps the alert from being sent, and at which fields."""
    lines = ALERT_FORM.told(draft, found)
    if lines:
        slots = list(dict.fromkeys(f"“{where}”" if where else "the alert" for where, _ in lines))
        words = f"{count(len(lines), 'thing', 'things')} to mend"
        st.markdown(f":red[:material/error: **{words}**: {plain(names(slots, at_most=6))}]")
