"""The patched scripts of Streamlit's frontend."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from components.shell.security_headers import inline_script_hashes
from components.streamlit_workarounds import monkeypatch_frontend
from components.streamlit_workarounds.monkeypatch_frontend import import_map, patched_scripts

SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"


def test_streamlit_without_the_patch_still_has_the_lines_that_the_patch_replaces() -> None:
    for name, text in patched_scripts("/base").items():
        assert text != (SCRIPTS / name).read_text()
        assert 'from"./' not in text
        assert 'from"/base/static/js/' in text


def test_a_release_of_streamlit_with_other_lines_is_not_served_unpatched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in patched_scripts(""):
        (tmp_path / name).write_text("export {};")
    monkeypatch.setattr(monkeypatch_frontend, "_SCRIPTS", tmp_path)
    with pytest.raises(RuntimeError, match="has changed"):
        patched_scripts("")


def test_the_security_policy_allows_the_import_map() -> None:
    html = import_map("", ["Multiselect.js"])
    assert html.endswith('{"imports": {"/static/js/Multiselect.js": "/app/frontend/Multiselect.js"}}</script>')
    assert len(inline_script_hashes(html)) == 1
