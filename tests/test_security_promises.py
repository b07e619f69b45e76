"""Every promise in docs/security.md names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| [^|]+ \| (`tests/[^|]+) \|$", re.MULTILINE)
TESTS = re.compile(r"`(tests/[\w/]+\.py)`: ((?:`test_\w+`(?:, )?)+)")


def test_every_promise_names_tests_that_exist() -> None:
    _, section = (PROJECT / "docs" / "security.md").read_text(encoding="utf-8").split("## Promises")
    table = section.partition("##")[0]
    promises = ROW.findall(table)
    assert len(promises) == table.count("\n|") - 2, "the first two lines are the headings"
    for promise in promises:
        named = TESTS.findall(promise)
        assert named, promise
        for path, tests in named:
            source = (PROJECT / path).read_text(encoding="utf-8")
            for name in re.findall(r"test_\w+", tests):
                assert f"def {name}(" in source, f"{path} has no {name}"
