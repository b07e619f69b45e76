"""Draw the fields of a form, and keep the widgets and the draft in step.

The draft is the source of truth. A widget gets its initial value from it (`value=`, `index=`, `default=`), and no
widget value is ever written to `st.session_state`. If a widget's value differs from the one it was drawn with, the user
changed it, and the change goes into the draft. If the draft differs from its widget, a button, an undo, or another tab
changed the draft, and the widget is drawn anew under another key. The reasons are in docs/decisions/forms.md.
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
    """Return the draft in the session with everything typed since it was drawn, and store it in the session."""
    return Widgets(form.name).take_up(kept, form.apply_input)


class OnScreen(Generic[D]):
    """Draws the fields of a draft one by one, each with its problems below it."""

    def __init__(self, form: Form[D], draft: D, problems: Problems | None = None) -> None:
        self.form = form
        self.draft = draft
        self.problems = problems if problems is not None else Problems()
        self._widgets = Widgets(form.name)
        self._fields = {part.uid: parts.by_path for parts, part, _ in form.walk(draft)}

    def draw(self, *paths: str, part: Part | None = None, quietly: bool = False, **drawing: Any) -> None:
        """Draw fields of a part (by default the draft itself) if they apply. With `quietly`, do not draw their
        problems.

        `drawing` overrides attributes of the field (`label`, `options` …) or is passed to the widget (`width` …). Input
        is read by the declared field.
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
        """Draw the problems at these places of a part (or of all parts at that path); "" is the part as a whole."""
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
                # One wrong key must not select everything.
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
