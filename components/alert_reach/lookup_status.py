"""Draws how the two lookups are getting on: being read, not to be had, or since when they hold."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.alert_reach.region_catalog import RegionLookups
from components.shell.notices import show_problem
from components.widgets import time_text
from components.widgets.markdown_text import plain

_LOOK_EVERY_SECONDS: Final = 0.5
_SLOW_AFTER_SECONDS: Final = 10


def lookup_status(held: RegionLookups, *, key: str = "public_alerts.lookups", is_written: bool = True) -> None:
    """Draw what is under way or failed; and let the page be drawn anew once a reading has ended.

    `is_written` where the alert can be written beside it.
    """
    meanwhile = " The rest of the alert can be written meanwhile." if is_written else ""
    if held.is_reading:
        _watch(held, meanwhile)
    for name, each, what in (
        ("regions", held.regions, "the places that can be chosen"),
        ("groups", held.groups, "the event groups"),
    ):
        now = each.now
        if now.error is None:
            continue
        show_problem(now.error, doing=f"reading {what}", key=f"{key}-{name}")
        if now.value is not None and now.read_at is not None:
            st.caption(f"Those read {time_text.ago(now.read_at, datetime.now(UTC))} are offered meanwhile.")
        else:
            st.caption(f"What was chosen before stays chosen.{meanwhile}")
        st.button("Try again", icon=":material/replay:", key=f"{key}-{name}-retry", on_click=held.reload_failed)


def freshness(held: RegionLookups, *, key: str = "public_alerts.lookups") -> None:
    """Draw how old the list of places is, with the button that reads it again."""
    catalog, read_at = held.regions.value, held.regions.now.read_at
    if catalog is None or read_at is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        said = time_text.ago(read_at, datetime.now(UTC))
        st.caption(plain(f"{len(catalog):,} places offered, read {said}"), width="content")
        st.button(
            "Read again",
            icon=":material/refresh:",
            type="tertiary",
            key=f"{key}-reload",
            on_click=held.reload,
            disabled=held.is_reading,
            help="Ask the service again which places and event groups it offers. What is chosen stays chosen.",
        )


def _watch(held: RegionLookups, meanwhile: str) -> None:
    drawn = held.version

    @st.fragment(run_every=_LOOK_EVERY_SECONDS)
    def watch() -> None:
        if held.version != drawn:
            st.rerun(scope="app")
        st.caption(f":material/hourglass_top: {plain(_words(held, meanwhile))}")

    watch()


def _words(held: RegionLookups, meanwhile: str) -> str:
    now = held.regions.now
    if not now.is_running:
        return "Reading the event groups…"
    if now.value is not None:
        return "Reading the places again. Those read before are offered meanwhile."
    waited = (datetime.now(UTC) - now.began_at).total_seconds() if now.began_at else 0.0
    words = "Reading the cities, zip codes and counties that can be chosen"
    words += f" ({waited:.0f} s so far)." if waited >= 1 else "."
    if waited > _SLOW_AFTER_SECONDS:
        words += " The service takes its time."
    return words + meanwhile
