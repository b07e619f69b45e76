"""Every regular expression takes time in proportion to the length of the text, whatever people type, paste, or upload.

The strings are made from each expression: what comes before a repeat, then what the repeat matches, thousands of times.
Time is CPU time, the shortest of several tries, so that a busy machine doesn't matter.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from re import _parser
from typing import Any

import pytest

Pattern = re.Pattern[str] | re.Pattern[bytes]
ROOT = Path(__file__).parent.parent
PACKAGES = ("client", "components", "domain", "journal", "muster", "pages", "service", "shapes", "storage")
METHODS = {"search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}
FROM_THE_START = {"match", "fullmatch"}
CALLS_A_METHOD = re.compile(rf"\.(?:{'|'.join(METHODS)})\b")
CALLED_BY_PANDAS = {
    "contains": "search",
    "extract": "search",
    "fullmatch": "fullmatch",
    "match": "match",
    "replace": "sub",
}
"""The methods of texts in columns that take an expression as text, with the method that each calls."""
COMPILED_FOR_WHOLE_CELLS = {"full_matches", "_fits"}
"""The functions that compile an expression that they are given as text, their last argument."""
GIVES_A_PATTERN = {"pattern", "by_content"}
"""The keywords that give columns an expression as text. It must match the whole cell."""
TAKES_A_PATTERN_AS_TEXT = re.compile(rf"\.str\.|{'|'.join((*COMPILED_FOR_WHOLE_CELLS, *GIVES_A_PATTERN))}")
MAKES_A_PATTERN = re.compile(r"\bre\b|pattern", re.I)
"""A module without these words has no expression of its own, so it need not be imported."""
NOT_TYPED = ("domain.alerts.wording.", "components.shell.security_headers._INLINE_SCRIPT")
"""Alert texts have a test of their own, with all that is done before an expression sees them. The other expression
reads the page of Streamlit.
"""
FEWEST = 150
GROWING = (16, 24, 32, 100, 500)
SHORT, LONG = 2_000, 8_000
NOISE = 0.003
"""Seconds. Shorter times are not compared. Quadratic time takes over 0.03 s for the long string."""
MANY = 100
"""A repeat of up to this many times is bounded."""
PREFERRED = (" ", "1", "a", "A", "-", ".", ",", '"', "\n", "\t", "é", "(", "<", "=", "/", ":", "x")
COMMON = (" ", "1", "a", "A", "a ", "1 ", "1.", "a.", "(", "[", '"', ",", ", ", "-", "<", "\\", "\n", "\t", "@", "a@")
"""Units that are tried on every expression."""


def modules() -> Iterator[tuple[str, str]]:
    """Yield the name and the source of each module."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            yield name.removesuffix(".__init__"), path.read_text(encoding="utf-8")


def variable_of(called: ast.expr) -> str:
    """Return the variable of an expression, or ""."""
    return called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""


