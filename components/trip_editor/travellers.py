"""The travellers on the screen, and the person who arranged the trip: a row each, or pasted from a spreadsheet."""

from __future__ import annotations

import streamlit as st

from components.trip_editor import actions
from components.trip_editor.draft import TravellerDraft, TripDraft
from components.trip_editor.field_problems import TRAVELLERS, TRIP, FieldProblems
from components.trip_editor.fields import phone_fields, say_problems, text_field, toggle_field


def travellers_form(draft: TripDraft, problems: FieldProblems) -> None:
    """Draw the travellers, the arranger, and how travellers become contacts."""
    st.subheader("Travellers")
    say_problems(problems, TRAVELLERS, "")
    for number, traveller in enumerate(draft.travellers, start=1):
        _row(traveller, number, problems, removable=True)
    with st.container(horizontal=True):
        st.button(
            "Add a traveller", key="trip_editor.add_traveller", icon=":material/add:", on_click=actions.add_traveller
        )
        with st.popover("Paste from a spreadsheet", icon=":material/content_paste:"):
            st.text_area(
                "Rows of employee id, first name, last name, e-mail, phone",
                key=actions.PASTE_KEY,
                placeholder="E100\tAna\tSilva\tana@example.org\t+971 50 123 4567",
                height=140,
            )
            st.button("Add these travellers", key="trip_editor.paste_rows", on_click=actions.paste_travellers)
    _arranger(draft, problems)
    _contacts(draft, problems)


def _row(traveller: TravellerDraft, number: int, problems: FieldProblems, *, removable: bool) -> None:
    with st.container(border=True, key=f"trip_editor-traveller-{traveller.uid}"):
        columns = st.columns([2, 2, 2, 3])
        fields = (
            ("employee_id", "Employee id", None),
            ("first_name", "First name", None),
            ("last_name", "Last name", None),
            ("emails", "E-mail addresses", "several by commas"),
        )
        for column, (path, label, placeholder) in zip(columns, fields, strict=True):
            with column:
                text_field(traveller, path, label, problems, placeholder=placeholder)
        with st.container(horizontal=True, gap="small"):
            _more(traveller, number, problems)
            if removable:
                st.button(
                    "Remove",
                    key=f"trip_editor.remove/{traveller.uid}",
                    icon=":material/delete:",
                    help=f"Remove traveller {number}",
                    type="tertiary",
                    on_click=actions.remove_traveller,
                    args=(traveller.uid, f"traveller {number}"),
                )
        say_problems(problems, traveller.uid, "", "middle_name", "contact_id", "phones")


def _more(traveller: TravellerDraft, number: int, problems: FieldProblems) -> None:
    with st.popover("More", icon=":material/more_horiz:", type="tertiary", help=f"More about traveller {number}"):
        text_field(traveller, "middle_name", "Middle name", problems)
        phone_fields(traveller, "Phone number", "Country of the phone number")
        if len(traveller.phones) > 1:
            others = ", ".join(f"{phone.country} {phone.number}".strip() for phone in traveller.phones[1:])
            st.caption(f"Further numbers that stay as they are: {others}")
        text_field(
            traveller,
            "contact_id",
            "Contact id",
            problems,
            help_text="The id of an existing contact at the service; the employee id is enough as a rule.",
        )


def _arranger(draft: TripDraft, problems: FieldProblems) -> None:
    if draft.arranger is None:
        st.button(
            "Add who arranged the trip",
            key="trip_editor.add_arranger",
            icon=":material/support_agent:",
            type="tertiary",
            on_click=actions.set_arranger,
            args=(True,),
        )
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Arranged by**")
        st.button(
            "Remove",
            key="trip_editor.remove_arranger",
            icon=":material/delete:",
            type="tertiary",
            on_click=actions.set_arranger,
            args=(False,),
        )
    _row(draft.arranger, 0, problems, removable=False)


def _contacts(draft: TripDraft, problems: FieldProblems) -> None:
    with st.expander("How travellers become contacts", expanded=bool(problems.at(TRIP, "contact_record_type"))):
        for path, label, words in (
            (
                "auto_create_contact",
                "Make contacts for travellers who have none",
                "Travellers are matched by employee id, else by e-mail or name. Without a contact nobody is expected.",
            ),
            (
                "email_case_sensitive",
                "Capital letters count in employee ids that are e-mail addresses",
                "Only when a trip is added.",
            ),
        ):
            if path != "email_case_sensitive" or not draft.is_change:
                toggle_field(draft, path, label, words)
        text_field(
            draft,
            "contact_record_type",
            "Record type of new contacts",
            problems,
            owner=TRIP,
            placeholder="The service's own",
        )
