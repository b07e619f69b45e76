"""The progress of a background job, redrawn without a run of the whole page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.shell.page_redraw import redraw_page
from domain.text.plain_text import plain

REDRAW_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Progress:
    """The progress of a job."""

    total: int
    done: int
    text: str
    is_finished: bool

    @property
    def share(self) -> float:
        """The finished share, from 0 to 1; 1 for a job without work."""
        return 1.0 if self.total <= 0 else min(max(self.done / self.total, 0.0), 1.0)


def job_progress(
    get_progress: Callable[[], Progress],
    *,
    key: str,
    on_stop: Callable[[], None] | None = None,
    on_pause: Callable[[], None] | None = None,
    meaning: str = "",
) -> None:
    """Draw the progress of a running job until it has ended, then rerun the page once.

    `on_stop` and `on_pause` add a button that calls them. They must not draw, and should only ask the job to stop.
    `meaning` says what leaving the page or stopping means for the job.
    """

    @st.fragment(run_every=REDRAW_EVERY_SECONDS)
    def redraw() -> None:
        progress = get_progress()
        if progress.is_finished:
            redraw_page()
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(key=f"announced-progress-{key}"):
                st.progress(progress.share, text=plain(progress.text))
            if on_pause is not None:
                st.button("Pause", key=f"{key}-pause", icon=":material/pause_circle:", on_click=on_pause)
            if on_stop is not None:
                st.button("Stop", key=f"{key}-stop", icon=":material/stop_circle:", on_click=on_stop)
        if meaning:
            st.caption(plain(meaning))

    redraw()
