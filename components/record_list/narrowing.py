"""What lists are narrowed by: a text, one of some, several of some, a switch. Each stands in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from components.shell.notices import field_problem

if TYPE_CHECKING:
    from components.shell.address import AddressField
    from domain.runtime.workspace import Workspace

FIND_WIDTH: Final = 232
CHOICE_WIDTH: Final = 166
"""Two choices stand side by side on a phone, all filters in one row on a wide screen."""


@dataclass(frozen=True)
class _OfOneField:
    field: AddressField[Any]
    label: str

    @property
    def fields(self) -> Sequence[AddressField[Any]]:
        """What it holds."""
        return (self.field,)


@dataclass(frozen=True)
class Find(_OfOneField):
    """A text to look for; `hint` says in the empty field what it is looked for in."""

    hint: str = ""

    def draw(self, _: Workspace, start_over: Callable[[], None]) -> None:
        """Draw it."""
        st.text_input(
            self.label,
            type="search",
            key=self.field.widget_key,
            placeholder=self.hint,
            on_change=start_over,
            width=FIND_WIDTH,
        )


@dataclass(frozen=True)
class Choice(_OfOneField):
    """One of some options, given by what stands in the address with what it is called; or none, called `when_none`.

    What the address names beside them stays in the field, called as `unknown` says.
    """

    options: Callable[[Workspace], Mapping[str, str]]
    when_none: str
    unknown: str = "{}"
    width: int = CHOICE_WIDTH

    def draw(self, workspace: Workspace, start_over: Callable[[], None]) -> None:
        """Draw it."""
        options, held = self.options(workspace), self.field.get()
        st.selectbox(
            self.label,
            list(options) if held is None or held in options else [*options, held],
            index=None,
            format_func=lambda option: options.get(option, self.unknown.format(option)),
            key=self.field.widget_key,
            placeholder=self.when_none,
            on_change=start_over,
            width=self.width,
        )


@dataclass(frozen=True)
class Several(_OfOneField):
    """Several texts: those offered, by what the address says with what each is called, and others that are typed in.

    `problem` says what is wrong with one; without it, what the address names beside those offered is taken as it is.
    """

    when_none: str
    options: Callable[[Workspace], Mapping[str, str]]
    problem: Callable[[str], str | None] = lambda _: None
    width: int = 2 * CHOICE_WIDTH

    def draw(self, workspace: Workspace, start_over: Callable[[], None]) -> None:
        """Draw it, with what is wrong with what was typed."""
        options, held = self.options(workspace), self.field.get()
        with st.container(width=self.width, gap="xxsmall"):
            st.multiselect(
                self.label,
                list(dict.fromkeys([*held, *options])),
                key=self.field.widget_key,
                format_func=lambda each: options.get(each, each),
                placeholder=self.when_none,
                accept_new_options=True,
                # One key too many must not choose everything.
                select_all=False,
                on_change=start_over,
            )
            field_problem(*map(self.problem, held))


@dataclass(frozen=True)
class Switch(_OfOneField):
    """On or off."""

    def draw(self, _: Workspace, start_over: Callable[[], None]) -> None:
        """Draw it."""
        st.toggle(self.label, key=self.field.widget_key, on_change=start_over)
