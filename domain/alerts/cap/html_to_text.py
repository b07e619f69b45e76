"""Turn the HTML that some senders put into a CAP text into plain text, and their words for nothing into nothing."""

from __future__ import annotations

import html
import re
from typing import Final

_HIDDEN: Final = re.compile(r"<(script|style)\b.*?</\1\s*>|<!--.*?-->", re.I | re.S)
_LINE_END: Final = re.compile(r"<br\s*/?>|</(?:p|div|li|tr|h[1-6]|ul|ol|table)\s*>", re.I)
# Known names only: "winds < 50 mph, gusts > 60" is no tag.
_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|center|code|dd|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|s"
    r"|section|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b[^<>]*>",
    re.I,
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.I)
_NOTHING: Final = frozenset({"none", "not applicable", "n/a", "na", "null", "nil"})


def html_to_text(text: str) -> str:
    """The text without markup: paragraphs, items and rows become lines. Text without markup stays as it is."""
    if _TAG.search(text) or _HIDDEN.search(text):
        # In HTML, the line ends of the source mean nothing.
        lines = _LINE_END.sub("\n", " ".join(_HIDDEN.sub(" ", text).split()))
        text = _TAG.sub("", lines)
    elif not _ENTITY.search(text):
        return text
    plain = _ENTITY.sub(lambda found: html.unescape(found.group()), text).replace("\xa0", " ")
    lines = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in plain.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


def empty_if_nothing(text: str) -> str:
    """The text, or "" where it is a word for nothing, such as "None" or "Not applicable"."""
    return "" if text.strip().strip(".").casefold() in _NOTHING else text
