"""Print line coverage by package, from the report of `coverage json`."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path


def package_of(path: str) -> str:
    """Return the package of a file: the top-level one, or for components and domain the one below it."""
    first, *others = Path(path).parts
    return f"{first}/{others[0]}" if first in {"components", "domain"} and len(others) > 1 else first


def summarize(report: dict[str, dict[str, dict[str, dict[str, int]]]]) -> list[str]:
    """Return a line for each package, the total last: its name, its statements, and the share that ran."""
    statements: Counter[str] = Counter()
    covered: Counter[str] = Counter()
    for path, file in report["files"].items():
        for name in (package_of(path), "total"):
            statements[name] += file["summary"]["num_statements"]
            covered[name] += file["summary"]["covered_lines"]
    names = [*sorted(statements.keys() - {"total"}), "total"]
    return [
        f"{name:<32} {statements[name]:>7,} {covered[name] / statements[name]:>7.1%}"
        for name in names
        if statements[name]
    ]


if __name__ == "__main__":
    print(f"{'Package':<32} {'Lines':>7} {'Covered':>7}")
    print(*summarize(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))), sep="\n")
