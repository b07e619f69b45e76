"""Progress and errors of data that loads in the background."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import streamlit as st

from components.shell.notices import show_problem
from components.widgets.job_progress import Progress, job_progress
from domain.runtime.background import BackgroundRead, BackgroundReads, Reading

T = TypeVar("T")

MEANWHILE: Final = "You can leave this page. Muster continues to load the data."


def draw_reading(read: BackgroundRead[T], words: Callable[[Reading[T]], str], *, key: str) -> Reading[T]:
    """Wait a moment for the data, draw its progress in `words`, or its error, and return what is loaded."""
    if read.now.is_running:
        with st.spinner(words(read.now)):
            read.wait(BackgroundReads.patience, since_it_began=True)
    now = read.now
    if now.is_running:

        def progress() -> Progress:
            now = read.now
            total = now.total or 0
            return Progress(max(total, now.done, 1), now.done if total else 0, words(now), not now.is_running)

        job_progress(progress, key=f"{key}-reading", meaning=MEANWHILE)
    if now.error is not None:
        show_problem(now.error, key=key)
    return now
