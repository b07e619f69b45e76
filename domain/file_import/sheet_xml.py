"""What the reader of workbooks leaves out, from the XML of a sheet: hidden and struck-through rows, hidden columns,
formulas without a value, errors, and number formats that show more than the number.

The sheet is searched with patterns, because parsing the XML of a large sheet takes longer than reading its cells.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Iterator
from typing import Final, NamedTuple

from defusedxml import ElementTree

_PLACE: Final = re.compile(rb"([A-Z]{1,3})([0-9]{1,7})")
_ROW: Final = re.compile(rb"<(?:\w+:)?row\b([^<>]*)>")
_INVISIBLE: Final = re.compile(rb"""\s(?:hidden=["'](?:1|true)|(?:ht|width)=["']0(?:\.0+)?["'])""")
_INVISIBLE_ROW: Final = re.compile(rb"<(?:\w+:)?row\b[^<>]*" + _INVISIBLE.pattern)
_COLUMNS: Final = re.compile(rb"<(?:\w+:)?col\b([^<>]*)>")
_FORMULA: Final = re.compile(
    rb"<(?:\w+:)?c\b([^<>]*)>\s*<(?:\w+:)?f\b(?:[^<>]*/>|[^<>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?(v)\b(?:[^<>]*/>|[^<>]*>([^<]*)</))?"
)
_ERROR: Final = re.compile(
    rb"""<(?:\w+:)?c\b(?=[^<>]*+>)([^<>]*\st=["']e["'][^<>]*)>(?:(?!<(?:\w+:)?c\b).)*?<(?:\w+:)?v\b[^<>]*>([^<]*)</""",
    re.DOTALL,
)
_EXTENT: Final = re.compile(rb"""<(?:\w+:)?dimension\b[^<>]*ref=["'][A-Z0-9]+:([A-Z]+)([0-9]+)["']""")
_DATE_AND_TIME: Final = 22
"""The built-in number format that shows both a date and a time of day."""
_NO_DATE_CODE: Final = re.compile(r'"[^"]*"|\\.|_.|\[[^\[\]]*\]')
_IDENTIFIER_PART: Final = re.compile(r'0|"[^"]*"|\\.|[-+/() ]')
_NO_STRIKE: Final = ("0", "false")


class Place(NamedTuple):
    """A cell by row and column, from 0."""

    row: int
    column: int


class SheetXml:
    """The XML of one sheet of a workbook, and the formats of its cells."""

    def __init__(self, content: bytes, sheet: str) -> None:
        """Read the parts of the workbook that describe the sheet."""
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            parts = _Parts(archive)
            [book_path] = parts.targets("", "officeDocument").values()
            book = parts.read(book_path)
            [key] = [_relation(each) for each in _xml(book).iter() if _is_sheet(each, sheet)]
            self._part = parts.read(parts.targets(book_path, "worksheet")[key])
            styles = [parts.read(path) for path in parts.targets(book_path, "styles").values()]
        self._recalculates = b'fullCalcOnLoad="1"' in book
        self._styles = _xml(next(iter(styles), b"<styleSheet/>"))

    @property
    def extent(self) -> Place:
        """The number of rows and columns to the last cell, as the sheet states them; 0 if it doesn't."""
        found = _EXTENT.search(self._part, 0, 10_000)
        return Place(int(found[2]), _number_of(found[1])) if found else Place(0, 0)

    def hidden_rows(self) -> list[int]:
        """Return the numbers of the rows that are hidden, filtered out, or without height."""
        if _INVISIBLE_ROW.search(self._part) is None:
            return []
        hidden, number = [], 0
        for found in _ROW.finditer(self._part):
            number = int(_attribute(found[1], b"r") or number + 1)
            if _INVISIBLE.search(found[1]):
                hidden.append(number)
        return hidden

    def hidden_columns(self) -> list[int]:
        """Return the hidden columns, from 0."""
        columns = _COLUMNS.findall(self._part, 0, max(self._part.find(b"sheetData"), 0))
        spans = [
            (int(_attribute(each, b"min") or 0), int(_attribute(each, b"max") or 0))
            for each in columns
            if _INVISIBLE.search(each)
        ]
        return [column - 1 for first, last in spans for column in range(first, last + 1)]

    def formulas_without_value(self) -> list[Place]:
        """Return the cells with a formula that no program has computed.

        Some programs write 0 until a spreadsheet computes the workbook when it opens.
        """
        if b"<f" not in self._part and b":f" not in self._part:
            return []
        found = []
        for attributes, has_value, value in _FORMULA.findall(self._part):
            kind = _attribute(attributes, b"t")
            is_placeholder = value == b"0" and kind in (b"", b"n") and self._recalculates
            is_empty_text = has_value and kind == b"str"
            if is_placeholder or (not value.strip() and not is_empty_text):
                found += _place(attributes)
        return found

    def errors(self) -> Iterator[tuple[Place, str]]:
        """Yield the cells with an error such as #REF!."""
        if b't="e"' in self._part or b"t='e'" in self._part:
            for attributes, value in _ERROR.findall(self._part):
                yield from ((place, value.decode()) for place in _place(attributes))

    def struck_rows(self) -> list[int]:
        """Return the numbers of the rows with struck-through cells."""
        struck_fonts = {
            str(number)
            for number, font in enumerate(self._children("fonts"))
            if any(each.tag.endswith("}strike") and each.get("val") not in _NO_STRIKE for each in font)
        }
        styles = [
            str(number) for number, each in enumerate(self._children("cellXfs")) if each.get("fontId") in struck_fonts
        ]
        return sorted({place.row + 1 for _, place in self._cells_in(styles)})

    def formats(self) -> Iterator[tuple[str, Place]]:
        """Yield the number format of each cell whose format shows leading zeros or a time."""
        codes = {
            each.get("numFmtId"): each.get("formatCode", "")
            for each in self._styles.iter()
            if each.tag.endswith("}numFmt")
        }
        codes.setdefault(str(_DATE_AND_TIME), "m/d/yy h:mm")
        by_style = {
            str(number): code
            for number, each in enumerate(self._children("cellXfs"))
            if (code := codes.get(each.get("numFmtId"), ""))
            and (shows_date_and_time(code) or digits_shown(code, "0") is not None)
        }
        for style, place in self._cells_in([*by_style]):
            yield by_style[style], place

    def _children(self, name: str) -> list[ElementTree.Element]:
        return [child for each in self._styles if each.tag.endswith("}" + name) for child in each]

    def _cells_in(self, styles: list[str]) -> Iterator[tuple[str, Place]]:
        """Yield style and place of each cell in these styles."""
        if not styles:
            return
        wanted = "|".join(styles).encode()
        for cell in re.finditer(rb'<(?:\w+:)?c\s[^<>]*?\bs="(' + wanted + rb')"[^<>]*>', self._part):
            for place in _place(cell[0]):
                yield cell[1].decode(), place


def shows_date_and_time(code: str) -> bool:
    """Return whether a number format shows both a date and a time of day."""
    plain = _NO_DATE_CODE.sub("", code).casefold()
    return not {"y", "d"}.isdisjoint(plain) and not {"h", "s"}.isdisjoint(plain)


def digits_shown(code: str, digits: str) -> str | None:
    """Return digits in an identifier format such as 00000000, 000-00-0000, "EMP"0, or "+"0; None for other formats."""
    first = code.partition(";")[0]
    parts = _IDENTIFIER_PART.findall(first)
    zeros = parts.count("0")
    literals = [part[1:] if part[0] == "\\" else part.strip('"') for part in parts if part != "0"]
    # A unit comes after its number: 0" km".
    is_prefixed = bool(literals) and parts[-1] == "0" and (literals == ["+"] or literals[0].isalnum())
    if "".join(parts) != first or not zeros or (zeros == 1 and not is_prefixed):
        return None
    padded = digits.zfill(zeros)
    # The first zero takes all extra digits.
    places = iter([padded[: len(padded) - zeros + 1], *padded[len(padded) - zeros + 1 :]])
    others = iter(literals)
    return "".join(next(places if part == "0" else others) for part in parts)


class _Parts:
    """The parts of a workbook by path. Some programs write backslashes, other capitals, or other folders."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = {_plain_path(name): name for name in archive.namelist()}

    def read(self, path: str) -> bytes:
        return self._archive.read(self._names[_plain_path(path)])

    def targets(self, source: str, kind: str) -> dict[str, str]:
        """Return the paths of the parts of a kind that a part refers to, by the key of the reference."""
        folder, name = posixpath.split(source)
        relations = _xml(self.read(posixpath.join(folder, "_rels", f"{name}.rels")))
        return {
            each.get("Id", ""): posixpath.join("/", folder, each.get("Target", ""))
            for each in relations
            if each.get("Type", "").endswith(f"/{kind}")
        }


def _plain_path(path: str) -> str:
    return posixpath.normpath(path.replace("\\", "/")).lstrip("/").casefold()


def _xml(content: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(content, forbid_dtd=True)


def _is_sheet(element: ElementTree.Element, name: str) -> bool:
    return str(element.tag).endswith("}sheet") and str(element.get("name")) == name


def _relation(element: ElementTree.Element) -> str:
    return next(str(value) for name, value in element.attrib.items() if name.endswith("}id"))


def _attribute(attributes: bytes, name: bytes) -> bytes:
    found = re.search(rb"\s" + name + rb"""=["']([^"']*)""", attributes)
    return found[1] if found else b""


def _place(attributes: bytes) -> list[Place]:
    """Return the place of a cell, or nothing if the program did not write it."""
    found = _PLACE.fullmatch(_attribute(attributes, b"r"))
    return [Place(int(found[2]) - 1, _number_of(found[1]) - 1)] if found else []


def _number_of(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - ord("A") + 1
    return number
