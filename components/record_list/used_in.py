"""Where a record is used: links to the records that use it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.shell.address import link_to
from domain.text.plain_text import plain

if TYPE_CHECKING:
    from components.shell.address import QueryValue
    from domain.runtime.screens import Screen

_SHOWN: Final = 8


@dataclass(frozen=True)
class Use:
    """A record that uses another one, and the screen and query that open it."""

    label: str
    screen: Screen
    query: Mapping[str, QueryValue] = field(default_factory=dict)


def draw_uses(uses: Sequence[Use], *, none: str = "") -> None:
    """Draw links to the first uses, and how many more there are; `none` if there are none."""
    if not uses:
        if none:
            st.caption(none)
        return
    st.markdown("**Used in**")
    for use in uses[:_SHOWN]:
        link_to(use.screen, plain(use.label), None, **use.query)
    if len(uses) > _SHOWN:
        st.caption(f"and {len(uses) - _SHOWN:,} more")
