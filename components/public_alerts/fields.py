"""The fields an alert is typed in, each with what is wrong with it right under it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from components.public_alerts.alert_problems import AlertProblems
from components.public_alerts.draft import AlertDraft
from components.public_alerts.field_keys import renew, widget_key
from components.public_alerts.form_values import NOTHING, shown
from components.public_alerts.state import LABELS
from components.widgets.markdown_text import plain


def text_field(
    draft: AlertDraft,
    name: str,
    label: str,
    found: AlertProblems,
    *,
    placeholder: str | None = None,
    help_text: str | None = None,
) -> None:
    """Draw a field for a line of text."""
    st.text_input(
        label,
        value=shown(draft, name),
        key=widget_key(draft, name),
        placeholder=placeholder,
        help=help_text,
    )
    say_problems(found, name)


def area_field(
    draft: AlertDraft,
    name: str,
    label: str,
    found: AlertProblems,
    *,
    height: int,
    placeholder: str | None = None,
    help_text: str | None = None,
) -> None:
    """Draw a field for a text of several lines."""
    st.text_area(
        label,
        value=shown(draft, name),
        key=widget_key(draft, name),
        height=height,
        placeholder=placeholder,
        help=help_text,
    )
    say_problems(found, name)


def choice_field(
    draft: AlertDraft,
    name: str,
    label: str,
    options: Sequence[Any],
    found: AlertProblems,
    *,
    words: Callable[[Any], str] = str,
    placeholder: str = "Choose",
    help_text: str | None = None,
    on_change: Callable[[], None] | None = None,
    disabled: bool = False,
) -> None:
    """Draw a pick list in which nothing needs to be chosen; what the draft came with stays in it, offered or not."""
    held = shown(draft, name)
    all_options = [*options, *([held] if held is not None and held not in options else [])]
    st.selectbox(
        label,
        all_options,
        index=None if held is None else all_options.index(held),
        key=widget_key(draft, name),
        format_func=words,
        placeholder=placeholder,
        help=help_text,
        on_change=on_change,
        disabled=disabled,
        filter_mode="contains",
    )
    say_problems(found, name)


def names_field(
    draft: AlertDraft,
    name: str,
    label: str,
    names: Mapping[int, str],
    found: AlertProblems,
    *,
    several: bool,
    unknown: str,
    placeholder: str,
    help_text: str | None = None,
) -> None:
    """Draw a pick list of records by name; ids the list does not hold stay, called `unknown` with their id."""
    held = list(draft.groups) if several else [each for each in (getattr(draft, name),) if each is not None]
    labels = {each: names.get(each, f"{unknown} {each}") for each in dict.fromkeys([*names, *held])}
    if not several:
        # A pick list that begins with a choice cannot be emptied: nothing is a choice too.
        labels = {NOTHING: placeholder, **labels}
    field, known = f"{draft.uid}/{name}", LABELS.get()
    if known.get(field, labels) != labels:
        # The browser knows what is chosen by the words: where they have changed, the field begins anew.
        renew(draft, name)
    LABELS.set({**known, field: labels})
    key = widget_key(draft, name)
    if several:
        st.multiselect(
            label,
            list(labels),
            default=held,
            key=key,
            format_func=lambda each: labels.get(each, str(each)),
            placeholder=placeholder,
            help=help_text,
            # One key too many must not warn everybody.
            select_all=False,
        )
    else:
        st.selectbox(
            label,
            list(labels),
            index=list(labels).index(held[0]) if held else 0,
            key=key,
            format_func=lambda each: labels.get(each, str(each)),
            help=help_text,
            filter_mode="contains",
        )
    say_problems(found, name)


def say_problems(found: AlertProblems, *slots: str) -> None:
    """Draw what is wrong with these fields, in red and with a sign, under the field."""
    for slot in slots:
        for words in found.of(slot):
            st.markdown(f":small[:red[:material/error: {plain(words)}]]")
