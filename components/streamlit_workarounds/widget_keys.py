"""Widget keys that stay while only the user changes a field, and change when something else sets its value.

A value that is only set in the session is lost in the browser if another run follows at once, so a widget gets its
value when it is created, and a new key creates it again (docs/decisions/forms.md). The nearest upstream issue about
browser and session that disagree is streamlit/streamlit#10114. Held by
`tests/browser/test_public_alert.py::test_the_text_is_followed_as_it_is_typed_and_survives_a_refresh`, where a button
writes into text that was just typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import streamlit as st

from components.shell.state import StateKey

D = TypeVar("D")
Place = tuple[str, str]
_GONE: Final = object()


@dataclass
class _Drawn:
    """A widget as it was drawn last: its key and number, its value, and the labels of its selected options."""

    key: str
    held: Any
    chosen: Mapping[Any, str]
    number: int = 0


class Widgets:
    """The widgets of fields, by place: the ID of a part of the draft, and a path in it.

    A widget is drawn under `key` with its initial value (`value=`, `index=`, `default=`), and read by `take_up`. A form
    does all that; use this class for fields that no form can draw.
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
        """Return the key of the widget that shows this value: a new one if the widget has another value.

        `means_it` returns whether the widget's value means the same. `chosen` are the labels of the selected options.
        """
        drawn, chosen = self.drawn.get(place), chosen or {}
        if drawn is None:
            drawn = self.drawn[place] = _Drawn(f"{self.name}/{place[0]}/{place[1]}", shown, chosen)
        elif (drawn.held != shown and not means_it(drawn.held)) or any(
            drawn.chosen.get(each, name) != name for each, name in chosen.items()
        ):
            drawn.number += 1
            drawn.key = f"{self.name}/{place[0]}/{place[1]}/{drawn.number}"
            drawn.held = shown
        drawn.chosen = chosen
        return drawn.key

    def take_up(self, kept: StateKey[D | None], absorb: Callable[[D, Mapping[Place, Any]], D]) -> D | None:
        """Return the draft in the session with everything typed since it was drawn, and store it.

        `absorb` returns the draft with the values of the widgets, by place.
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
