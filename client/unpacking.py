"""The content of an answer, unpacked no further than it may grow."""

import zlib
from collections.abc import Iterable, Iterator

from .errors import UndecodableAnswer

LONGEST_ANSWER = 64 * 2**20
"""Bytes of an answer, unpacked, beyond which it is given up."""

_AT_ONCE = 2**20
_ANY_HEADER = zlib.MAX_WBITS | 32
"""Tells zlib to take a header of gzip or of its own."""


def unpacked(pieces: Iterable[bytes], encoding: str, *, status: int) -> bytes:
    """The content of an answer that arrives in pieces, packed as its `Content-Encoding` says.

    Raises `UndecodableAnswer` for one that is damaged, cut off or longer than `LONGEST_ANSWER`, and for one that is
    packed twice or otherwise than was asked for.
    """
    encoding = encoding.strip().lower() or "identity"
    content = bytearray()
    if encoding in ("gzip", "x-gzip", "deflate"):
        pieces = _inflated(pieces)
    elif encoding != "identity":
        raise _undecodable("is packed in a way that was not asked for", status)
    try:
        for piece in pieces:
            content += piece
            if len(content) > LONGEST_ANSWER:
                raise _undecodable("is too long", status)
    except zlib.error as cause:
        raise _undecodable("is damaged", status) from cause
    return bytes(content)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What the pieces hold, a little at a time, however much that is; without a byte there is nothing to unpack."""
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
    return UndecodableAnswer(f"The answer of the service {what}.", status=status, sent=True)
