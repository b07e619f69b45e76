"""Drawing one contact filter beside the list, or what can be done with several that are picked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.change import kept_drafts
from components.change.removed_view import ask_to_remove
from components.contact_filters.comparison import name_of, rules_of
from components.contact_filters.departures import marks
from components.contact_filters.filter_change import FILTER, FILTER_REMOVAL, target_of
from components.contact_filters.filter_frame import BY_NAME, by_key, last_change
from components.contact_filters.listing import Listing
from components.contact_filters.sentence import rule_words, sentence
from components.contact_filters.state import DETAIL
from components.contact_filters.wire import from_filter
from components.filter_builder.actions import viewers_zone
from components.filter_saving import saving
from components.filter_saving.editor import open_copy
from components.shell.navigation import go_to
from components.shell.notices import show_problem
from components.shell.screens import CONTACT_FILTER
from components.widgets.ids import id_in, quoted_id
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

NAMED = 12


def draw_picked(workspace: Workspace, listing: Listing, picked: Sequence[str]) -> None:
    """Draw what is picked in the list: nothing, one filter, or several."""
    if not picked:
        st.caption("Pick a filter to read what it says, to edit, copy or delete it.")
    elif len(picked) == 1:
        _draw_one(workspace, listing, picked[0])
    else:
        _draw_several(workspace, listing, picked)


def _draw_one(workspace: Workspace, listing: Listing, key: str) -> None:
    stored = _whole(workspace, listing, key)
    if isinstance(stored, Exception):
        if isinstance(stored, NotFound):
            what = f"called “{key.removeprefix(BY_NAME)}”" if key.startswith(BY_NAME) else quoted_id(key)
            st.info(
                f"The service has no filter {plain(what)}. It may have been deleted meanwhile.",
                icon=":material/search_off:",
            )
        else:
            show_problem(stored, doing="reading the contact filter", key="contact-filters-detail")
            st.button("Try again", key="contact-filters-detail-again", on_click=DETAIL.clear)
        return
    st.subheader(plain(name_of(stored)) or "A filter without a name", anchor=False)
    rules = stored.rules
    st.caption(f"{count(len(rules), 'rule', 'rules')} · {plain(last_change(stored))}")
    if stored.created_name and stored.created_date:
        st.caption(f"made by {plain(stored.created_name)} on {moment(stored.created_date)}")
    _draw_buttons(workspace, stored)
    draft, zone = from_filter(stored, filter_id=stored.id or 0), viewers_zone()
    if rules:
        st.markdown(f"*{plain(sentence(draft, zone))}*")
        st.markdown(
            "\n".join(f"{n}. {plain(rule_words(rule, zone))}" for n, rule in enumerate(rules_of(stored), start=1))
        )
        odd = [(number, words) for number, rule in enumerate(draft.rules, start=1) for words in marks(rule)]
        if odd:
            st.warning(
                "\n".join(f"- Rule {number}: {plain(words)}" for number, words in odd), icon=":material/warning:"
            )
    else:
        st.caption("The service tells no rules of this filter.")
    if stored.id:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Id", width="content")
            st.code(str(stored.id), language=None, width="content")


def _draw_buttons(workspace: Workspace, stored: ContactFilter) -> None:
    begun = kept_drafts.unfinished_about(workspace, FILTER, stored.id) if stored.id else []
    with st.container(horizontal=True):
        if st.button(
            "Go on with your change" if begun else "Edit",
            key="contact-filters-edit",
            icon=":material/edit:",
        ):
            go_to(CONTACT_FILTER, id=stored.id or None, name=None if stored.id else stored.name)
        if st.button("Copy", key="contact-filters-copy", icon=":material/content_copy:"):
            open_copy(workspace, saving.copy_of(stored))
        if st.button(":red[Delete]", key="contact-filters-delete", icon=":material/delete:"):
            ask_to_remove(workspace, FILTER_REMOVAL, [target_of(stored)])


def _draw_several(workspace: Workspace, listing: Listing, picked: Sequence[str]) -> None:
    known = by_key(listing.filters)
    filters = [known[key] for key in picked if key in known]
    st.subheader(f"{count(len(picked), 'filter', 'filters')} picked", anchor=False)
    targets = [target_of(each) for each in filters]
    st.markdown("\n".join(f"- {plain(each.title)}" for each in targets[:NAMED]))
    if len(targets) > NAMED:
        st.caption(f"and {len(targets) - NAMED:,} more")
    if len(targets) < len(picked):
        missing = count(len(picked) - len(targets), "filter", "filters")
        st.caption(f"{missing} of them not in the list any more.")
    if targets and st.button(
        f":red[{plain(FILTER_REMOVAL.label(targets))}]", key="contact-filters-delete-several", icon=":material/delete:"
    ):
        ask_to_remove(workspace, FILTER_REMOVAL, targets)


def _whole(workspace: Workspace, listing: Listing, key: str) -> ContactFilter | Exception:
    """The filter with all that the service tells of it: records of the list are thinner. Read once for each list."""
    held = DETAIL.get()
    if held is not None and held[:2] == (key, listing.read_at):
        return held[2]
    number = id_in(key)
    api = workspace.client.contact_filters
    found: ContactFilter | Exception
    try:
        with st.spinner("Reading the filter"):
            if number is not None:
                found = api.retrieve(number)
            elif key.startswith(BY_NAME):
                found = api.retrieve_by_name(key.removeprefix(BY_NAME))
            else:
                found = by_key(listing.filters).get(key) or NotFound("This filter has neither an id nor a name.")
    except ServiceError as error:
        found = error
    DETAIL.set((key, listing.read_at, found))
    return found
