"""The keys of widgets: kept for as long as only the person changes a field, renewed where something else did.

A value that is only put into the session under a widget's key is lost in the browser where another run follows at once;
so a widget begins with its value, and a new key makes it begin anew. docs/decisions/forms.md argues it. It waits for a
widget whose value a program can set for good; of several reports that browser and session fall apart the nearest is
streamlit/streamlit#10114. Held by
`tests/browser/test_public_alert.py::test_the_text_is_followed_as_it_is_typed_and_survives_a_refresh`, where a button
writes into a text that was typed the moment before.
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
    """A widget as it was drawn last: the how manieth of its field, what it holds, and what is chosen in words."""

    key: str
    held: Any
    chosen: Mapping[Any, str]
    number: int = 0


class Widgets:
    """The widgets in which the fields of a form stand, by their place: the uid of a part of the draft, a path in it.

    A widget is drawn under `key`, begins with what was said to be shown (`value=`, `index=`, `default=`), and is read
    by `take_up`. A form does all that; it is for fields that no form can draw.
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
