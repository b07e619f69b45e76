"""The editor of one lookup mapping: a row per attribute and group, and the error if it could not be saved."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, NoReturn

import streamlit as st

from client import Duplicate, NotFound, ServiceError
from client.models.lookup_mappings import LookupMapping
from components.edits.draft_editor import Editor
from components.edits.send_status_view import (
    ask_to_discard,
    draft_on_screen,
    draw_edit_conflict,
    draw_error,
    draw_note,
    draw_undo,
    draw_unfinished,
)
from components.forms.form_view import FormView, sync_from_widgets
from components.shell.address import go_to, link_to
from components.shell.notices import error_list, show_problem
from components.shell.page_header import draw_page_header
from components.streamlit_workarounds.icon_name import icon_name
from components.streamlit_workarounds.own_scripts import new_stage
from domain.edits import stored_drafts
from domain.edits.edit import DuplicateRecordError, EditConflictError
from domain.forms.form import Part, get_value
from domain.mappings.mapping_change import (
    FORM,
    MAPPING_EDIT,
    AttributeDraft,
    GroupDraft,
    MappingDraft,
    describe_changes,
    describe_last_change,
    draft_of,
    draft_of_deleted,
    fill_in_names,
    find_problems,
)
from domain.mappings.mapping_query import MappingSnapshot, mappings_so_far, read_all_mappings
from domain.mappings.mapping_text import attributes_of, attributes_text, groups_of, groups_text
from domain.runtime.screens import LOOKUP_MAPPING, LOOKUP_MAPPINGS
from domain.text.plain_text import id_in, plain
from journal import EntryNotFound

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

EDITOR: Final = Editor(MAPPING_EDIT, sync_from_widgets=partial(sync_from_widgets, FORM))


def mapping_editor(workspace: Workspace) -> None:
    """Draw the editor for the URL: a new mapping, a saved draft, or the change of a mapping."""
    if not _open(workspace):
        return
    draft = draft_on_screen(workspace, EDITOR)
    if draft is None:
        return
    new_stage(draft.uid)
    draw_page_header("Edit mapping" if draft.is_change else "New mapping")
    draw_note(EDITOR)
    st.caption("People who match every attribute are added to all of the groups.")
    if not draft.is_change:
        draw_unfinished(workspace, EDITOR, but=draft.uid)
    found = find_problems(draft)
    shown = found if draft.checked else FORM.started_problems(draft, found)
    fields = FormView(FORM, draft, shown)
    _draw_rows(fields, draft, mappings_so_far(workspace))
    _draw_error(draft)
    _draw_changes(draft)
    if draft.checked:
        error_list(FORM.describe_problems(draft, found))
    with st.container(horizontal=True):
        st.button(
            "Save change" if draft.is_change else "Create mapping",
            key="lookup_mapping.save",
            type="primary",
            icon=":material/save:",
            on_click=_save,
            args=(workspace,),
        )
        draw_undo(EDITOR)
        if not draft.is_untouched and st.button(
            "Discard", key="lookup_mapping.discard", icon=":material/delete_sweep:"
        ):
            ask_to_discard(workspace, EDITOR, draft)
    link_to(LOOKUP_MAPPINGS, "Back to list", mapping=draft.mapping_id)


def _open(workspace: Workspace) -> bool:
    """Open the draft for this URL, and return whether there is one."""
    mapping_id = st.query_params.get("id") or None
    if (entry_id := id_in(st.query_params.get("entry", ""))) is not None:
        return _open_deleted(workspace, entry_id)

    def begin() -> MappingDraft | None:
        if mapping_id is None:
            return MappingDraft()
        stored = _stored(workspace, mapping_id)
        return draft_of(stored) if stored is not None else None

    return EDITOR.open(workspace, mapping_id, begin)


def open_copy(workspace: Workspace, of: LookupMapping) -> NoReturn:
    """Save a copy of a mapping as a draft of its own, and open it in the editor."""
    copy = draft_of(of, as_copy=True)
    stored_drafts.begin(workspace, MAPPING_EDIT, copy)
    go_to(LOOKUP_MAPPING, draft=copy.uid)


def _open_deleted(workspace: Workspace, entry_id: int) -> bool:
    """Open a new draft with the contents of a deleted mapping, from its journal entry."""
    try:
        draft = draft_of_deleted(workspace.journal.audit.retrieve(entry_id, actor=workspace.actor))
    except EntryNotFound:
        draft = None
    if draft is not None:
        stored_drafts.begin(workspace, MAPPING_EDIT, draft)
        go_to(LOOKUP_MAPPING, draft=draft.uid)
    draw_page_header("Mapping not found")
    st.info(f"Journal entry {entry_id} has no deleted mapping.", icon=":material/search_off:")
    link_to(LOOKUP_MAPPINGS, "All lookup mappings")
    return False


def _stored(workspace: Workspace, mapping_id: str) -> LookupMapping | None:
    try:
        return workspace.client.lookup_mappings.retrieve(mapping_id)
    except NotFound:
        draw_page_header("Mapping not found")
        st.info(
            f"The service has no mapping {plain(mapping_id)}. It may have been deleted.",
            icon=":material/search_off:",
        )
    except ServiceError as error:
        draw_page_header()
        show_problem(error, key="lookup_mapping-read", is_read=True)
    link_to(LOOKUP_MAPPINGS, "All lookup mappings")
    return None


def _save(workspace: Workspace) -> None:
    read_all_mappings(workspace).wait(1.0)
    EDITOR.do("add group names", partial(fill_in_names, names=mappings_so_far(workspace).groups))
    EDITOR.send(workspace)


def _draw_rows(fields: FormView[MappingDraft], draft: MappingDraft, snapshot: MappingSnapshot) -> None:
    """Draw a row for each attribute, with suggested values from other mappings, and for each group."""
    named = {each.uid: each.name for each in fill_in_names(draft, snapshot.groups).groups}
    for path, title, noun, first, second, new in (
        ("attributes", "Attributes", "attribute", "name", "values", AttributeDraft),
        ("groups", "Groups", "group", "number", "name", GroupDraft),
    ):
        with st.container(border=True):
            st.header(title, anchor=False)
            fields.draw_problems("", part=path)
            for number, each in enumerate(getattr(draft, path), start=1):
                left, right, button = st.columns([3, 5, 1], vertical_alignment="bottom")
                options = {"options": snapshot.values.get(each.name.strip(), [])} if second == "values" else {}
                with left:
                    fields.draw(first, part=each, hide_problems=True)
                with right:
                    fields.draw(second, part=each, hide_problems=True, **options)
                with button:
                    _remove(f"{noun} {number}", get_value(each, first).strip(), each.uid)
                fields.draw_problems(first, second, "", part=each)
                if (name := named.get(each.uid)) and name != each.name:
                    st.caption(f":material/label: Name from other mappings: “{plain(name)}”.")
            add = partial(_with_another, path=path, new=new)
            words = f"Add {'an' if path == 'attributes' else 'a'} {noun}"
            st.button(
                words,
                key=f"lookup_mapping.add_{noun}",
                icon=":material/add:",
                on_click=EDITOR.do,
                args=(words.lower(), add),
            )


def _with_another(draft: MappingDraft, path: str, new: type[Part]) -> MappingDraft:
    return draft.model_copy(update={path: [*getattr(draft, path), new()]})


def _remove(row: str, name: str, uid: str) -> None:
    label = f"Remove {row}, {name}" if name else f"Remove {row}"
    st.button(
        icon_name(label),
        key=f"lookup_mapping.remove/{uid}",
        icon=":material/close:",
        help=plain(label),
        type="tertiary",
        on_click=EDITOR.do,
        args=(f"remove {row}", partial(FORM.remove_part, uid=uid)),
    )


def _draw_error(draft: MappingDraft) -> None:
    """Draw the error of the last attempt to save, with what the user can do about it."""
    error = EDITOR.error_of(draft)
    match error:
        case DuplicateRecordError():
            groups = groups_text(groups_of(error.other)) or "no group"
            detail = f"The mapping adds people to {groups}. {describe_last_change(error.other)}"
            st.error(
                f"**{error}** Nothing was sent. {plain(detail)}",
                icon=":material/content_copy:",
            )
            link_to(LOOKUP_MAPPING, "Edit existing mapping", id=error.other.id)
        case EditConflictError():
            attributes = attributes_text(attributes_of(error.stored))
            groups = groups_text(groups_of(error.stored)) or "no group"
            st.warning(
                f"**{plain(str(error))}** Your change was not sent. The mapping now matches {plain(attributes)} "
                f"and adds people to {plain(groups)}.",
                icon=":material/group:",
            )
            with st.container(horizontal=True):
                draw_edit_conflict(EDITOR, error.stored, reload=_take_theirs, overwrite=_keep_ours)
        case Duplicate():
            draw_error(EDITOR, draft)
            st.caption("Muster found no mapping with these attributes before sending. Check the list.")
        case _:
            draw_error(EDITOR, draft)


def _draw_changes(draft: MappingDraft) -> None:
    """Draw what saving would change in the mapping that the service has."""
    error = EDITOR.error_of(draft)
    stored = error.stored.as_request().to_wire() if isinstance(error, EditConflictError) else draft.base
    lines = describe_changes(draft, stored) if stored is not None else []
    if lines:
        st.markdown("**Changes**\n" + "\n".join(f"- {plain(line)}" for line in lines))


def _take_theirs(stored: LookupMapping) -> None:
    _keep_ours(stored)  # Undo then restores the user's own version, as a change of theirs.
    theirs = draft_of(stored)
    EDITOR.do("use their version", lambda now: theirs.model_copy(update={"uid": now.uid}))


def _keep_ours(stored: LookupMapping) -> None:
    base = stored.as_request().to_wire()
    EDITOR.do("overwrite with mine", lambda now: now.model_copy(update={"base": base}))
    EDITOR.clear_error()
