"""Convert HTML in CAP texts to plain text, and words such as "None" to empty text."""

from __future__ import annotations

import html
import re
from typing import Final

# A script without an end goes on to the end of the text, as in browsers.
_HIDDEN: Final = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--(?:(?!<!--).)*?-->", re.I | re.S)
_LINE_END: Final = re.compile(r"<br\s*/?>|</(?:p|div|li|tr|h[1-6]|ul|ol|table)\s*>", re.I)
# Known tags only: "winds < 50 mph, gusts > 60" has none.
_TAG: Final = re.compile(
    r"</?(?:a|abbr|b|big|blockquote|body|br|center|code|dd|div|dl|dt|em|font|h[1-6]|head|hr|html|i|img|li|ol|p|pre|s"
    r"|section|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)\b[^<>]*>",
    re.I,
)
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.I)
_NOTHING: Final = frozenset({"none", "not applicable", "n/a", "na", "null", "nil"})


def html_to_text(text: str) -> str:
    """Return the text without markup. Paragraphs, items, and rows become lines. Text without markup is unchanged."""
    if _TAG.search(text) or _HIDDEN.search(text):
        # Line ends in HTML source have no meaning.
        lines = _LINE_END.sub("\n", " ".join(_HIDDEN.sub(" ", text).split()))
        text = _TAG.sub("", lines)
    elif not _ENTITY.search(text):
        return text
    plain = _ENTITY.sub(lambda found: html.unescape(found.group()), text).replace("\xa0", " ")
    lines = "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in plain.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", lines).strip()


def empty_if_nothing(text: str) -> str:
    """Return the text, or "" for words such as "None" or "Not applicable"."""
    return "" if text.strip().strip(".").casefold() in _NOTHING else text
