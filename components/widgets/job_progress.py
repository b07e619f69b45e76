"""How far a background job is, drawn without running the whole page again each time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import streamlit as st

from components.widgets.page_redraw import redraw_page
from domain.text.plain_text import plain

REDRAW_EVERY_SECONDS: Final = 0.5


@dataclass(frozen=True)
class Progress:
    """How much of a job is done, what it is doing in words, and whether it has ended (however it ended)."""

    total: int
    done: int
    words: str
    finished: bool

    @property
    def share(self) -> float:
        """Tell how much is done between 0 and 1; a job with nothing to do is done."""
        return 1.0 if self.total <= 0 else min(max(self.done / self.total, 0.0), 1.0)


def job_progress(
    read: Callable[[], Progress],
    *,
    key: str,
    on_stop: Callable[[], None] | None = None,
    on_pause: Callable[[], None] | None = None,
    meaning: str = "",
) -> None:
    """Draw the progress of a job that was seen to run and go on drawing it until it has ended; then run the app once.

    `on_stop` and `on_pause` draw a button that calls them; it is called before the redraw, must not draw, and should
    only ask the job to stop. `meaning` says what leaving the page, or stopping, means for the job.
    """

    @st.fragment(run_every=REDRAW_EVERY_SECONDS)
    def redraw() -> None:
        progress = read()
        if progress.finished:
            redraw_page()
        with st.container(horizontal=True, vertical_alignment="center"):
            with st.container(key=f"announced-progress-{key}"):
                st.progress(progress.share, text=plain(progress.words))
            if on_pause is not None:
                st.button("Pause", key=f"{key}-pause", icon=":material/pause_circle:", on_click=on_pause)
            if on_stop is not None:
                st.button("Stop", key=f"{key}-stop", icon=":material/stop_circle:", on_click=on_stop)
        if meaning:
            st.caption(plain(meaning))

    redraw()
