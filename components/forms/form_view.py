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
    text_for,
)


def sync_from_widgets(form: Form[D], session_draft: StateKey[D | None]) -> D | None:
    """Return the draft in the session with everything typed since it was drawn, and store it in the session."""
    return Widgets(form.name).sync_from_widgets(session_draft, form.apply_input)


class FormView(Generic[D]):
    """Draws the fields of a draft one by one, each with its problems below it."""

    def __init__(self, form: Form[D], draft: D, problems: Problems | None = None) -> None:
        self.form = form
        self.draft = draft
        self.problems = problems if problems is not None else Problems()
        self._widgets = Widgets(form.name)
        self._fields = {part.uid: parts.by_path for parts, part, _ in form.walk(draft)}

    def draw(self, *paths: str, part: Part | None = None, hide_problems: bool = False, **overrides: Any) -> None:
        """Draw fields of a part, by default of the draft itself, if they apply.

        `overrides` replace attributes of the field (`label`, `options` …) or go to the widget (`width` …). Input is
        still read by the declared field.
        """
        part = self.draft if part is None else part
        for path in paths:
            field = self._fields[part.uid][path]
            if not field.applies(part):
                continue
            own = {name: value for name, value in overrides.items() if name in type(field).__dataclass_fields__}
            field = replace(field, **own) if own else field
            rest = {name: value for name, value in overrides.items() if name not in own}
            key = self._key(field, part)
            if isinstance(field, Text):
                # Streamlit cuts a longer value. A value that is already longer stays whole.
                initial = self._widgets.initial_value((part.uid, path))
                field = replace(field, max_length=max(field.max_length, len(initial)))
            _draw_field(field, field.value_in(part), key, part=part, **rest)
            if not hide_problems:
                self.draw_problems(path, *field.problem_paths, part=part)

    def draw_problems(self, *paths: str, part: Part | str | None = None) -> None:
        """Draw the problems at these places of a part (or of all parts at that path); "" is the part as a whole."""
        uid = part if isinstance(part, str) else (part or self.draft).uid
        field_problem(*self.problems.at(uid, *paths))

    def field(self, path: str, part: Part) -> Field | None:
        """Return the field at a path of a part; None if it does not apply."""
        field = self._fields[part.uid].get(path)
        return field if field is not None and field.applies(part) else None

    def _key(self, field: Field, part: Part) -> str:
        value = field.value_in(part)
        choice = field if isinstance(field, Choice) else None
        selected = choice.selected_values(value) if choice is not None else []
        return self._widgets.key(
            (part.uid, field.path),
            field.to_widget(value),
            is_equivalent=lambda widget_value: field.is_equivalent(widget_value, part),
            option_labels={each: choice.selected_label(each) for each in selected} if choice is not None else None,
            listed_labels={each: choice.label_of(each) for each in selected} if choice is not None else None,
        )


def _draw_field(field: Field, value: Any, key: str, *, part: Any, **overrides: Any) -> None:
    arguments = {
        "label": text_for(field.label, part),
        "key": key,
        "help": text_for(field.help, part) or None,
        **overrides,
    }
    hint = text_for(field.placeholder, part)
    match field:
        case Choices():
            st.multiselect(
                options=field.options_for(part, value),
                default=field.to_widget(value),
                format_func=field.label_of,
                placeholder=hint or None,
                # One wrong key must not select everything.
                select_all=False,
                accept_new_options=field.new,
                **arguments,
            )
        case Choice():
            _draw_choice(field, part, value, hint, arguments)
        case Switch():
            (st.checkbox if field.is_checkbox else st.toggle)(value=bool(value), **arguments)
        case Day():
            st.date_input(
                value=field.to_widget(value),
                min_value=field.earliest,
                max_value=field.latest,
                format="YYYY-MM-DD",
                **arguments,
            )
        case Text(height=None):
            st.text_input(
                value=field.to_widget(value),
                placeholder=hint or None,
                live=field.live,
                max_chars=field.max_length,
                **arguments,
            )
        case Text():
            st.text_area(
                value=field.to_widget(value),
                placeholder=hint or None,
                height=field.height,
                max_chars=field.max_length,
                **arguments,
            )
        case _:
            raise TypeError(f"{type(field).__name__} has no widget")


def _draw_choice(field: Choice, part: Any, value: Any, hint: str, arguments: dict[str, Any]) -> None:
    def label_of(option: Any) -> str:
        return field.selected_label(option) if option == selected else field.label_of(option)

    options = field.options_for(part, value)
    selected = field.to_widget(value)
    index = None if selected is None else options.index(selected)
    required = field.required(part) if callable(field.required) else field.required
    if field.style == "segments":
        st.segmented_control(
            options=options, default=selected, format_func=field.label_of, required=required, **arguments
        )
    elif field.style == "radio":
        captions = [(field.captions or {}).get(each, "") for each in options]
        st.radio(options=options, index=index, format_func=field.label_of, captions=captions, **arguments)
    else:
        st.selectbox(
            options=options,
            index=index,
            format_func=label_of,
            placeholder=hint or None,
            required=required,
            **arguments,
        )
