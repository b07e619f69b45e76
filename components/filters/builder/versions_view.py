"""Draw the versions of a contact filter: who saved them and when, the differences between two, and restoring one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

import streamlit as st

from client import ServiceError
from components.filters.builder.comparison_view import draw_new_name, draw_rules
from components.filters.builder.rule_actions import EDITOR, viewers_zone
from components.shell.notices import show_problem, show_success
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from domain.filters.comparison import compare_filters, is_same_filter, summarize
from domain.filters.filter_change import stored_now
from domain.filters.filter_draft import base_filter, to_filter
from domain.filters.known_ids import known_names
from domain.filters.versions import FilterHistory, FilterVersion, read_history, restore
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.filters.filter_draft import FilterDraft
    from domain.runtime.workspace import Workspace

_SHOWN_FOR: Final = StateKey[str]("contact_filters.versions_of", str)
"""The uid of the draft whose filter's versions are on the screen."""
_HISTORY: Final[StateKey[tuple[FilterHistory, ServiceError | None] | None]] = StateKey(
    "contact_filters.history", lambda: None
)
_FIELD_WIDTH: Final = 330
_LIST_HEIGHT: Final = 260
_ROWS_IN_SIGHT: Final = 8


def draw_versions_button(draft: FilterDraft) -> None:
    """Draw the button that shows the versions."""
    st.button("Versions", key="contact-filter-versions", icon=":material/history:", on_click=_open, args=(draft.uid,))


def draw_versions(workspace: Workspace, draft: FilterDraft) -> bool:
    """Draw the versions of the filter if they are open, and return whether they are."""
    if not draft.is_change or _SHOWN_FOR.get() != draft.uid:
        return False
    new_stage(draft.uid, "versions")
    draw_page_header(f"Versions of {draft.title}", name=draft.title)
    history, error = _HISTORY.get() or _read(workspace, draft)
    if error is not None:
        show_problem(error, key="contact-filter-versions", is_read=True)
    st.caption(
        "Muster keeps each version that was saved from Muster, and the version that it replaced. The service keeps the "
        "current version only."
    )
    if history.note:
        st.caption(plain(history.note))
    versions = {each.number: each for each in history.versions}
    height: int | Literal["content"] = _LIST_HEIGHT if len(versions) > _ROWS_IN_SIGHT else "content"
    with st.container(height=height, border=False, gap="xxsmall"):
        for each in history.versions:
            current = " :green-badge[Latest]" if each is history.versions[0] else ""
            what = each.summary or count(len(each.contents.rules), "rule", "rules")
            facts = " · ".join(filter(None, (each.author, what)))
            st.markdown(f"**{plain(each.label)}**{current}  \n:gray[{plain(facts)}]")
    if len(versions) > 1:
        _draw_comparison(workspace, draft, versions)
    else:
        st.caption("Muster knows no other version of this filter.")
    st.button("Back to the rules", key="contact-filter-versions-back", icon=":material/arrow_back:", on_click=_close)
    return True


def _draw_comparison(workspace: Workspace, draft: FilterDraft, versions: dict[int, FilterVersion]) -> None:
    latest = max(versions)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        number, other = (
            st.selectbox(
                label,
                list(versions),
                index=place,
                format_func=lambda number: versions[number].label,
                key=f"contact_filters.version/{key}/{draft.uid}",
                filter_mode=None,
                width=_FIELD_WIDTH,
            )
            for label, place, key in (
                ("Version", 1, "one"),
                ("Compared with", 0, "other"),
            )
        )
    first, second = sorted((number or latest, other or latest))
    zone, names = viewers_zone(), known_names(workspace)
    comparison = compare_filters(versions[first].contents, versions[second].contents)
    st.header(f"From version {first} to version {second}", anchor=False)
    st.markdown(summarize(comparison))
    draw_new_name(comparison)
    draw_rules(comparison, zone, names)
    chosen = versions[number or latest]
    is_in_builder = is_same_filter(to_filter(draft), chosen.contents)
    st.button(
        f"Restore version {chosen.number}",
        key="contact-filter-restore",
        type="primary",
        icon=":material/restore:",
        disabled=is_in_builder,
        help=(
            "The rule builder has this version already."
            if is_in_builder
            else "Opens the version in the rule builder. Nothing is sent until you save the filter."
        ),
        on_click=_restore,
        args=(chosen,),
    )


def _read(workspace: Workspace, draft: FilterDraft) -> tuple[FilterHistory, ServiceError | None]:
    """Read the versions once, and keep them until they are closed."""
    current, error = base_filter(draft), None
    with st.spinner("Loading the versions of the filter"):
        try:
            current = stored_now(workspace, draft)
        except ServiceError as failure:
            error = failure
        found = read_history(workspace, draft.filter_id or 0, current), error
    _HISTORY.set(found)
    return found


def _open(uid: str) -> None:
    EDITOR.current()  # What was typed last belongs to the draft.
    _HISTORY.clear()
    _SHOWN_FOR.set(uid)


def _close() -> None:
    _SHOWN_FOR.clear()
    _HISTORY.clear()


def _restore(version: FilterVersion) -> None:
    """Put the version into the rule builder. *Undo* brings back the rules of before."""
    EDITOR.do(f"restore version {version.number}", lambda draft: restore(draft, version))
    _close()
    show_success(f"Version {version.number} is in the rule builder. Nothing is saved yet. Undo brings back your rules.")
