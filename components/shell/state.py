"""Typed keys of session state: each is declared once, in its area, and used by name from there on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

import streamlit as st

T = TypeVar("T")


class StateKey(Generic[T]):
    """One place in a browser session's memory, with a name nobody else uses and a value of one type."""

    def __init__(self, name: str, default_factory: Callable[[], T]) -> None:
        """Declare the key; `name` reads `area.what`, and `default_factory` makes the value it starts with."""
        self.name = name
        self._default_factory = default_factory

    @property
    def widget_key(self) -> str:
        """The key to give to a widget whose value lives here."""
        return self.name

    def get(self) -> T:
        """Return the value, storing the default first where there is none."""
        if self.name not in st.session_state:
            st.session_state[self.name] = self._default_factory()
        return cast(T, st.session_state[self.name])

    def set(self, value: T) -> None:
        """Store the value; not allowed once a widget with this key was drawn in the same run."""
        st.session_state[self.name] = value

    def clear(self) -> None:
        """Forget the value, so that the default comes back."""
        st.session_state.pop(self.name, None)

    def __repr__(self) -> str:
        return f"StateKey({self.name!r})"
