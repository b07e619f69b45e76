"""The scripts of the web framework that Muster serves otherwise than they come."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st

from components.shell.security_headers import inline_script_hashes
from components.streamlit_workarounds import patched_frontend
from components.streamlit_workarounds.patched_frontend import import_map, patched_scripts

SCRIPTS = Path(st.__file__).parent / "static" / "static" / "js"


def test_the_scripts_as_they_come_still_need_the_patches_and_load_the_rest_from_their_own_folder() -> None:
    for name, text in patched_scripts("/base").items():
        assert text != (SCRIPTS / name).read_text()
        assert 'from"./' not in text
        assert 'from"/base/static/js/' in text


def test_a_framework_whose_scripts_have_changed_is_not_served_unpatched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in patched_scripts(""):
        (tmp_path / name).write_text("export {};")
    monkeypatch.setattr(patched_frontend, "_SCRIPTS", tmp_path)
    with pytest.raises(RuntimeError, match="has changed"):
        patched_scripts("")


def test_the_policy_lets_the_import_map_in() -> None:
    html = import_map("", ["Multiselect.js"])
    assert html.endswith('{"imports": {"/static/js/Multiselect.js": "/app/frontend/Multiselect.js"}}</script>')
    assert len(inline_script_hashes(html)) == 1
