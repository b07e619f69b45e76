"""What a run drew reaches the browser, whatever is asked in the moment after it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache

from components.streamlit_workarounds.whole_answers import tell_answers_out

A_PAGE = """
import streamlit as st

@st.fragment(run_every=3600)
def part():
    text = st.text_area("Text", key="text")
    st.markdown(f"holds {text}")

st.markdown("whole")
part()
"""


@pytest.fixture(autouse=True)
def told_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("request_rerun", "_handle_scriptrunner_event_on_event_loop"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))
    monkeypatch.setattr("streamlit.runtime.get_instance", MagicMock())
    tell_answers_out()


class Tab:
    """A session of the framework, as the event loop drives it, and what its browser is told."""

    def __init__(self, folder: Path) -> None:
        script = folder / "page.py"
        script.write_text(A_PAGE, encoding="utf-8")
        files = MemoryUploadedFileManager("/upload")
        self.session = AppSession(ScriptData(str(script), is_hello=False), files, ScriptCache(), lambda: None, {})
        self.told: list[str] = []
        self.part = ""
        self.text = ""

    def ask(self, *, part: str = "", typed: str | None = None, by_timer: bool = False) -> None:
        state = ClientState(fragment_id=part, is_auto_rerun=by_timer)
        if typed is not None:
            state.widget_states.widgets.add(id=self.text, string_value=typed)
        self.session.request_rerun(state)

    def end_the_run(self) -> None:
        """Wait for the thread of the run while nothing of it can be told, as on a busy machine."""
        runner = self.session._scriptrunner
        assert runner is not None
        assert runner._script_thread is not None
        runner._script_thread.join(60)

    async def hear(self) -> None:
        while self.session._scriptrunner is not None or self.session._browser_queue._queue:
            await asyncio.sleep(0)
            for said in self.session.flush_browser_queue():
                if said.HasField("auto_rerun"):
                    self.part = said.auto_rerun.fragment_id
                if said.HasField("delta") and said.delta.new_element.HasField("text_area"):
                    self.text = said.delta.new_element.text_area.id
                if said.HasField("delta") and said.delta.new_element.HasField("markdown"):
                    self.told.append(said.delta.new_element.markdown.body)


def in_a_tab(folder: Path, walk: Callable[[Tab], asyncio.Future[None]]) -> list[str]:
    async def go() -> list[str]:
        tab = Tab(folder)
        tab.ask()
        await tab.hear()
        tab.told.clear()
        await walk(tab)
        await tab.hear()
        return tab.told

    return asyncio.run(go())


def test_what_was_typed_is_seen_though_a_part_is_asked_for_before_it_was_told(tmp_path: Path) -> None:
    """In order, also what is asked after that, and of a whole page. A timer may draw its part once more."""

    async def walk(tab: Tab) -> None:
        tab.ask(part=tab.part, typed="Take shelter")
        tab.end_the_run()
        tab.ask(part=tab.part, by_timer=True)
        tab.ask(part=tab.part, typed="Take shelter now")
        await tab.hear()
        tab.ask(typed="Take shelter now.")
        tab.end_the_run()
        tab.ask(part=tab.part, by_timer=True)

    told = [said for said, _ in groupby(in_a_tab(tmp_path, walk))]
    assert told == ["holds Take shelter", "holds Take shelter now", "whole", "holds Take shelter now."]


def test_what_is_typed_in_a_part_that_is_gone_is_taken_with_the_whole_page(tmp_path: Path) -> None:
    """A timer of such a part asks for nothing."""

    async def walk(tab: Tab) -> None:
        tab.ask(part="gone", by_timer=True)
        assert tab.session._scriptrunner is None
        tab.ask(part="gone", typed="Take shelter")

    assert in_a_tab(tmp_path, walk) == ["whole", "holds Take shelter"]
