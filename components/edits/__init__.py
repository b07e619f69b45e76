"""The one way to change a record: a draft that is stored while a person types, sent once in a worker, and followed.

An area subclasses `Edit` and draws its form:

    class MappingEdit(Edit[MappingDraft, LookupMappingRequest]):
        kind = draft_kind = key = "lookup_mapping"
        draft_model, noun, screen = MappingDraft, "mapping", LOOKUP_MAPPING

        def problems(self, draft): ...                       # the errors that prevent sending
        def payload(self, draft): ...                        # what is sent
        def send(self, workspace, draft, payload): ...       # the one call
        def reconcile(self, workspace, stored): ...          # reads only, after a lost response

    EDITOR = Editor(MappingEdit(), sync_from_widgets=partial(sync_from_widgets, MAPPING_FORM))

    EDITOR.open(workspace, mapping_id, MappingDraft)     # the draft that the URL names, else a new one
    draft = draft_on_screen(workspace, EDITOR)           # None: its status was drawn, because sending has started
    if draft is not None:
        draw_note(EDITOR)
        draw_form(draft)
        draw_error(EDITOR, draft)
        st.button("Save", on_click=EDITOR.send, args=(workspace,))

Deleting one record or several is a subclass of `Removal`. A change without a draft uses `journaled` within
`shell.changing.change`.
"""
