"""Drawing a form, and keeping what is drawn and the draft in step.

The draft is the truth; a widget begins with its value (`value=`, `index=`, `default=`), and nothing is ever put into a
widget through the session. What a person typed is what a widget holds beyond what it held when it was drawn last; a
draft that says something else than its widget was changed by a button, an undo or another tab, and the widget begins
anew under another key. docs/decisions/forms.md argues it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Generic

import streamlit as st

from components.forms.form import (
    Choice,
    Choices,
    D,
    Day,
    Field,
    Form,
    Part,
    Place,
    Problems,
    Switch,
    Text,
    Unreadable,
    get,
    words,
)
from components.shell.state import StateKey
from components.widgets.field_problem import field_problem


@dataclass
class _Drawn:
    """A widget as it was drawn last: the how manieth of its field, what it holds, and what is chosen in words."""

    key: str
    held: Any
    chosen: dict[Any, str]
    number: int = 0


def take_up(form: Form[D], kept: StateKey[D | None]) -> D | None:
    """The draft in the session with everything typed since it was drawn; it is the one in the session from then on."""
    draft = kept.get()
    if draft is None:
        return None
    drawn = _drawn(form).get()
    typed: dict[Place, Any] = {}
    for place, each in drawn.items():
        if each.key in st.session_state and (holds := st.session_state[each.key]) != each.held:
            typed[place] = holds
    if not typed and form.own.settle is None:
        return draft
    draft = form.absorb(draft, typed)
    # Reading or writing the session may end this run, where the browser asks for another. Only what stands in the draft
    # for good may count as taken: hence in this order, and the rest at one go.
    kept.set(draft)
    for place, holds in typed.items():
        drawn[place].held = holds
    return draft


class OnScreen(Generic[D]):
    """The fields of a draft, to be drawn where the screen wants them, each with its problems right under it."""

    def __init__(self, form: Form[D], draft: D, problems: Problems | None = None) -> None:
        self.form = form
        self.draft = draft
        self.problems = problems if problems is not None else Problems()
        self._drawn = _drawn(form).get()

    def draw(self, *paths: str, part: Part | None = None, quietly: bool = False, **drawing: Any) -> None:
        """Draw fields of a part, else of the draft itself, those that apply; `quietly`: their problems stand elsewhere.

        `drawing` changes the field for this once (`label`, `options` …), or goes to the widget as it is (`width` …).
        """
        part = self.draft if part is None else part
        for path in paths:
            field = self.form.field(self.draft, part.uid, path)
            if field is None:
                raise KeyError(path)
            if not field.applies(part):
                continue
            own = {name: value for name, value in drawing.items() if name in type(field).__dataclass_fields__}
            field = replace(field, **own) if own else field
            rest = {name: value for name, value in drawing.items() if name not in own}
            _widget(field, part, self._key(field, part), rest)
            if not quietly:
                self.say(path, *field.also, part=part)

    def say(self, *paths: str, part: Part | str | None = None) -> None:
        """Draw what is wrong at these places of a part (or of the parts at that path); "" is the part as a whole."""
        uid = part if isinstance(part, str) else (part or self.draft).uid
        field_problem(*self.problems.at(uid, *paths))

    def _key(self, field: Field, part: Part) -> str:
        """The key of the widget for what the draft says now: another one where the widget holds something else."""
        place = (part.uid, field.path)
        value = get(part, field.path)
        shown = field.shown(value)
        chosen = {each: field.name(each) for each in field.chosen(value)} if isinstance(field, Choice) else {}
        drawn = self._drawn.get(place)
        if drawn is None:
            drawn = self._drawn[place] = _Drawn(self.form.key(*place), shown, chosen)
        elif drawn.key not in st.session_state:
            drawn.held = shown
        elif (drawn.held != shown and not _means(field, drawn.held, value)) or any(
            drawn.chosen.get(each, name) != name for each, name in chosen.items()
        ):
            drawn.number += 1
            drawn.key = f"{self.form.key(*place)}/{drawn.number}"
            drawn.held = shown
        drawn.chosen = chosen
        return drawn.key


def _drawn(form: Form[D]) -> StateKey[dict[Place, _Drawn]]:
    return StateKey(f"{form.name}.drawn", dict)


def _means(field: Field, shown: Any, value: Any) -> bool:
    try:
        return bool(field.read(shown) == value)
    except Unreadable:
        return False


def _widget(field: Field, part: Any, key: str, drawing: dict[str, Any]) -> None:
    value = get(part, field.path)
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
            filter_mode="contains",
            required=required,
            **given,
        )
