"""The third box of the composer: everything that decides who receives the alert, and who is named as its sender."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client.vocabulary.public_alerts import TYPES
from components.alert_reach.reach_card import reach_card
from components.alert_reach.region_catalog import RegionLookups, region_lookups
from components.alert_reach.region_picker import region_picker
from components.public_alerts.alert_problems import AlertProblems
from components.public_alerts.draft import AlertDraft
from components.public_alerts.field_keys import widget_key
from components.public_alerts.fields import names_field, say_problems, text_field
from components.public_alerts.form_values import CONTACT
from components.public_alerts.levels import TYPE, WHO_RECEIVES_A_TYPE
from components.public_alerts.request import zip_flag_is_offered

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def who_receives(workspace: Workspace, draft: AlertDraft, found: AlertProblems) -> None:
    """Draw the reach in words, and the fields that decide it."""
    held = region_lookups(workspace)
    st.subheader("Who receives it", anchor=False)
    reach_card(draft, held)
    region_picker(workspace, draft, found)
    _groups(draft, found, held)
    _zip_flag(draft, found)
    _type(draft, found)
    _contact(draft, found)


def _groups(draft: AlertDraft, found: AlertProblems, held: RegionLookups) -> None:
    now = held.groups.now
    names = now.value or {}
    names_field(
        draft,
        "groups",
        "Event groups",
        names,
        found,
        several=True,
        unknown="Group",
        placeholder="None" if names else "Being looked up" if now.is_running else "None to choose from",
        help_text="Optional. Subscribers of these groups, wherever they are.",
    )
    if now.error is not None and not names:
        st.markdown(":small[:orange[:material/cloud_off: The names of the groups are not to be had at the moment.]]")


def _zip_flag(draft: AlertDraft, found: AlertProblems) -> None:
    if zip_flag_is_offered(draft):
        st.checkbox(
            "Apply the zip codes to the event groups",
            value=draft.zip_to_groups,
            key=widget_key(draft, "zip_to_groups"),
            help="Of the event groups, only those in the zip codes chosen.",
        )
    elif draft.groups:
        st.caption("Zip codes can be applied to event groups only together with a place or a contact.")
    say_problems(found, "zip_to_groups")


def _type(draft: AlertDraft, found: AlertProblems) -> None:
    # What a draft came with stays to be seen, and is refused at the field.
    strange = [] if draft.type is None or draft.type in TYPES else [draft.type]
    options = [*TYPES, *strange]
    st.radio(
        "Type",
        options,
        index=None if draft.type is None else options.index(draft.type),
        key=widget_key(draft, "type"),
        format_func=lambda number: TYPES.get(number, f"Type {number}"),
        captions=[*(TYPE[number] for number in TYPES), *("" for _ in strange)],
        help=WHO_RECEIVES_A_TYPE,
    )
    say_problems(found, "type")


def _contact(draft: AlertDraft, found: AlertProblems) -> None:
    given = any(getattr(draft, name).strip() for name in CONTACT)
    wrong = any(found.of(name) for name in CONTACT)
    with st.expander("Who speaks (optional)", icon=":material/contact_phone:", expanded=given or wrong):
        text_field(draft, "contact_name", "Contact name", found, placeholder="Emergency desk")
        text_field(draft, "contact_email", "E-mail", found, placeholder="desk@city.example")
        text_field(draft, "contact_division", "Division", found, placeholder="Office of Emergency Management")
        text_field(draft, "contact_phone", "Phone", found, placeholder="311 or 3035550123", help_text="Digits only.")
