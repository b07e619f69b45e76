"""The filters of record lists: a search field, a choice, a multiple choice, and a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.shell.notices import field_problem
from domain.text.text_limits import MAX_LINE

if TYPE_CHECKING:
    from components.shell.address import AddressField
    from domain.runtime.workspace import Workspace

SEARCH_WIDTH: Final = 232
CHOICE_WIDTH: Final = 166
"""Two choices fit side by side on a phone, and all filters in one row on a wide screen."""


@dataclass(frozen=True)
class _SingleFieldFilter:
    field: AddressField[Any]
    label: str

    @property
    def fields(self) -> Sequence[AddressField[Any]]:
        """Its URL parameter."""
        return (self.field,)


@dataclass(frozen=True)
class SearchFilter(_SingleFieldFilter):
    """A search field."""

    hint: str = ""
    """The placeholder: what the search covers."""

    def draw(self, _: Workspace, start_over: Callable[[], None]) -> None:
        """Draw the filter."""
        st.text_input(
            self.label,
            type="search",
            key=self.field.widget_key,
            max_chars=MAX_LINE,
            placeholder=self.hint,
            on_change=start_over,
            width=SEARCH_WIDTH,
        )


@dataclass(frozen=True)
class ChoiceFilter(_SingleFieldFilter):
    """A choice of one option, or none."""

    options: Callable[[Workspace], Mapping[str, str]]
    """Returns the labels of the options by their value in the URL."""
    none_label: str
    """The label of no selection."""
    unknown_label: str = "{}"
    """The label of a value in the URL that is not among the options."""
    width: int = CHOICE_WIDTH

    def draw(self, workspace: Workspace, start_over: Callable[[], None]) -> None:
        """Draw the filter."""
        options, value = self.options(workspace), self.field.get()
        st.selectbox(
            self.label,
            list(options) if value is None or value in options else [*options, value],
            index=None,
            format_func=lambda option: options.get(option, self.unknown_label.format(option)),
            key=self.field.widget_key,
            placeholder=self.none_label,
            on_change=start_over,
            width=self.width,
        )


@dataclass(frozen=True)
class MultiChoiceFilter(_SingleFieldFilter):
    """A choice of several options, or of other values that are typed in."""

    none_label: str
    """The label of no selection."""
    options: Callable[[Workspace], Mapping[str, str]]
    """Returns the labels of the options by their value in the URL."""
    find_problem: Callable[[str], str | None] = lambda _: None
    """Returns what is wrong with a value, or None."""
    width: int = 2 * CHOICE_WIDTH

    def draw(self, workspace: Workspace, start_over: Callable[[], None]) -> None:
        """Draw the filter and the problems of its values."""
        options, values = self.options(workspace), self.field.get()
        with st.container(width=self.width, gap="xxsmall"):
            st.multiselect(
                self.label,
                list(dict.fromkeys([*values, *options])),
                key=self.field.widget_key,
                format_func=lambda each: options.get(each, each),
                placeholder=self.none_label,
                accept_new_options=True,
                # One accidental keystroke must not select everything.
                select_all=False,
                on_change=start_over,
            )
            field_problem(*map(self.find_problem, values))


@dataclass(frozen=True)
class SwitchFilter(_SingleFieldFilter):
    """A switch."""

    def draw(self, _: Workspace, start_over: Callable[[], None]) -> None:
        """Draw the filter."""
        st.toggle(self.label, key=self.field.widget_key, on_change=start_over)
