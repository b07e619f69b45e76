"""Drawing a form, and keeping what is drawn and the draft in step.

The draft is the truth; a widget begins with its value (`value=`, `index=`, `default=`), and nothing is ever put into a
widget through the session. What a person typed is what a widget holds beyond what it held when it was drawn last; a
draft that says something else than its widget was changed by a button, an undo or another tab, and the widget begins
anew under another key. docs/decisions/forms.md argues it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Generic

import streamlit as st

from components.shell.notices import field_problem
from components.shell.state import StateKey
from components.streamlit_workarounds.widget_keys import Widgets
from domain.forms.form import (
    Choice,
    Choices,
    D,
    Day,
    Field,
    Form,
    Part,
    Problems,
    Switch,
    Text,
    words,
)


def take_up(form: Form[D], kept: StateKey[D | None]) -> D | None:
    """The draft in the session with everything typed since it was drawn; it is the one in the session from then on."""
    return Widgets(form.name).take_up(kept, form.apply_input)


class OnScreen(Generic[D]):
    """The fields of a draft, to be drawn where the screen wants them, each with its problems right under it."""

    def __init__(self, form: Form[D], draft: D, problems: Problems | None = None) -> None:
        self.form = form
        self.draft = draft
        self.problems = problems if problems is not None else Problems()
        self._widgets = Widgets(form.name)
        self._fields = {part.uid: parts.by_path for parts, part, _ in form.walk(draft)}

    def draw(self, *paths: str, part: Part | None = None, quietly: bool = False, **drawing: Any) -> None:
        """Draw fields of a part, else of the draft itself, those that apply; `quietly`: their problems stand elsewhere.

        `drawing` changes the field for this once (`label`, `options` …), or goes to the widget as it is (`width` …).
        What stands in it is read as it was declared.
        """
        part = self.draft if part is None else part
        for path in paths:
            field = self._fields[part.uid][path]
            if not field.applies(part):
                continue
            own = {name: value for name, value in drawing.items() if name in type(field).__dataclass_fields__}
            field = replace(field, **own) if own else field
            rest = {name: value for name, value in drawing.items() if name not in own}
            _draw_field(field, field.value_in(part), self._key(field, part), part=part, **rest)
            if not quietly:
                self.say(path, *field.also, part=part)

    def say(self, *paths: str, part: Part | str | None = None) -> None:
        """Draw what is wrong at these places of a part (or of the parts at that path); "" is the part as a whole."""
        uid = part if isinstance(part, str) else (part or self.draft).uid
        field_problem(*self.problems.at(uid, *paths))

    def field(self, path: str, part: Part) -> Field | None:
        """Return the field at a path of a part; None if it does not apply."""
        field = self._fields[part.uid].get(path)
        return field if field is not None and field.applies(part) else None

    def _key(self, field: Field, part: Part) -> str:
        value = field.value_in(part)
        return self._widgets.key(
            (part.uid, field.path),
            field.shown(value),
            means_it=lambda shown: field.stands_for(shown, part),
            chosen={each: field.name(each) for each in field.chosen(value)} if isinstance(field, Choice) else None,
        )


def _draw_field(field: Field, value: Any, key: str, *, part: Any, **drawing: Any) -> None:
    label, helped = words(field.label, part), words(field.help, part) or None
    given = {"label": label, "key": key, "help": helped, **drawing}
    hint = words(field.placeholder, part)
    match field:
        case Choices():
            st.multiselect(
                options=field.offered(part, value),
                default=field.shown(value),
                format_func=field.name,
                placeholder=hint or None,
                # One key too many must not choose everything.
                select_all=False,
                accept_new_options=field.new,
                **given,
            )
        case Choice():
            _choice(field, part, value, hint, given)
        case Switch():
            (st.checkbox if field.box else st.toggle)(value=bool(value), **given)
        case Day():
            st.date_input(
                value=field.shown(value),
                min_value=field.earliest,
                max_value=field.latest,
                format="YYYY-MM-DD",
                **given,
            )
        case Text(lines=None):
            st.text_input(value=field.shown(value), placeholder=hint or None, live=field.live, **given)
        case Text():
            st.text_area(value=field.shown(value), placeholder=hint or None, height=field.lines, **given)
        case _:
            raise TypeError(f"{type(field).__name__} has no widget")


def _choice(field: Choice, part: Any, value: Any, hint: str, given: dict[str, Any]) -> None:
    options = field.offered(part, value)
    shown = field.shown(value)
    index = None if shown is None else options.index(shown)
    required = field.required(part) if callable(field.required) else field.required
    if field.looks == "segments":
        st.segmented_control(options=options, default=shown, format_func=field.name, required=required, **given)
    elif field.looks == "radio":
        captions = [(field.captions or {}).get(each, "") for each in options]
        st.radio(options=options, index=index, format_func=field.name, captions=captions, **given)
    else:
        st.selectbox(
            options=options,
            index=index,
            format_func=field.name,
            placeholder=hint or None,
            required=required,
            **given,
        )
