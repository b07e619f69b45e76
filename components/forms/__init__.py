"""Forms: fields are declared as data, and everything a field needs is implemented here once.

A form declares for each field where its value is in the draft and in the JSON, its label, its type, and when it
applies. The widgets, the conversion to and from JSON, the problems at each field, and the list of problems follow from
that. A whole screen:

    COLORS = Form(
        "color_editor",
        Text("name", "Name", payload_path="name", placeholder="Such as sky blue"),
        Choice("kind", "Kind", payload_path="type", options=("warm", "cold")),
        Switch("hidden", "Hide in lists", payload_path="hidden"),
        parts=(Parts("shades", "Shade {}", (Text("code", "Code", payload_path="code"),), payload_path="shades"),),
    )
    DRAFT = StateKey[ColorDraft | None]("color_editor.draft", new_color)

    draft = sync_from_widgets(COLORS, DRAFT)
    problems = COLORS.place_errors(draft, color_problems(Color.model_validate(COLORS.to_payload(draft))))
    fields = FormView(COLORS, draft, problems)
    fields.draw("name", "kind", "hidden")
    for shade in draft.shades:
        fields.draw("code", part=shade)
    error_list(COLORS.describe_problems(draft, problems))

`domain/forms/form.py` declares forms and never imports Streamlit. `form_view.py` draws them and keeps widgets and draft
in step. `save_under_name.py` draws the field and the button that save something under a name.
"""
