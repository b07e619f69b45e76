"""Detect the encoding of the text in a shapefile or KML, even if the file declares another."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

ENCODINGS: Final = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "cp1258": "Windows-1258 (Vietnamese)",
    "iso8859-2": "ISO 8859-2 (Central European)",
    "iso8859-5": "ISO 8859-5 (Cyrillic)",
    "iso8859-7": "ISO 8859-7 (Greek)",
    "iso8859-9": "ISO 8859-9 (Turkish)",
    "iso8859-15": "ISO 8859-15 (Western European)",
    "koi8-r": "KOI8-R (Russian)",
    "cp437": "DOS 437 (US)",
    "cp850": "DOS 850 (Western European)",
    "cp852": "DOS 852 (Central European)",
    "cp866": "DOS 866 (Cyrillic)",
    "cp874": "Windows-874 (Thai)",
    "shift_jis": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Simplified Chinese)",
    "big5": "Big5 (Traditional Chinese)",
    "cp949": "Windows-949 (Korean)",
}
"""Encodings by Python's name, with their labels."""
_OF_SEVERAL_BYTES: Final = frozenset({"shift_jis", "gb18030", "big5", "cp949"})
_OTHER_NAMES: Final = {
    "65001": "utf-8",
    "utf8": "utf-8",
    "ascii": "utf-8",
    "usascii": "utf-8",
    "latin1": "cp1252",
    "iso88591": "cp1252",
    "88591": "cp1252",
    "sjis": "shift_jis",
    "932": "shift_jis",
    "936": "gb18030",
    "gbk": "gb18030",
    "gb2312": "gb18030",
    "950": "big5",
    "euckr": "cp949",
}
_LANGUAGE_DRIVERS: Final = {
    0x01: "cp437",
    0x02: "cp850",
    0x03: "cp1252",
    0x10: "cp850",
    0x13: "shift_jis",
    0x1F: "cp852",
    0x26: "cp866",
    0x37: "cp850",
    0x40: "cp852",
    0x4D: "gb18030",
    0x4E: "cp949",
    0x4F: "big5",
    0x58: "cp1252",
    0x59: "cp1252",
    0x64: "cp852",
    0x65: "cp866",
    0x78: "big5",
    0x79: "cp949",
    0x7A: "gb18030",
    0x7B: "shift_jis",
    0x7C: "cp874",
    0x7D: "cp1255",
    0x7E: "cp1256",
    0xC8: "cp1250",
    0xC9: "cp1251",
    0xCA: "cp1254",
    0xCB: "cp1253",
    0xCC: "cp1257",
}
"""The language driver in the 30th byte of a .dbf."""
_SAMPLES: Final = 3


@dataclass(frozen=True)
class TextEncoding:
    """The encoding to read a text with."""

    name: str
    is_declared: bool
    """Whether the file names it."""

    is_certain: bool
    """Whether no other encoding is likely."""


def declared_encoding(cpg: bytes, table: bytes) -> str:
    """Return the encoding that a .cpg, or else the header of a .dbf, names; "" if none or unknown."""
    return encoding_by_name(cpg.decode("ascii", "replace")) or _LANGUAGE_DRIVERS.get(
        table[29] if len(table) > 29 else 0, ""
    )


def encoding_by_name(text: str) -> str:
    """Return Python's name of an encoding such as "UTF-8", "ANSI 1252", "1252", or "ISO-8859-1"; "" if unknown."""
    bare = re.sub(r"[^a-z0-9]", "", text.lower())
    bare = re.sub(r"^(ansi|windows|oem|ms|cp|ibm|x)+(?=\d)", "", bare)
    by_name = {re.sub("[^a-z0-9]", "", name).removeprefix("cp"): name for name in ENCODINGS} | _OTHER_NAMES
    return by_name.get(bare, "")


def detect(texts: Collection[bytes], declared: str) -> TextEncoding:
    """Return the encoding of texts: the declared one, unless the texts contradict it or are certainly UTF-8."""
    foreign = [text for text in texts if not text.isascii()]
    if not foreign:
        return TextEncoding(declared or "utf-8", is_declared=True, is_certain=True)
    if declared in _OF_SEVERAL_BYTES and all(_is_in(text, declared) for text in foreign):
        return TextEncoding(declared, is_declared=True, is_certain=True)
    if all(_is_in(text, "utf-8") for text in foreign) and not all(decode(text, "utf-8").isascii() for text in foreign):
        return TextEncoding("utf-8", is_declared=declared == "utf-8", is_certain=True)
    if declared not in ("", "utf-8") and all(_is_in(text, declared) for text in foreign):
        return TextEncoding(declared, is_declared=True, is_certain=True)
    return TextEncoding("cp1252", is_declared=False, is_certain=False)


def decode(text: bytes, encoding: str) -> str:
    """Decode a text, without a character that was cut off at the end of a column."""
    return codecs.getincrementaldecoder(encoding)("replace").decode(text)


def previews(texts: Sequence[bytes]) -> dict[str, str]:
    """Return a preview of the first texts beyond ASCII in each encoding that can decode them."""
    samples = list(dict.fromkeys(text for text in texts if not text.isascii()))[:_SAMPLES]
    return {
        name: ", ".join(decode(text, name) for text in samples)
        for name in ENCODINGS
        if all(_is_in(text, name) for text in samples)
    }


def _is_in(text: bytes, encoding: str) -> bool:
    decoded = decode(text, encoding)
    return "\ufffd" not in decoded and not any("\x80" <= each < "\xa0" for each in decoded)
