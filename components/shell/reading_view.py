"""Progress and errors of data that loads in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import streamlit as st

from components.shell.job_progress import Progress, job_progress
from components.shell.notices import show_problem
from domain.runtime.background import BackgroundRead, BackgroundReads, ReadState

T = TypeVar("T")

MEANWHILE: Final = "You can leave this page. Muster continues to load the data."


def draw_reading(data: BackgroundRead[T], describe: Callable[[ReadState[T]], str], *, key: str) -> ReadState[T]:
    """Wait a moment for the data, draw its progress or its error, and return its state.

    `describe` returns the text of the progress.
    """
    if data.now.is_running:
        with st.spinner(describe(data.now)):
            data.wait(BackgroundReads.patience, since_it_began=True)
    now = data.now
    if now.is_running:

        def progress() -> Progress:
            now = data.now
            total = now.total or 0
            return Progress(max(total, now.done, 1), now.done if total else 0, describe(now), not now.is_running)

        job_progress(progress, key=f"{key}-reading", meaning=MEANWHILE)
    if now.error is not None:
        show_problem(now.error, key=key, is_read=True)
    return now
