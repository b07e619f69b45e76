"""Drawing the question before contact filters are deleted, and what became of each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components.contact_filters import draft_store
from components.contact_filters.changes import DELETE
from components.contact_filters.state import DETAIL, DRAFT, LISTING
from components.filter_saving import removal
from components.filter_saving.removal import Outcome, Target
from components.filter_saving.state import LEAVE, REMOVED
from components.shell.changing import change, is_under_way
from components.shell.notices import done
from components.shell.problems import explain
from components.widgets.confirm import confirm_dialog
from components.widgets.markdown_text import plain
from components.widgets.number_text import count, names
from components.widgets.payload_view import request_expander

if TYPE_CHECKING:
    from components.contact_filters.listing import Listing
    from components.shell.calls import End
    from components.shell.workspace import Workspace


def ask_to_delete(workspace: Workspace, targets: Sequence[Target], *, key: str, leave: bool = False) -> None:
    """Open the dialog that repeats the names; call it in the run in which the button was pressed.

    With `leave`, the page they are shown on is left once they are gone.
    """
    confirm_dialog(
        removal.question(targets),
        [*removal.lines(targets), *_begun(workspace, targets)],
        removal.action_label(targets),
        partial(_delete, workspace, list(targets), leave),
        key=key,
        keep_label="Keep it" if len(targets) == 1 else "Keep them",
    )


def draw_removed(workspace: Workspace, listing: Listing | None = None) -> None:
    """Tell of each filter that was to be deleted and is not surely gone; stays until it is dismissed."""
    if is_under_way(workspace, DELETE):
        st.info("What you told to be deleted is being deleted, one after the other.", icon=":material/hourglass_top:")
    outcomes = REMOVED.get()
    if not outcomes:
        return
    with st.container(border=True, key="contact-filters-removed"):
        deleted = removal.of_kind(outcomes, "deleted")
        if deleted:
            st.success(f"Deleted: {_titles(deleted)}.", icon=":material/check_circle:")
        gone = removal.of_kind(outcomes, "gone before")
        if gone:
            st.info(f"Already gone before: {_titles(gone)}.", icon=":material/info:")
        for each in removal.of_kind(outcomes, "kept"):
            st.error(f"**Not deleted: {plain(each.target.title)}.** {_why(each)}", icon=":material/error:")
            _draw_request(each)
        there = removal.still_there(outcomes, listing.filters) if listing is not None and not listing.error else {}
        for each in removal.of_kind(outcomes, "unknown"):
            st.warning(
                f"**Unknown: {plain(each.target.title)}.** {_why(each)} {_seen(there.get(each.target.title))}",
                icon=":material/help:",
            )
            _draw_request(each)
        left = removal.of_kind(outcomes, "not tried")
        if left:
            words = count(len(left), "filter was", "filters were")
            st.warning(f"**{words} not tried, and stay: {_titles(left)}.**", icon=":material/warning:")
        st.button("Dismiss", key="contact-filters-removed-dismiss", on_click=REMOVED.clear)


def _begun(workspace: Workspace, targets: Sequence[Target]) -> list[str]:
    """Say which changes of one's own go with the filters."""
    ids = {each.filter_id for each in targets if each.filter_id is not None}
    titles = [kept.draft.title for kept in draft_store.unfinished(workspace) if kept.draft.filter_id in ids]
    return [f"What you began to change and did not save goes with it: {plain(names(titles))}."] if titles else []


def _delete(workspace: Workspace, targets: list[Target], leave: bool) -> None:
    change(
        workspace,
        DELETE,
        "/".join(sorted(str(each.filter_id or each.name) for each in targets)),
        partial(removal.delete_each, workspace, targets),
        doing=f"deleting {names([each.title for each in targets])}",
        then=partial(_deleted, targets, leave),
    )


def _deleted(targets: list[Target], leave: bool, end: End) -> None:
    outcomes: list[Outcome] = end.value or [Outcome(each, "unknown", end.error) for each in targets]
    LISTING.clear()
    DETAIL.clear()
    gone = {each.target.filter_id for each in outcomes if each.became in {"deleted", "gone before"}} - {None}
    held = DRAFT.get()
    if held is not None and held.filter_id in gone:
        DRAFT.clear()
    if end.is_here:
        LEAVE.set(leave and st.query_params.get("id") in {str(each) for each in gone})
        _let_go(outcomes)
    said = removal.summary(outcomes)
    if said:
        REMOVED.clear()
        done(said)
    else:
        REMOVED.set(outcomes)


def _let_go(outcomes: Sequence[Outcome]) -> None:
    """Take what is gone out of the address, which names what is picked."""
    gone = [each.target for each in outcomes if each.became in {"deleted", "gone before"}]
    for name, values in (("id", {str(each.filter_id) for each in gone}), ("name", {each.name for each in gone})):
        stay = [value for value in st.query_params.get_all(name) if value not in values]
        if stay:
            st.query_params[name] = stay
        else:
            st.query_params.pop(name, None)


def _titles(outcomes: Sequence[Outcome]) -> str:
    return plain("; ".join(each.target.title for each in outcomes))


def _why(outcome: Outcome) -> str:
    if outcome.error is None:
        return ""
    problem = explain(outcome.error, f"deleting {outcome.target.title}")
    return plain(problem.text)


def _draw_request(outcome: Outcome) -> None:
    request = None if outcome.error is None else explain(outcome.error, "deleting").request
    if request is not None:
        title = outcome.target.title
        key = f"contact-filter-removal-{outcome.target.filter_id or title}"
        request_expander(f"Show the request for {plain(title)}", request, key=key)


def _seen(is_there: bool | None) -> str:
    if is_there is None:
        return "Look whether it is still in the list before you delete it again."
    if is_there:
        return "It is still in the list: deleting it again does no harm."
    return "It is no longer in the list: it is gone."
