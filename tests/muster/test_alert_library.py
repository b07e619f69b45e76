"""Eighty alert texts by someone who had not read the rules: wrong ones get a hint, and right ones do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from muster.commands import main

LIBRARY: Final = Path(__file__).resolve().parents[1] / "cases" / "alert-library.json"
MAX_MISSES: Final = 3
MAX_FALSE_HINTS: Final = 1


def test_nearly_all_wrong_texts_and_nearly_no_right_ones_get_a_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = json.loads(LIBRARY.read_text(encoding="utf-8"))
    path = tmp_path / "drafts.json"
    path.write_text(json.dumps([case["draft"] for case in cases]), encoding="utf-8")
    main(["check-alert", str(path), "--json"])
    checked = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["draft"] for each in checked] == list(range(1, len(cases) + 1))
    hints = {case["name"]: each["hints"] for case, each in zip(cases, checked, strict=True)}
    missed = [case["name"] for case in cases if case["expected"] and not hints[case["name"]]]
    false = [case["name"] for case in cases if not case["expected"] and hints[case["name"]]]
    assert len(missed) <= MAX_MISSES, missed
    assert len(false) <= MAX_FALSE_HINTS, false
