"""The page around the rules: which filter, its head, what keeps it from being saved, the look before it is saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.edits.draft_editor import QUERY
from components.edits.removal_view import ask_to_remove, draw_removed, leave_if_removed
from components.edits.send_status_view import (
    ask_to_discard,
    draft_on_screen,
    draw_note,
    draw_overtaken,
    draw_unfinished,
)
from components.filters.builder.rule_actions import EDITOR, viewers_zone
from components.shell.address import go_to, link_to
from components.shell.changing import is_same_press
from components.shell.notices import done, draw_problem, show_problem, to_mend
from components.shell.page_header import draw_page_header
from components.shell.state import StateKey
from components.streamlit_workarounds.own_scripts import new_stage
from domain.edits import stored_drafts
from domain.edits.edit import DuplicateRecordError, EditConflictError
from domain.filters.builder.editing import new_filter
from domain.filters.comparison import (
    Comparison,
    RuleChange,
    compared,
    field_changes,
    meanwhile,
    name_of,
    same_filter,
    summary,
    what_changes,
)
from domain.filters.filter_change import (
    FILTER,
    FILTER_REMOVAL,
    changed_by,
    last_change,
    stored_now,
    target_of,
)
from domain.filters.filter_draft import (
    FilterDraft,
    as_json,
    as_new,
    base_filter,
    from_filter,
    over_theirs,
    theirs_instead,
    to_filter,
)
from domain.filters.filter_problems import FILTER_FORM, problems_of
from domain.filters.sentence import rule_words, sentence
from domain.runtime.problems import NotSentError, explain
from domain.runtime.screens import CONTACT_FILTER, CONTACT_FILTERS
from domain.text.plain_text import NOT_AN_ID, count, id_in, plain, quoted_id

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace


@dataclass(frozen=True)
class Seen:
    """The stored filter as the service had it last, or why it was not read; `over`: it is to be replaced, knowingly."""

    stored: ContactFilter | None = None
    error: Exception | None = None
    over: bool = False

    def is_overtaken(self, draft: FilterDraft) -> bool:
        """Whether somebody else had changed the filter since the draft was made from it."""
        return self.stored is not None and draft.is_change and meanwhile(base_filter(draft), self.stored) == "changed"


SEEN: Final = StateKey[Seen]("contact_filters.seen", Seen)
_OPENING: Final = "Opening the contact filter"


def filter_on_screen(workspace: Workspace) -> FilterDraft:
    """Give the draft of this address, kept as it is now; end the run where there is none, or where it was sent."""
    leave_if_removed(FILTER_REMOVAL, CONTACT_FILTERS)
    _open_address(workspace)
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        st.stop()
    error = EDITOR.error_of(draft)
    if isinstance(error, EditConflictError):
        SEEN.set(replace(SEEN.get(), stored=error.stored, error=None))
    elif draft.is_change and isinstance(error, NotFound):
        SEEN.set(replace(SEEN.get(), error=error))
    else:
        return draft
    # That it was changed or deleted meanwhile is shown instead of an error.
    return _in_review(draft)


def _in_review(draft: FilterDraft) -> FilterDraft:
    EDITOR.forget_error()
    draft = draft.model_copy(update={"stage": "review"})
    EDITOR.draft.set(draft)
    return draft


def _open_address(workspace: Workspace) -> None:
    """Put the draft of this address on the screen; the address then names its filter by the id."""
    given, name, uid = (st.query_params.get(each, "").strip() for each in ("id", "name", QUERY))
    number, held = id_in(given), EDITOR.draft.get()
    if given and number is None:
        _stop(f"{quoted_id(given)} is not the id of a contact filter. {NOT_AN_ID}")
    name = "" if given else name
    try:
        _open(workspace, number, name)
    except NotSentError as error:
        _stop(str(error))
    except ServiceError as error:
        _stop(error)
    draft = EDITOR.draft.get()
    if draft is not None and draft.is_change and draft is not held:
        st.query_params.from_dict({"id": str(draft.filter_id)} | ({QUERY: uid} if uid == draft.uid else {}))


def _open(workspace: Workspace, number: int | None, name: str = "") -> None:
    """Put the draft that the address names on the screen, or a change of the stored filter of this id or name.

    A change that the person began is gone on with, also where the filter is gone, or the service away. Raises
    `ServiceError` where there is nothing to show, `NotSentError` where it can be shown and not changed.
    """
    filters, held, stored = workspace.client.contact_filters, EDITOR.draft.get(), None
    if name:
        with st.spinner(_OPENING):
            stored = filters.retrieve_by_name(name)
        number = stored.id or None
        if number is None:
            raise NotSentError("The service tells no id of this filter, so it cannot be opened to be changed.")

    def begin() -> FilterDraft:
        if number is None:
            return new_filter()
        with st.spinner(_OPENING):
            return from_filter(stored or filters.retrieve(number), filter_id=number)

    EDITOR.open(workspace, number, begin)
    draft = EDITOR.draft.get()
    if draft is None or draft is held:
        return
    SEEN.clear()
    if draft.is_change and not draft.is_untouched:
        try:
            with st.spinner(_OPENING):
                SEEN.set(Seen(stored_now(workspace, draft)))
        except ServiceError as error:
            SEEN.set(Seen(error=error))


def _stop(why: str | ServiceError) -> NoReturn:
    """Say why there is nothing to build on, and what to do."""
    EDITOR.draft.clear()
    draw_page_header()
    if isinstance(why, NotFound):
        st.info(
            "The service does not have this contact filter. It may have been deleted, the link may be incomplete, or "
            "the name may be spelled differently. Names are case-sensitive.",
            icon=":material/search_off:",
        )
    elif isinstance(why, ServiceError):
        show_problem(why, key="contact-filter-open")
        st.button("Try again", key="contact-filter-open-again", icon=":material/refresh:", type="primary")
    else:
        st.error(plain(why), icon=":material/error:")
    link_to(CONTACT_FILTERS, "All contact filters")
    st.stop()


def draw_head(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw what the filter is called, who changed it last, and what can be done with the whole of it."""
    new_stage(draft.uid, "edit")
    base, seen = base_filter(draft), SEEN.get()
    header = draw_page_header(draft.title)
    if base is not None:
        with header.actions:
            if st.button(
                "Copy",
                key="contact-filter-copy",
                icon=":material/content_copy:",
                help="Begin a new filter from what is on the screen; this one stays as it is.",
            ):
                open_copy(workspace, draft)
            if st.button(":red[Delete]", key="contact-filter-delete", icon=":material/delete:"):
                ask_to_remove(workspace, FILTER_REMOVAL, [target_of(seen.stored or base)], leave=True)
    if base is not None:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.caption("Id", width="content")
            st.code(str(draft.filter_id), language=None, width="content")
            st.caption(plain(last_change(base)), width="content")
    else:
        st.caption("Nothing is sent until you save it. What you type is kept as a draft.")
    draw_removed(workspace, FILTER_REMOVAL)
    draw_note(EDITOR)
    if draft.is_change and draft.is_untouched:
        draw_unfinished(workspace, EDITOR, about=draft.filter_id, but=draft.uid)
    if seen.error is not None:
        not_read(workspace, seen.error)
    elif seen.stored is not None and seen.is_overtaken(draft):
        st.warning(
            f"**It was changed at the service since you began your change**: {plain(last_change(seen.stored))}.",
            icon=":material/group:",
        )
        st.button(
            "Look at what was changed",
            key="contact-filter-look-at-theirs",
            icon=":material/compare:",
            on_click=look_at_change,
            args=(workspace,),
        )


