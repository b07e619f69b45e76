"""The output of a run reaches the browser even if another run is requested right after it."""

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

from components.streamlit_workarounds.monkeypatch_reruns import patch_reruns, unpatch_reruns

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
def unpatched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use Streamlit without patches, and restore its methods after the test."""
    for name in ("request_rerun", "_handle_scriptrunner_event_on_event_loop"):
        monkeypatch.setattr(AppSession, name, getattr(AppSession, name))
    monkeypatch.setattr("streamlit.runtime.get_instance", MagicMock())
    unpatch_reruns()


@pytest.fixture
def patched(unpatched: None) -> None:
    patch_reruns()


class Tab:
    """A session of Streamlit, driven as by its event loop, and the messages that its browser receives."""

    def __init__(self, folder: Path) -> None:
        script = folder / "page.py"
        script.write_text(A_PAGE, encoding="utf-8")
        files = MemoryUploadedFileManager("/upload")
        self.session = AppSession(ScriptData(str(script), is_hello=False), files, ScriptCache(), lambda: None, {})
        self.received: list[str] = []
        self.part = ""
        self.text = ""

    def request_run(self, *, part: str = "", typed: str | None = None, by_timer: bool = False) -> None:
        state = ClientState(fragment_id=part, is_auto_rerun=by_timer)
        if typed is not None:
            state.widget_states.widgets.add(id=self.text, string_value=typed)
        self.session.request_rerun(state)

    def end_the_run(self) -> None:
        """Wait for the thread of the run while the event loop sends nothing, as on a busy computer."""
        runner = self.session._scriptrunner
        assert runner is not None
        assert runner._script_thread is not None
        runner._script_thread.join(60)

    async def receive_messages(self) -> None:
        while self.session._scriptrunner is not None or self.session._browser_queue._queue:
            await asyncio.sleep(0)
            for message in self.session.flush_browser_queue():
                if message.HasField("auto_rerun"):
                    self.part = message.auto_rerun.fragment_id
                if message.HasField("delta") and message.delta.new_element.HasField("text_area"):
                    self.text = message.delta.new_element.text_area.id
                if message.HasField("delta") and message.delta.new_element.HasField("markdown"):
                    self.received.append(message.delta.new_element.markdown.body)


def run_in_tab(folder: Path, steps: Callable[[Tab], asyncio.Future[None]]) -> list[str]:
    async def run() -> list[str]:
        tab = Tab(folder)
        tab.request_run()
        await tab.receive_messages()
        tab.received.clear()
        await steps(tab)
        await tab.receive_messages()
        return tab.received

    return asyncio.run(run())


async def type_before_a_timer(tab: Tab) -> None:
    tab.request_run(part=tab.part, typed="Take shelter")
    tab.end_the_run()
    tab.request_run(part=tab.part, by_timer=True)
    tab.request_run(part=tab.part, typed="Take shelter now")
    await tab.receive_messages()
    tab.request_run(typed="Take shelter now.")
    tab.end_the_run()
    tab.request_run(part=tab.part, by_timer=True)


async def type_in_a_removed_fragment(tab: Tab) -> None:
    tab.request_run(part="gone", by_timer=True)
    assert tab.session._scriptrunner is None
    tab.request_run(part="gone", typed="Take shelter")


@pytest.mark.usefixtures("patched")
def test_typed_text_is_shown_even_if_a_timer_requests_its_fragment_first(tmp_path: Path) -> None:
    """Later requests, also for the whole page, are handled in order. A timer may redraw its fragment once more."""
    received = [text for text, _ in groupby(run_in_tab(tmp_path, type_before_a_timer))]
    assert received == ["holds Take shelter", "holds Take shelter now", "whole", "holds Take shelter now."]


@pytest.mark.usefixtures("patched")
def test_text_typed_in_a_removed_fragment_is_stored_by_a_run_of_the_page(tmp_path: Path) -> None:
    """A timer of a removed fragment requests nothing."""
    assert run_in_tab(tmp_path, type_in_a_removed_fragment) == ["whole", "holds Take shelter"]


def test_streamlit_without_the_patch_drops_the_output_of_a_run(tmp_path: Path) -> None:
    assert "holds Take shelter" not in run_in_tab(tmp_path, type_before_a_timer)


def test_streamlit_without_the_patch_ignores_text_typed_in_a_removed_fragment(tmp_path: Path) -> None:
    assert run_in_tab(tmp_path, type_in_a_removed_fragment) == []
