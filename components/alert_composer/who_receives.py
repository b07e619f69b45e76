"""The third box of the composer: everything that decides who receives the alert, and who is named as its sender."""

from __future__ import annotations

import streamlit as st

from components.alert_reach.reach_card import reach_card
from components.alert_reach.region_catalog import region_lookups
from components.alert_reach.region_picker import region_picker
from components.forms.on_screen import OnScreen
from components.public_alerts.alert_form import CONTACT
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import zip_flag_is_offered
from components.shell.workspace import Workspace


def who_receives(workspace: Workspace, fields: OnScreen[AlertDraft]) -> None:
    """Draw the reach in words, and the fields that decide it."""
    draft, held = fields.draft, region_lookups(workspace)
    st.subheader("Who receives it", anchor=False)
    reach_card(draft, held)
    region_picker(workspace, fields)
    now = held.groups.now
    names = now.value or {}
    fields.draw(
        "groups",
        options=list(names),
        named=lambda group: names.get(group, f"Group {group}"),
        placeholder="None" if names else "Being looked up" if now.is_running else "None to choose from",
    )
    if now.error is not None and not names:
        st.markdown(":small[:orange[:material/cloud_off: The names of the groups are not to be had at the moment.]]")
    fields.draw("zip_to_groups", quietly=True)
    if draft.groups and not zip_flag_is_offered(draft):
        st.caption("Zip codes can be applied to event groups only together with a place or a contact.")
    fields.say("zip_to_groups")
    fields.draw("type")
    given = any(getattr(draft, name).strip() for name in CONTACT)
    wrong = bool(fields.problems.at(draft.uid, *CONTACT))
    with st.expander("Who speaks (optional)", icon=":material/contact_phone:", expanded=given or wrong):
        fields.draw(*CONTACT)
