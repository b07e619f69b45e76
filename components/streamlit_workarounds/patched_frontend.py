"""Monkey-patches lists to choose from in the browser: Enter takes what was typed, and no far guess is offered.

Streamlit's `st.multiselect(accept_new_options=True)` puts what was typed last in its list and gives Enter the first
loose match (streamlit/streamlit#16673; `st.selectbox` puts it first). Its search takes letters that merely follow each
other: "Holland" finds "Ho Chi Minh airport, Poland" (streamlit/streamlit#7238). Two files of its frontend are served
with other lines: what was typed stands first unless it is an option, which then stands first; and each word typed has
to be part of an option, the best match first. A whole name or code comes before whole words, and these before parts of
words: "UK" is the United Kingdom and not Ukraine. Held by `tests/browser/test_typed_choices.py::
test_enter_takes_what_was_typed_and_never_a_value_that_only_contains_it` and `tests/browser/test_typed_choices.py::
test_a_country_is_found_by_the_names_in_use_and_no_other_is_offered`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import streamlit as st

_SCRIPTS: Final = Path(st.__file__).parent / "static" / "static" / "js"

_LISTED: Final = (
    "i.push(...p),a&&r&&n&&(e.some(e=>e===n)||t.includes(n)||i.push({id:j,label:`Add: ${n}`,value:j,isCreatable:!0}))"
)
# `p` are the options that match, `a` says that new values are accepted, `n` is what was typed. What is chosen already
# is offered too: to choose it again clears the field, where Enter would take another value.
_EXACT_FIRST: Final = (
    "a&&r&&n&&!p.some(e=>e.value===n)&&i.push({id:j,label:`Add: ${n}`,value:j,isCreatable:!0}),"
    "i.push(...p.filter(e=>e.value===n),...p.filter(e=>e.value!==n))"
)

_MATCHED: Final = "function xn(e,t){if(!t)return e;let n=e.filter(e=>vn(t,e.label));return o(n,e=>-_n(t,e.label))}"
# `o` sorts, `_n` scores: highest for the same text, then for the beginnings of words.
_BY_WORDS: Final = r"""
function xn(options, typed) {
  const fold = (text) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").replace(/&/g, "and").replace(/’/g, "'");
  const wanted = fold(typed).trim();
  const words = wanted.toLowerCase().split(/\s+/);
  const found = options.filter((option) => {
    const label = fold(option.label).toLowerCase();
    return words.every((word) => label.includes(word));
  });
  const rank = (option) => {
    const label = fold(option.label).toLowerCase();
    if (label.split(/\s*[·,()]\s*/).includes(wanted.toLowerCase())) return 2;
    const labelWords = label.split(/[^\p{L}\p{N}]+/u);
    return words.every((word) => labelWords.includes(word)) ? 1 : 0;
  };
  return wanted ? o(found, (option) => -1000 * rank(option) - _n(wanted, fold(option.label))) : options;
}
"""
_IMPORT: Final = re.compile(r'((?:from|import)")\./')
_PATCHES: Final[Mapping[str, tuple[str, str]]] = {
    "Multiselect.*.js": (_LISTED, _EXACT_FIRST),
    "useSyncComboBoxEnterTargetFocus.*.js": (_MATCHED, _BY_WORDS),
}


def patched_scripts(base: str) -> dict[str, str]:
    """The scripts of the frontend that are served otherwise than they come, by file name.

    They are served beside the others (Streamlit lets no route into its own folder), at `path_of`.
    """
    scripts: dict[str, str] = {}
    for pattern, (old, new) in _PATCHES.items():
        (file,) = _SCRIPTS.glob(pattern)
        text = file.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise RuntimeError(f"{file.name} of Streamlit {st.__version__} has changed: see {__name__}.")
        scripts[file.name] = _IMPORT.sub(rf"\1{base}/static/js/", text.replace(old, new))
    return scripts


def path_of(base: str, name: str) -> str:
    """The path that a patched script is served at."""
    return f"{base}/app/frontend/{name}"


def import_map(base: str, names: Iterable[str]) -> str:
    """The HTML that has a browser load these scripts in place of Streamlit's, which it may have kept for a year."""
    imports = {f"{base}/static/js/{name}": path_of(base, name) for name in names}
    return f'<script type="importmap">{json.dumps({"imports": imports})}</script>'
