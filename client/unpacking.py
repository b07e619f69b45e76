"""Decompress answers, with a limit on their size."""

import zlib
from collections.abc import Iterable, Iterator

from .errors import UndecodableAnswer

LONGEST_ANSWER = 64 * 2**20
"""The largest size of an unpacked answer in bytes."""

_AT_ONCE = 2**20
_ANY_HEADER = zlib.MAX_WBITS | 32
"""Makes zlib accept a gzip or zlib header."""


def unpacked(pieces: Iterable[bytes], encoding: str, *, status: int) -> bytes:
    """Return the unpacked content of an answer that arrives in pieces, by its `Content-Encoding`.

    Raises `UndecodableAnswer` for content that is damaged, truncated, longer than `LONGEST_ANSWER`, packed twice, or
    packed in another way than requested.
    """
    encoding = encoding.strip().lower() or "identity"
    content = bytearray()
    if encoding in ("gzip", "x-gzip", "deflate"):
        pieces = _inflated(pieces)
    elif encoding != "identity":
        raise _undecodable("has an encoding that was not requested", status)
    try:
        for piece in pieces:
            content += piece
            if len(content) > LONGEST_ANSWER:
                raise _undecodable("is too long", status)
    except zlib.error as cause:
        raise _undecodable("is damaged", status) from cause
    return bytes(content)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the unpacked content piece by piece, whatever its size; nothing if there is no byte."""
    stream = None
    for piece in pieces:
        rest = piece
        while rest:
            if stream is None or stream.eof:
                stream = zlib.decompressobj(_ANY_HEADER)
            yield stream.decompress(rest, _AT_ONCE)
            rest = stream.unconsumed_tail or stream.unused_data
    if stream is not None and not stream.eof:
        raise zlib.error("cut off")


def _undecodable(what: str, status: int) -> UndecodableAnswer:
    return UndecodableAnswer(f"The service’s response {what}.", status=status, sent=True)