def patterns_in(value: object, depth: int = 0) -> Iterator[Pattern]:
    """Yield the compiled expressions of a value, also those in tuples and mappings."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, dict):
        for each in (*value.keys(), *value.values()):
            yield from patterns_in(each, depth + 1)
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset):
        for each in value:
            yield from patterns_in(each, depth + 1)
    elif depth < 3 and callable(value) and hasattr(value, "cache_info"):
        returned = inspect.signature(value)
        if not returned.parameters and "Pattern" in str(returned.return_annotation):
            yield from patterns_in(value(), depth + 1)


def patterns_as_text(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield each expression that a call gives as text, with the method that uses it."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="str"), attr=method), args=[text, *_]):
            if method in CALLED_BY_PANDAS and "regex=False" not in map(ast.unparse, node.keywords):
                yield text, CALLED_BY_PANDAS[method]
        case ast.Call(func=ast.Name(id=function), args=[_, text]) if function in COMPILED_FOR_WHOLE_CELLS:
            yield text, "fullmatch"
        case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method), args=[text, *_]) if method in METHODS:
            yield text, method
    if isinstance(node, ast.Call):
        yield from ((each.value, "fullmatch") for each in node.keywords if each.arg in GIVES_A_PATTERN)


def text_of(node: ast.expr, variables: Mapping[str, object]) -> str | bytes | None:
    """Return the value of a text that is made from variables of its module, or None if it is made of others."""
    match node:
        case ast.Constant(value=str(text) | bytes(text)):
            return text
        case ast.Name(id=name):
            value = variables.get(name)
            return value if isinstance(value, str | bytes) else None
        case ast.FormattedValue(value=part, conversion=-1, format_spec=None):
            return text_of(part, variables)
        case ast.JoinedStr(values=parts):
            texts = [text_of(part, variables) for part in parts]
            return "".join(each for each in texts if isinstance(each, str)) if all(texts) else None
    return None


@cache
def expressions() -> dict[Pattern, tuple[str, frozenset[str]]]:
    """Return each expression with where it is, and the methods that are called on it."""
    used: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    inline: dict[Pattern, tuple[str, set[str]]] = {}
    for name, source in modules():
        is_read = CALLS_A_METHOD.search(source) or TAKES_A_PATTERN_AS_TEXT.search(source)
        for node in ast.walk(ast.parse(source)) if is_read else ():
            match node:
                case ast.Attribute(value=called, attr=method) if method in METHODS:
                    for key in ((name, variable_of(called)), ("", variable_of(called))):
                        used[key].add(method)
            for written, method in patterns_as_text(node):
                is_constant = isinstance(written, ast.Constant)
                text = text_of(written, {} if is_constant else vars(importlib.import_module(name)))
                if text is not None:
                    flags = re.I if "re.I" in ast.unparse(node) else 0
                    inline.setdefault(re.compile(text, flags), (f"{name}:{written.lineno}", set()))[1].add(method)
    found: dict[Pattern, tuple[str, frozenset[str]]] = {
        pattern: (where, frozenset(methods)) for pattern, (where, methods) in inline.items()
    }
    for name, source in modules():
        if name.endswith("__main__") or name.startswith(NOT_TYPED) or not MAKES_A_PATTERN.search(source):
            continue
        for variable, value in vars(importlib.import_module(name)).items():
            for pattern in patterns_in(value):
                methods = used[name, variable] or (set() if variable.startswith("_") else used["", variable])
                before = found.get(pattern, ("", frozenset()))
                found[pattern] = (before[0] or f"{name}.{variable}", before[1] | (methods or {"search", "fullmatch"}))
    return {pattern: each for pattern, each in found.items() if not each[0].startswith(NOT_TYPED)}


# Strings


class Sampler:
    """Makes texts that an expression, or its start, matches."""

    def __init__(self, preferred: Sequence[str]) -> None:
        self._preferred = preferred
        self.heads: list[tuple[str, str]] = []
        """For each unbounded repeat, what comes before it and what it repeats."""

    def sample(self, items: Any, before: str) -> str:
        text = ""
        for operation, value in items:
            text += self._one(str(operation), value, before + text)
        return text

    def _one(self, operation: str, value: Any, before: str) -> str:
        match operation:
            case "LITERAL":
                return chr(value)
            case "NOT_LITERAL":
                return next(each for each in self._preferred if ord(each) != value)
            case "ANY":
                return self._preferred[0] if self._preferred[0] != "\n" else "a"
            case "IN":
                return self._of_set(value)
            case "BRANCH":
                samples = [self.sample(branch, before) for branch in value[1]]  # Every branch, for its repeats
                return samples[0]
            case "SUBPATTERN":
                return self.sample(value[3], before)
            case "ATOMIC_GROUP":
                return self.sample(value, before)
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, body = value
                once = self.sample(body, before)
                if most > MANY:
                    self.heads.append((before, once))
                return once * max(least, 1 if most > MANY else 0)
        return ""

    def _of_set(self, items: Any) -> str:
        is_negated = str(items[0][0]) == "NEGATE"
        literals = [chr(value) for operation, value in items if str(operation) == "LITERAL"]
        ranges = [chr(value[0]) for operation, value in items if str(operation) == "RANGE"]
        for each in (*self._preferred, *literals, *ranges):
            if any(self._is_in(each, str(operation), value) for operation, value in items) != is_negated:
                return each
        return ""

    @staticmethod
    def _is_in(character: str, operation: str, value: Any) -> bool:
        match operation:
            case "LITERAL":
                return ord(character) == value
            case "RANGE":
                return value[0] <= ord(character) <= value[1]
            case "CATEGORY":
                kind = {"SPACE": r"\s", "DIGIT": r"\d", "WORD": r"\w"}[str(value).rpartition("_")[2]]
                return (re.match(kind, character) is None) == ("_NOT_" in str(value))
        return False


@cache
def hostile_strings(source: str | bytes, flags: int) -> tuple[tuple[str, str, str], ...]:
    """Return what a hostile string starts with, what it repeats, and what it ends with."""
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    tree = _parser.parse(text, flags & ~re.UNICODE)
    found: dict[tuple[str, str, str], None] = {("", unit, "\0"): None for unit in COMMON}
    for number in range(len(PREFERRED)):
        sampler = Sampler(PREFERRED[number:] + PREFERRED[:number])
        whole = sampler.sample(tree, "")
        found["", whole[:60], "\0"] = None
        for before, once in sampler.heads:
            found[before, once, "\0"] = None
            found["", f"{before}{once}", "\0"] = None
            found["", once, "\0"] = None
    return tuple(each for each in found if each[1])


def seconds(pattern: Pattern, method: str, text: str, tries: int) -> float:
    """Return the CPU time of a method, the shortest of several tries."""
    times = []
    for _ in range(tries):
        begun = time.thread_time()
        if isinstance(pattern.pattern, bytes):
            run(pattern, method, text.encode("latin-1", "replace"))
        else:
            run(pattern, method, text)
        times.append(time.thread_time() - begun)
    return min(times)


def run(pattern: Any, method: str, text: str | bytes) -> None:
    """Call a method, and use all that it yields."""
    if method == "finditer":
        deque(pattern.finditer(text), maxlen=0)
    else:
        getattr(pattern, method)(text)


def slow_string(pattern: Pattern, methods: Iterable[str]) -> str:
    """Return a description of a string on which the expression takes more than linear time, or ""."""
    for method in sorted({each if each in FROM_THE_START else "finditer" for each in methods}):
        for start, unit, end in hostile_strings(pattern.pattern, pattern.flags):
            texts = {size: start + unit * (size // len(unit)) + end for size in (*GROWING, SHORT, LONG)}
            # An expression that takes exponential time doesn't get a long string.
            is_slow = any(seconds(pattern, method, texts[size], 1) > 0.1 for size in GROWING)
            if not is_slow and seconds(pattern, method, texts[LONG], 1) > NOISE:
                short, long = (seconds(pattern, method, texts[size], 4) for size in (SHORT, LONG))
                is_slow = long > NOISE and long > 9 * short
            if is_slow:
                return f"{method} of {start!r} and many {unit!r}"
    return ""


def test_no_expression_takes_more_than_linear_time() -> None:
    found = expressions()
    assert len(found) > FEWEST
    slow = {where: slow_string(pattern, methods) for pattern, (where, methods) in found.items()}
    assert {where: string for where, string in slow.items() if string} == {}


@pytest.mark.parametrize("text", [r"\s*;\s*", r"(a+)+b", r"\d+\.?\d*x", "<a>.*?</a>"])
def test_an_expression_that_takes_longer_is_found(text: str) -> None:
    assert slow_string(re.compile(text), {"search", "fullmatch"})
