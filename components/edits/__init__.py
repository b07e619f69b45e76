"""The one way to change something: kept as it is typed, sent once in a worker, and followed to its outcome.

A screen declares what it changes, and draws its form:

    MAPPING = Change(
        kind="lookup_mapping", kept_as="lookup_mapping", key="lookup_mapping", model=MappingDraft,
        words=Words(noun="mapping", did=…, nothing_found=…),
        action=lambda draft: "lookup_mapping.update" if draft.is_change else "lookup_mapping.create",
        wire=to_mapping,
        request=lambda draft, mapping: {"lookupMapping": mapping.to_wire()},
        call=lambda workspace, draft, mapping: workspace.client.lookup_mappings.create(mapping),
        look=held_under, problems=problem_lines, refusals=field_refusals,
        screen=LOOKUP_MAPPING, landing=lambda kept: (LOOKUP_MAPPINGS, {"id": kept.sent_id}),
        follow_up=lambda workspace, draft, mapping_id: [f"The mapping {draft.title} is saved."],
    )
    EDITOR = Editor(MAPPING, take_up=partial(take_up, MAPPING_FORM))

    EDITOR.open(workspace, mapping_id, MappingDraft)     # what the address asks for, else a new one
    draft = draft_on_screen(workspace, EDITOR)           # None: where it stands was drawn, since its sending began
    if draft is not None:
        draw_note(EDITOR)
        draw_form(draft)
        draw_error(EDITOR, draft)
        st.button("Save", on_click=EDITOR.send, args=(workspace,))

What is deleted, one record or several, is declared as a `Removal`. A change without a draft calls `recorded` within
`shell.changing.change`.
"""
