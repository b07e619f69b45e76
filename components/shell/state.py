"""Typed keys of session state, each declared once in its area."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar, cast

import streamlit as st

T = TypeVar("T")


class StateKey(Generic[T]):
    """A key of session state with a unique name and a value of one type."""

    def __init__(self, name: str, default_factory: Callable[[], T]) -> None:
        """Declare the key. `name` is `area.value`, and `default_factory` makes the initial value."""
        self.name = name
        self._default_factory = default_factory

    @property
    def widget_key(self) -> str:
        """The key of a widget that stores its value here."""
        return self.name

    def get(self) -> T:
        """Return the value, after storing the default if there is none."""
        try:
            return cast(T, st.session_state[self.name])
        except KeyError:
            value = st.session_state[self.name] = self._default_factory()
            return value

    def set(self, value: T) -> None:
        """Store the value. Not possible after a widget with this key was drawn in the same run."""
        st.session_state[self.name] = value

    def clear(self) -> None:
        """Remove the value, so that the default applies again."""
        st.session_state.pop(self.name, None)

    def __repr__(self) -> str:
        return f"StateKey({self.name!r})"
