"""The second box of the composer: the text, on a phone as the public reads it, and the help to write it.

Text, meter, preview and checks are a part of the page that is drawn by itself: a keystroke draws nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.alert_composer import actions
from components.alert_composer.opening import is_new_in_address, keep, problems_now
from components.alert_composer.ready_box import blanks_to_fill, has_blanks_on_top
from components.alert_composer.writing_help import (
    begin_with,
    checks_line,
    meter_line,
    missing_words,
    text_findings,
    to_mend_line,
)
from components.alert_reach.named_elsewhere import place_advice
from components.alert_reach.place_names import place_names, place_words
from components.alert_reach.region_catalog import region_lookups
from components.alert_wording.contradictions import advice
from components.alert_wording.wording_checks import wording_checks
from components.forms.on_screen import OnScreen
from components.framework.own_scripts import live_text
from components.public_alerts.alert_form import ALERT_FORM, differs_beyond_its_text
from components.public_alerts.alert_problems import worth_showing
from components.public_alerts.alert_session import REVIEW_ASKED
from components.public_alerts.draft import AlertDraft
from components.public_alerts.expiry import ends_at
from components.public_alerts.phone_preview import Phone, show_on
from components.public_alerts.ready_alerts import open_blanks
from components.shell.session import current_workspace
from components.shell.workspace import Workspace
from components.widgets.field_problem import to_mend


@st.fragment
def written_text(
    workspace: Workspace,
    page_of: AlertDraft,
    zone: str | None,
    *,
    is_placed: bool,
    drawn: Sequence[Phone],
    checks: DeltaGenerator,
    foot: DeltaGenerator,
) -> None:
    """Draw the text with its meter and findings, how it reads on each phone `drawn`, in `checks` what it says.

    In `foot` stands what has to be mended. Unless it `is_placed`, the zone is not yet that of its places. The draft is
    kept as it is typed. `page_of` is the draft as the whole page was drawn last.
    """
    typed = actions.current()
    if typed is None:
        return
    draft = keep(workspace, typed)
    # Typing is use of the session, though it runs this part alone; signed out in another tab, nobody writes on here.
    if current_workspace() is None:
        st.rerun()
    # A button pressed right after a key may be taken up together with it, and then only this part is run: the page has
    # to follow. It also has to where the address does not name the draft yet, so that a refresh finds it again, and
    # where another tab changed something, or a blank was filled in by hand.
    is_joined = not draft.says_the_same(typed)
    has_other_blanks = has_blanks_on_top(draft) and open_blanks(draft) != open_blanks(page_of)
    is_beyond = is_joined or has_other_blanks or differs_beyond_its_text(draft, page_of)
    if REVIEW_ASKED.get() or is_beyond or is_new_in_address(draft):
        st.rerun()
    found = worth_showing(draft, problems_now(workspace, draft))
    catalog = region_lookups(workspace).regions.value
    elsewhere = place_advice(draft, catalog)
    said = wording_checks(draft, place_names(draft, catalog), is_elsewhere=bool(elsewhere))
    now = datetime.now(ZoneInfo(zone or "UTC"))
    ending = ends_at(draft.hours, now, zone) if is_placed else None
    for phone in drawn:
        show_on(phone, draft, folded=True)
    fields = OnScreen(ALERT_FORM, draft, found)
    if not has_blanks_on_top(draft):
        blanks_to_fill(draft)
    with live_text("public_alert"):
        fields.draw("sms")
        meter_line(draft)
        missing_words(draft, said)
        begin_with(draft, place_words(draft, catalog), ending.in_text if ending else "")
        text_findings(draft, [*advice(draft, now=now if is_placed else None, zone=zone), *elsewhere])
        fields.draw("instructions")
    with checks:
        if draft.checked:
            to_mend_line(draft, found)
        checks_line(draft, said)
    with foot:
        if draft.checked:
            to_mend(ALERT_FORM.listed(draft, found))


def around_the_alert(fields: OnScreen[AlertDraft]) -> None:
    """Draw title and text of the notification that carries the alert."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**The notification around it**", width="content")
        st.space("stretch")
        st.button(
            "Fill in from the alert",
            key="public_alert.fill_around",
            icon=":material/content_copy:",
            type="tertiary",
            help="The event becomes the title; the text message and the instructions become the text.",
            on_click=actions.fill_around,
        )
    fields.draw("title", "text")
