"""Widget keys that stay while only the user changes a field, and change when something else sets its value.

A value that is only set in the session is lost in the browser if another run follows at once, so a widget gets its
value when it is created, and a new key creates it again (docs/decisions/forms.md). The nearest upstream issue about
browser and session that disagree is streamlit/streamlit#10114. Held by
`tests/browser/test_public_alert.py::test_the_preview_follows_typing_and_the_text_survives_a_refresh`, where a button
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
    """A widget as it was drawn last: its key and number, its value, the labels of its selected options, and the value
    that it was created with.
    """

    key: str
    value: Any
    option_labels: Mapping[Any, str]
    initial: Any
    number: int = 0


class Widgets:
    """The widgets of fields, by place: the ID of a part of the draft, and a path in it.

    A widget is drawn under `key` with its initial value (`value=`, `index=`, `default=`), and read by
    `sync_from_widgets`. A form does both; use this class for fields that no form can draw.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.drawn: dict[Place, _Drawn] = StateKey[dict[Place, _Drawn]](f"{name}.drawn", dict).get()

    def key(
        self,
        place: Place,
        value: Any,
        *,
        is_equivalent: Callable[[Any], bool] = lambda _: False,
        option_labels: Mapping[Any, str] | None = None,
        listed_labels: Mapping[Any, str] | None = None,
    ) -> str:
        """Return the key of the widget that shows this value: a new one if the widget has another value.

        `is_equivalent` returns whether the widget's value means the same. `option_labels` has a label for each selected
        option, and `listed_labels` the labels that they had in the list, by default the same.
        """
        drawn, option_labels = self.drawn.get(place), option_labels or {}
        listed_labels = listed_labels or option_labels
        if drawn is None:
            drawn = self.drawn[place] = _Drawn(f"{self.name}/{place[0]}/{place[1]}", value, option_labels, value)
        elif (drawn.value != value and not is_equivalent(drawn.value)) or any(
            drawn.option_labels.get(each, listed_labels[each]) != name for each, name in option_labels.items()
        ):
            drawn.number += 1
            drawn.key = f"{self.name}/{place[0]}/{place[1]}/{drawn.number}"
            drawn.value = drawn.initial = value
        drawn.option_labels = option_labels
        return drawn.key

    def initial_value(self, place: Place) -> Any:
        """Return the value that the widget at a place was created with."""
        return self.drawn[place].initial

    def sync_from_widgets(
        self, draft_state: StateKey[D | None], apply: Callable[[D, Mapping[Place, Any]], D]
    ) -> D | None:
        """Return the draft in the session with everything typed since it was drawn, and store it.

        `apply` returns the draft with the values of the widgets, by place.
        """
        draft = draft_state.get()
        if draft is None:
            return None
        typed: dict[Place, Any] = {}
        for place, each in self.drawn.items():
            value = st.session_state.get(each.key, _GONE)
            if value is not _GONE and value != each.value:
                typed[place] = value
        changed = apply(draft, typed)
        # Each access to the session may end this run if the browser requests another. So the draft is stored before
        # the values count as read.
        if changed is not draft:
            draft_state.set(changed)
        for place, value in typed.items():
            self.drawn[place].value = value
        return changed
