"""Muster's version and commit."""

from __future__ import annotations

import os
import subprocess
import tomllib
from functools import cache

from domain.runtime.settings import PROJECT


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
