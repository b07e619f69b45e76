"""The screen of the organization's names for IDs: list, search, edit, and import."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.steps import current_file, draw_steps, remove_file
from components.filters.list.filter_uses import filters_with
from components.record_list.declaration import Action, AllRecords, ListQuery, NewAction, RecordList, text
from components.record_list.filter_controls import ChoiceFilter
from components.record_list.used_in import Use, draw_uses
from components.shell.address import optional_field
from components.shell.background_changes import start_change
from components.shell.confirm import confirm_dialog
from components.shell.notices import field_problem, show_failure, show_success
from domain.filters.filter_change import LIST_KEY
from domain.filters.named_ids import NamedId, changes_of, describe_column, list_named_ids, summarize_names, uses_id
from domain.filters.names.id_names import KIND_LABELS
from domain.filters.names.name_file import NAME_FILE, names_in
from domain.filters.names.stored_names import MAX_NAME_LENGTH, NameChanges, change_names
from domain.mappings.mapping_query import mappings_so_far
from domain.mappings.mapping_text import attributes_of, attributes_text, groups_of
from domain.runtime.screens import LOOKUP_MAPPINGS
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

NEW_FILE: Final = "id-names-new"
KIND: Final = optional_field("id-names-type")
_CHANGE: Final = "id-names"


def _save(workspace: Workspace, changes: NameChanges, message: str, then: Callable[[], None] | None = None) -> None:
    """Store changed names in a worker. Call it in a callback."""

    def saved(end: End) -> None:
        if end.error is not None:
            show_failure(str(end.error))
            return
        if then is not None and end.is_here:
            then()
        show_success(message)

    start_change(
        workspace, _CHANGE, "names", partial(change_names, workspace, changes), label="IDs and names", then=saved
    )


def _draw_new(workspace: Workspace) -> None:
    st.header("Add names", anchor=False)
    st.caption(
        "Paste a table with type, ID, and name, or upload a file. If an ID already has a name, the new name replaces "
        "it."
    )
    check = draw_steps(workspace, NAME_FILE, key=NEW_FILE)
    names = names_in(check) if check is not None else {}
    number = sum(map(len, names.values()))

    def save() -> None:
        # The file as it is now, not as it was when the page was drawn.
        current = current_file(NEW_FILE, workspace)
        found = names_in(current) if current is not None else {}
        if found:
            saved = count(sum(map(len, found.values())), "name is", "names are")
            _save(workspace, found, f"{saved} saved", partial(remove_file, NEW_FILE, workspace))

    st.button(
        f"Save {count(number, 'name', 'names')}" if number else "Save names",
        key=f"{NEW_FILE}-save",
        type="primary",
        icon=":material/save:",
        disabled=not number,
        on_click=save,
    )


def _draw_detail(workspace: Workspace, named: NamedId) -> None:
    if (note := describe_column(named)) is not None:
        st.caption(plain(note))
    st.caption(f"Source: {plain(named.source)}")
    key = f"id-names-edit-{named.key}"
    name = st.text_input("Name", named.name, key=key, max_chars=MAX_NAME_LENGTH)
    tidy = " ".join(name.split())

    def save() -> None:
        entered = " ".join(str(st.session_state[key]).split())
        if entered:
            _save(workspace, changes_of([named], entered), f"{named.kind_label} {named.number} is named “{entered}”")

    field_problem(None if tidy else "Enter a name.")
    st.button("Save name", key=f"{key}-save", icon=":material/save:", on_click=save, disabled=tidy in ("", named.name))
    _draw_uses(workspace, named)


def _draw_uses(workspace: Workspace, named: NamedId) -> None:
    """Draw the filters that use this ID, and the mappings as far as Muster has loaded them."""
    mappings = mappings_so_far(workspace).mappings if named.kind == "group" else ()
    links = [
        Use(f"Mapping: {attributes_text(attributes_of(each))}", LOOKUP_MAPPINGS, {"mapping": each.id})
        for each in mappings
        if any(number == named.number for number, _ in groups_of(each))
    ]
    draw_uses([*filters_with(workspace, partial(uses_id, named_id=named)), *links], none="No filter uses this ID.")


def _ask_to_remove(workspace: Workspace, selected: Sequence[NamedId]) -> None:
    stored = [each for each in selected if each.is_stored]
    number = count(len(stored), "name", "names")
    if not stored:
        show_failure("Only names that were entered in Muster can be removed.")
        return
    confirm_dialog(
        f"Remove {number}?",
        [
            "\n".join(f"- **{plain(each.name)}** · {each.kind_label.lower()} {each.number}" for each in stored[:8]),
            "Muster will show only the IDs. Nothing changes in the service.",
        ],
        f"Remove {number}",
        partial(_save, workspace, changes_of(stored, None), f"{number} removed"),
        key="id-names-remove",
    )


def _is_match(named: NamedId, query: ListQuery) -> bool:
    return query[KIND] is None or named.slug == query[KIND]


def _kinds(_: Workspace) -> Mapping[str, str]:
    return {kind.replace(" ", "-"): label for kind, label in KIND_LABELS.items()}


ID_NAMES: Final = RecordList(
    key="id-names",
    noun=("ID", "IDs"),
    source=AllRecords(
        lambda workspace, _: list_named_ids(workspace, LIST_KEY),
        search=("name", "id", "type"),
        search_hint="Name or ID",
        matches=_is_match,
        max_age=None,
    ),
    identity=lambda named: named.key,
    name=lambda named: named.name or f"{named.kind_label} {named.number}",
    columns={
        "name": text("Name", lambda named: named.name or None),
        "id": text("ID", lambda named: str(named.number)),
        "type": text("Type", lambda named: named.kind_label),
        "source": text("Source", lambda named: named.source).secondary(),
    },
    default_order="name",
    placeholder="No name",
    filters=[ChoiceFilter(KIND, "Type", _kinds, none_label="All types")],
    selection="many",
    url_parameter="name",
    draw_detail=_draw_detail,
    has_numeric_ids=False,
    displayed_id=lambda named: str(named.number),
    missing_message="Your organization has no name for “{id}”.",
    icon="label",
    actions=(
        Action(
            "Remove",
            _ask_to_remove,
            icon=":material/label_off:",
            is_destructive=True,
            allows_several=True,
            key="remove",
            is_offered=lambda _, named: named.is_stored,
        ),
    ),
    new=NewAction("Add names", form=_draw_new),
    summarize=lambda _, found: summarize_names(found.loaded.records),
    empty_message=(
        "The service identifies groups, topics, attributes, and contact fields by IDs. Add their names once. Lists "
        "and rules then show these names."
    ),
)
