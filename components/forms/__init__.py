"""One way to fill in: a form is its fields as data, and everything a field needs is done here, once.

A form says for each field where its value stands in the draft and on the wire, what it is called, which sort of field
it is and when it applies. From that come what stands in the fields, the request and its way back, the problems at
their fields, and the list of what to mend. A whole screen:

    COLOURS = Form(
        "colour_editor",
        Text("name", "Name", wire="name", placeholder="What people call it"),
        Choice("kind", "Kind", wire="type", options=("warm", "cold")),
        Switch("hidden", "Hide it from lists", wire="hidden"),
        parts=(Parts("shades", "Shade {}", Text("code", "Code", wire="code"), wire="shades"),),
    )
    DRAFT = StateKey[ColourDraft | None]("colour_editor.draft", new_colour)

    draft = take_up(COLOURS, DRAFT)                        # with what was typed since
    problems = COLOURS.placed(draft, colour_problems(Colour.model_validate(COLOURS.to_wire(draft))))
    fields = OnScreen(COLOURS, draft, problems)
    fields.draw("name", "kind", "hidden")
    for shade in draft.shades:
        fields.draw("code", part=shade)
    error_list(COLOURS.listed(draft, problems))

`form.py` holds what a form is and knows no Streamlit, `on_screen.py` draws it and keeps fields and draft in step.
`keep_under.py` draws the field and the button that keep something under a name.
"""