def draw_save(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the buttons that save or let go of the draft, with what stands in the way above them."""
    if draft.checked and not (draft.refused and EDITOR.error_of(draft) is not None):
        to_mend(FILTER_FORM.listed(draft, problems_of(draft)), before="saved")
    draw_save_error(draft)
    untouched = draft.is_untouched
    with st.container(horizontal=True):
        st.button(
            "Compare and save" if draft.is_change else "Save the filter",
            key="contact-filter-save",
            type="primary",
            icon=":material/save:",
            disabled=untouched and draft.is_change,
            help="Nothing is changed yet." if untouched and draft.is_change else None,
            on_click=ask_save,
            args=(workspace,),
        )
        if not untouched and st.button(
            "Discard the change" if draft.is_change else "Discard this draft",
            key="contact-filter-discard",
            icon=":material/delete_sweep:",
        ):
            ask_to_discard(workspace, EDITOR, draft)


def draw_save_error(draft: FilterDraft) -> None:
    """Say what went wrong when the draft was saved last."""
    error = EDITOR.error_of(draft)
    if error is None:
        return
    if isinstance(error, DuplicateRecordError):
        st.error(
            f"**There is already a contact filter called {plain(draft.title)}.** Nothing was saved. Give yours another "
            "name, or change the one that is there.",
            icon=":material/error:",
        )
        link_to(CONTACT_FILTER, "Open the one that is there", id=error.other.id or None, name=error.other.name)
    elif draft.refused:
        # What is wrong with which rule, once: under the service's words nobody would find it.
        said = FILTER_FORM.listed(draft, problems_of(draft))
        problem = replace(explain(error), advice="  \n".join(f"• {line}" for line in said))
        draw_problem(problem, key="contact-filter-save")
    else:
        show_problem(error, key="contact-filter-save")


def not_read(workspace: Workspace, error: Exception) -> None:
    """Say why the stored filter could not be read; where somebody deleted it, with the way to save it as a new one."""
    if isinstance(error, NotFound):
        st.warning(
            "**This filter is no longer at the service: somebody has deleted it.** Nothing was saved. What you built "
            "is still here, and can be saved as a new filter.",
            icon=":material/delete:",
        )
        as_new_button(workspace, keep_name=True)
    else:
        show_problem(error, key="contact-filter-reread")


def as_new_button(workspace: Workspace, *, keep_name: bool) -> None:
    """Draw the button that goes on with the rules as a new filter; the change is let go of."""

    def press() -> None:
        draft = EDITOR.draft.get()
        if draft is None:
            return
        fresh = as_new(draft)
        if keep_name:
            fresh = fresh.model_copy(update={"name": draft.name})
        SEEN.set(Seen())
        EDITOR.go_on_as(workspace, fresh, "This is a new filter now. Look at its name before you save it.")

    st.button(
        "Make mine a new filter",
        key="contact-filter-as-new",
        type="primary" if keep_name else "secondary",
        icon=":material/add:",
        on_click=press,
    )


def ask_save(workspace: Workspace) -> None:
    """Go on towards saving where nothing has to be mended; otherwise point out everything that has.

    A change is looked at first; so is a new filter with muted rules, since they are let go of with the draft.
    """
    draft = EDITOR.current()
    # A second click may meet the filter as it was saved, with nothing changed.
    if draft is None or is_same_press(workspace, FILTER.kind, draft.uid) or (draft.is_change and draft.is_untouched):
        return
    if not draft.is_change and not any(rule.muted for rule in draft.rules):
        EDITOR.send(workspace)
        return
    EDITOR.set_stage(review=True)
    asked = EDITOR.draft.get()
    if asked is not None and asked.is_change and asked.stage == "review":
        look_at_change(workspace)


def look_at_change(workspace: Workspace) -> None:
    """Read the stored filter again and show what the change does to it."""
    draft = EDITOR.current()
    if draft is None:
        return
    _in_review(draft)
    try:
        with st.spinner("Reading the filter as the service has it now …", show_time=True):
            SEEN.set(replace(SEEN.get(), stored=stored_now(workspace, draft), error=None))
    except ServiceError as error:
        SEEN.set(replace(SEEN.get(), error=error))


def let_go_of_untouched() -> None:
    """Forget a filter that was only looked at, so that it is read anew when it is opened again."""
    held = EDITOR.draft.get()
    if held is not None and held.is_untouched:
        EDITOR.draft.clear()


def open_copy(workspace: Workspace, of: FilterDraft) -> NoReturn:
    """Open a copy of a filter in the builder, kept as a draft of its own."""
    copy = as_new(of)
    stored_drafts.save(workspace, FILTER, copy, seen=None)
    go_to(CONTACT_FILTER, draft=copy.uid)


_MARKS: Final = {
    "added": ":green-badge[:material/add: added]",
    "removed": ":red-badge[:material/remove: removed]",
    "changed": ":orange-badge[:material/edit: changed]",
}
_MOVED: Final = ":blue-badge[:material/swap_vert: moved]"


def draw_review(workspace: Workspace, draft: FilterDraft) -> bool:
    """Draw the look at the draft where one was asked for; tell whether it was."""
    if draft.stage != "review":
        return False
    seen, base = SEEN.get(), base_filter(draft)
    if seen.error is not None:
        new_stage(draft.uid, "unreadable")
        draw_page_header(draft.title)
        _draw_unreadable(workspace, seen.error)
    elif seen.stored is not None and seen.is_overtaken(draft):
        new_stage(draft.uid, "conflict")
        was = name_of(base) if base is not None else ""
        draw_page_header(f"{was or draft.title} was changed meanwhile", name=was or draft.title)
        _draw_conflict(workspace, draft, seen.stored)
    else:
        new_stage(draft.uid, "review")
        verb = "Save the change of" if draft.is_change else "Save"
        draw_page_header(f"{verb} {draft.title}?", name=draft.title)
        _draw_compared(workspace, draft, seen)
    return True


def _draw_compared(workspace: Workspace, draft: FilterDraft, seen: Seen) -> None:
    stored, zone = seen.stored, viewers_zone()
    if stored is not None and seen.over:
        st.warning(
            f"What you save **replaces the version of {plain(_somebody(stored))}** ({plain(last_change(stored))}).",
            icon=":material/group:",
        )
    elif stored is not None and meanwhile(base_filter(draft), stored) == "saved again":
        st.info(
            f"It was saved again since you opened it, with nothing different: {plain(last_change(stored))}.",
            icon=":material/info:",
        )
    comparison = what_changes(draft, stored)
    st.markdown(f":material/format_quote: {plain(sentence(draft, zone))}")
    if draft.is_change:
        st.caption("Held against the filter as the service has it now: what was, and what will be.")
        st.markdown(summary(comparison))
        if comparison.name_changes:
            was = plain(comparison.name_was) or "nothing"
            st.markdown(
                f"{_MARKS['changed']} **Name**  \nwas: {was}  \nwill be: **{plain(comparison.name_now)}**",
            )
        _draw_rules(comparison, zone, "will be")
    else:
        st.markdown("\n".join(f"1. {plain(rule_words(change.now or {}, zone))}" for change in comparison.rules))
    if comparison.muted:
        said = "\n".join(f"- {plain(rule_words(rule, zone))}" for rule in comparison.muted)
        number = count(len(comparison.muted), "muted rule is", "muted rules are")
        st.warning(f"**{number} left out** and let go of once it is saved:\n{said}", icon=":material/volume_off:")
    with st.expander("Show the request", icon=":material/code:"):
        st.code(as_json(draft), language="json")
    draw_save_error(draft)
    with st.container(horizontal=True):
        _draw_back()
        st.button(
            "Save the change" if draft.is_change else "Save the filter",
            key="contact-filter-save-now",
            type="primary",
            icon=":material/save:",
            disabled=draft.is_change and comparison.is_same,
            on_click=EDITOR.send,
            args=(workspace,),
        )


def _draw_conflict(workspace: Workspace, draft: FilterDraft, theirs: ContactFilter) -> None:
    ours = to_filter(draft)
    is_same = same_filter(ours, theirs)
    if is_same:
        st.success(
            f"The stored filter already says exactly what yours says: {plain(last_change(theirs))}. "
            "There is nothing left to save.",
            icon=":material/check_circle:",
        )
    else:
        st.warning(
            f"**{plain(_somebody(theirs))} has changed this filter since you opened it** "
            f"({plain(last_change(theirs))}). Nothing of yours is saved, and nothing of theirs is replaced, until you "
            "choose.",
            icon=":material/group:",
        )
    with st.container(horizontal=True):
        draw_overtaken(EDITOR, theirs, take=_take_theirs, keep=None if is_same else _keep_ours)
        if not is_same:
            as_new_button(workspace, keep_name=False)
        _draw_back()
    if is_same:
        return
    st.caption("Marked against the filter as it was when you opened it.")
    base, zone = base_filter(draft) or ContactFilter(name=""), viewers_zone()
    for column, whose, said, version in zip(
        st.columns(2, gap="medium"),
        ("Theirs", "Yours"),
        (plain(last_change(theirs)), "not saved yet"),
        (theirs, ours),
        strict=True,
    ):
        with column, st.container(border=True):
            comparison = compared(base, version)
            st.header(whose, anchor=False)
            st.caption(said)
            name = f"**{plain(comparison.name_now)}**"
            st.markdown(f"{_MARKS['changed']} {name}" if comparison.name_changes else name)
            _draw_rules(comparison, zone, "now")


def _draw_unreadable(workspace: Workspace, error: Exception) -> None:
    not_read(workspace, error)
    if not isinstance(error, NotFound):
        st.button(
            "Try again",
            key="contact-filter-review-again",
            type="primary",
            icon=":material/refresh:",
            on_click=look_at_change,
            args=(workspace,),
        )
    _draw_back()


def _draw_back() -> None:
    st.button(
        "Back to the rules",
        key="contact-filter-back",
        icon=":material/arrow_back:",
        on_click=EDITOR.set_stage,
        kwargs={"review": False},
    )


def _take_theirs(theirs: ContactFilter) -> None:
    """Go on from their version; undo brings back one's own, as a change of theirs."""
    _keep_ours(theirs)
    EDITOR.do("take their version", lambda draft: theirs_instead(draft, theirs))
    SEEN.set(Seen(theirs))
    EDITOR.forget_error()
    done("This is their version now. Undo brings back yours.")


def _keep_ours(theirs: ContactFilter) -> None:
    """Make the draft a change of their version: saving it replaces theirs, which is shown first."""
    draft = EDITOR.draft.get()
    if draft is not None:
        EDITOR.draft.set(over_theirs(draft, theirs))
        SEEN.set(Seen(theirs, over=True))


def _somebody(stored: ContactFilter) -> str:
    return changed_by(stored) or "Somebody else"


def _draw_rules(comparison: Comparison, zone: str, then: str) -> None:
    for change in comparison.rules:
        st.markdown(_change_words(change, zone, then))


def _change_words(change: RuleChange, zone: str, then: str) -> str:
    place = "" if change.kind == "removed" else f"{change.now_number}\\. "
    marks = place + " ".join(filter(None, (_MARKS.get(change.kind), _MOVED if change.moved else "")))
    was, now = (plain(rule_words(rule or {}, zone)) for rule in (change.was, change.now))
    match change.kind:
        case "changed" if was == now:
            # What is different does not show in the words: an id of the field, say.
            parts = [f"{what}: {a} → {b}" for what, (a, b) in field_changes(change.was or {}, change.now or {}).items()]
            return f"{marks} {now}  \n{'  '.join(map(plain, parts))}"
        case "changed":
            return f"{marks}  \nwas: {was}  \n{then}: **{now}**"
        case "removed":
            return f"{marks} ~~{was}~~"
        case "added":
            return f"{marks} **{now}**"
    return f"{marks} {now} (it was number {change.was_number})" if change.moved else f"{marks}{now}"
