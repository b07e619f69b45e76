"""Check that every label in the pages for users exists in the code: what is in bold or italics is on a screen.

python scripts/check_labels.py
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1]
PAGES: Final = (
    "README.md",
    "docs/guide.md",
    "docs/questions.md",
    "docs/operations.md",
    "docs/commands.md",
    "docs/who-is-affected.md",
)
PACKAGES: Final = ("client", "components", "domain", "journal", "muster", "pages")
EXCEPTIONS: Final = frozenset(
    ("travel manager", "security analyst", "administrator", "münchen", "segments per row", "include hidden rows")
)
"""Names of people and places that the pages emphasize, and labels of which the code inserts most words."""
LITERAL: Final = 0.6
"""The share of a label that must be in a text with inserted values. The rest are values."""

_CODE: Final = re.compile(r"^```.*?^```|`[^`\n]*`|^ {4,}.*?$", re.MULTILINE | re.DOTALL)
_LABEL: Final = re.compile(r"\*\*([^*]+)\*\*|(?<!\*)\*([^*\n]+)\*(?!\*)")
_DECORATION: Final = re.compile(r":material/\w+:|:[a-z-]+(?=\[)|^\W+(?=\w)|[*\]\[]")


def _plain(text: str) -> str:
    return " ".join(_DECORATION.sub("", text).replace("’", "'").split())


def find_labels(page: Path) -> Iterator[tuple[int, str]]:
    """Yield line and text of each label in a page. The first words of a paragraph, which end in a period, are none."""
    text = _CODE.sub(lambda code: "\n" * code[0].count("\n"), page.read_text(encoding="utf-8"))
    for found in _LABEL.finditer(text):
        label = " ".join((found[1] or found[2]).replace("’", "'").split())
        is_in_table = text[text.rfind("\n", 0, found.start()) + 1 :].startswith("|")
        if label.casefold() not in EXCEPTIONS and (is_in_table or not label.endswith(".")):
            yield text.count("\n", 0, found.start()) + 1, label


def read_code() -> tuple[set[str], list[tuple[re.Pattern[str], int]]]:
    """Return the texts in the code, and patterns of those with inserted values, each with its length without these."""
    texts: set[str] = set()
    patterns = []
    for path in (path for package in PACKAGES for path in sorted((PROJECT / package).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts |= {_plain(line) for line in node.value.splitlines()}
                texts |= {f"{sentence}." for sentence in _plain(node.value).rstrip(".").split(". ")}
            elif isinstance(node, ast.JoinedStr):
                if isinstance(node.values[0], ast.Constant):
                    texts.add(_plain(str(node.values[0].value)).rstrip(":"))  # "Changes: {number}"
                parts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
                literal = [_plain_part(str(part)) if part else None for part in parts]
                # Without its number, “Check all {number} trips” has one space less.
                pattern = "".join(".*" if part is None else re.escape(part).replace(r"\ ", " *") for part in literal)
                patterns.append((re.compile(pattern, re.IGNORECASE), len("".join(part or "" for part in literal))))
    for path in (path for folder in ("components", "static") for path in sorted((PROJECT / folder).rglob("*.js"))):
        texts |= {_plain(text) for text in re.findall(r"[\"'`]([^\"'`\n]+)[\"'`]", path.read_text(encoding="utf-8"))}
    for path in sorted((PROJECT / "domain").rglob("*.toml")):
        texts |= set(re.findall(r'"([^"\n]+)"', path.read_text(encoding="utf-8")))
    return {text.casefold() for text in texts}, patterns


def _plain_part(text: str) -> str:
    return _DECORATION.sub("", text).replace("’", "'")


def main() -> int:
    """Print the labels that no text in the code has, and return 1 if there are any."""
    texts, patterns = read_code()
    unknown = [
        f"{name}:{line}: no label “{label}” in the code"
        for name in PAGES
        for line, label in find_labels(PROJECT / name)
        if label.casefold() not in texts
        and not any(length >= LITERAL * len(label) and pattern.fullmatch(label) for pattern, length in patterns)
    ]
    print("\n".join(unknown) or "Labels: every label in the pages exists.")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
