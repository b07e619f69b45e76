"""Check that code and pages use the words of the style guide: none of the replaced identifiers or phrases.

python scripts/check_language.py
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).parents[1]
PACKAGES: Final = (
    *("bench", "client", "components", "domain", "journal", "muster", "pages", "service"),
    *("shapes", "storage"),
)
INPUT_SPELLINGS: Final = frozenset(
    (
        "domain/file_import/heading_words.py",
        "domain/file_import/traveler_cells.py",
        "domain/trips/trip_import/trip_columns.py",
    )
)
"""Modules with the headings of users’ files, in every spelling. Their texts are not checked."""

NAMES: Final = frozenset(
    re.findall(
        r"\w+",
        "told said kept fate fates asked looked likeness mend mended mending lot take_up absorb settle beside carried "
        "together cut_short nearly worked_out outdate wire judging judged verdict told_at called landing says_the_same "
        "written_down held Kept Fate Asked Looked Candidate OvertakenError ExistsError Words Wrong Desk "
        "traveller travellers Traveller Travellers hand_over Handover",
    )
)
"""Identifiers that the guide replaces."""
BARE_WORDS: Final = frozenset(
    re.findall(
        r"\w+",
        "before after beside within without elsewhere told said kept held asked found known given named shown picked "
        "chosen wanted what who",
    )
)
"""Participles, adverbs, prepositions, and pronouns that are no parameters of public functions."""

PHRASES: Final = (
    r"\blook (?:whether|again)\b",
    r"\bthis desk\b",
    r"\bfrom here\b|\bsigned in here\b|\bnot known here\b",
    r"\b(?:some|no|every|any)body\b",
    r"\be-mail\b",
    r"\bzip codes?\b",
    r"\bwhoever runs\b",
    r"\btaken? (?:it|them) out\b",
    r"\blet go of\b",
    r"\bmend(?:ed)?\b",
    r"\bis gone then\b",
    r"\blooks? as if\b",
    r"\bready alerts?\b",
    r"\bpair of eyes\b",
    r"\bturn(?:ed)? (?:it )?down\b",
    r"\bpress(?:es)? (?:it|again)\b",
    r"\b(?:not|is|are) told\b",
    r"\bgoes out\b",
    r"\bcan be neither\b",
    r"\bfor (?:good|real)\b",
    r"\btravellers?\b",
    r"\bwhile \{",
    r"(?<!connection was )\brefus(?:e|es|ed|al|als)\b",
    r"\b(?:left|leaves?|leaving) out\b|\bleave (?:it|them) out\b",
    r"\bat the service\b",
    r"\bno way to\b",
    r"\b(?:both|the two) ends\b",
    r"\bexpects? no ?one\b",
    r"\bgoes on\b",
    r"\bcould not begin\b",
    r"\banswer(?:s|ed) (?:with|by)\b",
    r"\bcan be used once\b",
    r"\b(?:response|message)s? of the service\b",
    r"\buppercase and lowercase (?:differ|are)\b",
    r"\bwithout a stop\b",
    r"\bin the selected rosters\b",
    r"\b(?:finds|lists|names) no\b",
)
"""What must not appear in user-visible texts."""
_ANY_PHRASE: Final = re.compile("|".join(PHRASES))
_CODE: Final = re.compile(r"^```.*?^```|`[^`\n]*`|^ {4,}.*?$", re.MULTILINE | re.DOTALL)
_PATTERN_SIGNS: Final = re.compile(r"\\[bsdw]|\(\?")


def files(pattern: str, *places: str) -> Iterator[Path]:
    """Yield the files in these folders whose names match the pattern."""
    for place in places:
        yield from sorted((PROJECT / place).rglob(pattern))


def docstrings(tree: ast.AST) -> set[int]:
    """Return the ids of the nodes that are docstrings, of names and fields too: no user reads them."""
    found = set()
    for node in ast.walk(tree):
        for statement in getattr(node, "body", []) if not isinstance(node, ast.Lambda | ast.IfExp) else []:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                found.add(id(statement.value))
    return found


def text_problems(path: Path) -> Iterator[str]:
    """Yield each text of a module that contains a phrase the guide replaces. Regular expressions are left out."""
    if str(path.relative_to(PROJECT)) in INPUT_SPELLINGS:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = docstrings(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in skipped:
            continue
        found = None if _PATTERN_SIGNS.search(node.value) else _ANY_PHRASE.search(node.value)
        if found is not None and " " in node.value.strip():
            yield f"{path.relative_to(PROJECT)}:{node.lineno}: “{found.group()}” in a text"


def page_problems(path: Path) -> Iterator[str]:
    """Yield each phrase of a page outside code that the guide replaces."""
    text = _CODE.sub(lambda code: "\n" * code.group().count("\n"), path.read_text(encoding="utf-8"))
    for number, line in enumerate(text.splitlines(), start=1):
        for found in _ANY_PHRASE.finditer(line):
            yield f"{path.relative_to(PROJECT)}:{number}: “{found.group()}”"


def name_problems(path: Path) -> Iterator[str]:
    """Yield each name that a module defines and the guide replaces."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = node.name
        elif isinstance(node, ast.arg):
            name = node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            name = node.id
        else:
            continue
        if name.lstrip("_") in NAMES:
            yield f"{path.relative_to(PROJECT)}:{node.lineno}: the name “{name}”"
        if isinstance(node, ast.FunctionDef) and not name.startswith("_"):
            for parameter in [*node.args.args, *node.args.kwonlyargs]:
                if parameter.arg in BARE_WORDS:
                    yield f"{path.relative_to(PROJECT)}:{node.lineno}: the parameter “{parameter.arg}” of {name}"


def script_problems(path: Path) -> Iterator[str]:
    """Yield each name that a script of the browser defines and the guide replaces."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        for name in re.findall(r"\b(?:const|let|function|class) (\w+)", line):
            if name in NAMES:
                yield f"{path.relative_to(PROJECT)}:{number}: the name “{name}”"


def main() -> int:
    """Print the problems, and return 1 if there are any."""
    modules = [PROJECT / "app.py", *files("*.py", *PACKAGES)]
    problems = [line for path in modules for line in (*text_problems(path), *name_problems(path))]
    problems += [line for path in files("*.js", "components", "static") for line in script_problems(path)]
    pages = [*sorted(PROJECT.glob("*.md")), *files("*.md", "docs")]
    problems += [line for path in pages for line in page_problems(path)]
    print("\n".join(problems) or "Language: no replaced words.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
