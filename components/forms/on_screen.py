"""Drawing a form, and keeping what is drawn and the draft in step.

The draft is the truth; a widget begins with its value (`value=`, `index=`, `default=`), and nothing is ever put into a
widget through the session. What a person typed is what a widget holds beyond what it held when it was drawn last; a
draft that says something else than its widget was changed by a button, an undo or another tab, and the widget begins
anew under another key. docs/decisions/forms.md argues it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Generic

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

_GONE: Final = object()


@dataclass
class _Drawn:
    """A widget as it was drawn last: the how manieth of its field, what it holds, and what is chosen in words."""

    key: str
    held: Any
    chosen: Mapping[Any, str]
    number: int = 0


class Widgets:
    """The widgets in which the fields of a form stand; only for fields that `OnScreen` cannot draw there is need of it.

    Such a widget is drawn under `key`, begins with what was said to be shown, and is read by `take_up`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.drawn: dict[Place, _Drawn] = StateKey[dict[Place, _Drawn]](f"{name}.drawn", dict).get()

    def key(
        self,
        place: Place,
        shown: Any,
        *,
        means_it: Callable[[Any], bool] = lambda _: False,
        chosen: Mapping[Any, str] | None = None,
    ) -> str:
        """The key of the widget that is to show this: another one where the widget there holds something else.

        `means_it` tells of what the widget holds whether it stands for the same, written otherwise. `chosen` are the
        words of what is chosen in it.
        """
        drawn, chosen = self.drawn.get(place), chosen or {}
        if drawn is None:
            drawn = self.drawn[place] = _Drawn(f"{self.name}/{place[0]}/{place[1]}", shown, chosen)
        elif drawn.key not in st.session_state:
            drawn.held = shown
        elif (drawn.held != shown and not means_it(drawn.held)) or any(
            drawn.chosen.get(each, name) != name for each, name in chosen.items()
        ):
            drawn.number += 1
            drawn.key = f"{self.name}/{place[0]}/{place[1]}/{drawn.number}"
            drawn.held = shown
        drawn.chosen = chosen
        return drawn.key

    def take_up(self, kept: StateKey[D | None], absorb: Callable[[D, Mapping[Place, Any]], D]) -> D | None:
        """The draft in the session with everything typed since it was drawn; it is the one in the session from then on.

        `absorb` gives the draft with what widgets hold, by place.
        """
        draft = kept.get()
        if draft is None:
            return None
        typed: dict[Place, Any] = {}
        for place, each in self.drawn.items():
            holds = st.session_state.get(each.key, _GONE)
            if holds is not _GONE and holds != each.held:
                typed[place] = holds
        after = absorb(draft, typed)
        # Reading or writing the session may end this run, where the browser asks for another. Only what stands in the
        # draft for good may count as taken: hence in this order, and the rest at one go.
        if after is not draft:
            kept.set(after)
        for place, holds in typed.items():
            self.drawn[place].held = holds
        return after


def take_up(form: Form[D], kept: StateKey[D | None]) -> D | None:
    """The draft in the session with everything typed since it was drawn; it is the one in the session from then on."""
    return Widgets(form.name).take_up(kept, form.absorb)


class OnScreen(Generic[D]):
    """The fields of a draft, to be drawn where the screen wants them, each with its problems right under it."""

    def __init__(self, form: Form[D], draft: D, problems: Problems | None = None) -> None:
        self.form = form
        self.draft = draft
        self.problems = problems if problems is not None else Problems()
        self._widgets = Widgets(form.name)

    def draw(self, *paths: str, part: Part | None = None, quietly: bool = False, **drawing: Any) -> None:
        """Draw fields of a part, else of the draft itself, those that apply; `quietly`: their problems stand elsewhere.

        `drawing` changes the field for this once (`label`, `options` …), or goes to the widget as it is (`width` …).
        What stands in it is read as it was declared.
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
        value = get(part, field.path)
        return self._widgets.key(
            (part.uid, field.path),
            field.shown(value),
            means_it=lambda held: _means(field, held, value),
            chosen={each: field.name(each) for each in field.chosen(value)} if isinstance(field, Choice) else None,
        )


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
            filter_mode="contains",
            required=required,
            **given,
        )
