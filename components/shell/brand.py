"""Muster's name, mark and version."""

from __future__ import annotations

import os
import subprocess
import tomllib
from functools import cache
from pathlib import Path
from typing import Final

from domain.runtime.settings import PROJECT

NAME: Final = "Muster"
_IMAGES: Final = Path(__file__).parent / "images"
MARK: Final = (_IMAGES / "mark.svg").read_text(encoding="utf-8").strip()
_INK: Final = {"light": "#0D151D", "dark": "#E3EAF1"}


def wordmark(theme: str | None) -> str:
    """Return the mark with the name beside it as SVG, drawn for a light or a dark ground."""
    drawn = (_IMAGES / "wordmark.svg").read_text(encoding="utf-8").strip()
    return drawn.replace("currentColor", _INK["dark" if theme == "dark" else "light"])


@cache
def version() -> str:
    """Return the version in `pyproject.toml`, with the commit if it is known: "0.1.0 (commit 1a2b3c4)"."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    commit = os.environ.get("MUSTER_COMMIT", "").strip() or _read_commit()
    return f"{project['version']} (commit {commit})" if commit else str(project["version"])


def _read_commit() -> str:
    # A deployment without .git may lie inside another project's checkout.
    if not (PROJECT / ".git").exists():
        return ""
    command = ["git", "-C", str(PROJECT), "rev-parse", "--short", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=5)  # noqa: S603 - constant arguments
        return done.stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return ""
