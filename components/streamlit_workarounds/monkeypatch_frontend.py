"""Monkey-patches Streamlit's lists in the browser: Enter adds the typed text, and search finds words.

- In `st.multiselect(accept_new_options=True)`, the typed text is the last row, and Enter selects the first row, which
  may be a loose match. Enter works so since streamlit/streamlit#16673; no issue reports it. With the patch, the typed
  text is the first row, unless it is an option, which then comes first. `st.selectbox` puts it first by itself.
- The search accepts letters that merely follow each other: "Holland" finds "Ho Chi Minh airport, Poland". The
  `filter_mode` that closed streamlit/streamlit#7238 can find one part of a name, but not several words, and it does not
  rank: "UK" finds Ukraine first. With the patch, each typed word must be part of the option. A whole name or code comes
  before whole words, then beginnings of names, beginnings of words, and parts of words. Equals keep the order of the
  options, in which the app puts the likeliest first.

Two files of the frontend are served with other lines. `patched_scripts` fails if Streamlit changes these lines. Held by
`tests/browser/test_typed_choices.py::
test_enter_selects_the_typed_value_and_never_one_that_only_contains_it` and `tests/browser/test_typed_choices.py::
test_a_country_is_found_by_its_common_names_and_no_other_is_offered`.
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
# `p`: the matching options; `a`: whether new values are accepted; `n`: the typed text. Selected values stay in the
# list: Enter on one clears the field, where it would otherwise select another value.
_EXACT_FIRST: Final = (
    "a&&r&&n&&!p.some(e=>e.value===n)&&i.push({id:j,label:`Add: ${n}`,value:j,isCreatable:!0}),"
    "i.push(...p.filter(e=>e.value===n),...p.filter(e=>e.value!==n))"
)

_MATCHED: Final = "function xn(e,t){if(!t)return e;let n=e.filter(e=>vn(t,e.label));return o(n,e=>-_n(t,e.label))}"
# `o` sorts and keeps the order of equals, so that the app decides which of them comes first.
_BY_WORDS: Final = r"""
function xn(options, typed) {
  const fold = (text) =>
    text.normalize("NFD").replace(/\p{M}/gu, "").replace(/&/g, "and").replace(/’/g, "'").toLowerCase();
  const wanted = fold(typed).trim();
  if (!wanted) return options;
  const words = wanted.split(/\s+/);
  const rank = (label) => {
    if (!words.every((word) => label.includes(word))) return -1;
    const parts = label.split(/\s*[·,()]\s*/);
    if (parts.includes(wanted)) return 4;
    const labelWords = label.split(/[^\p{L}\p{N}]+/u);
    if (words.every((word) => labelWords.includes(word))) return 3;
    if (parts.some((part) => part.startsWith(wanted))) return 2;
    return words.every((word) => labelWords.some((each) => each.startsWith(word))) ? 1 : 0;
  };
  const ranked = options.map((option) => [option, rank(fold(option.label))]).filter(([, rank]) => rank >= 0);
  return o(ranked, ([, rank]) => -rank).map(([option]) => option);
}
"""
_IMPORT: Final = re.compile(r'((?:from|import)")\./')
_PATCHES: Final[Mapping[str, tuple[str, str]]] = {
    "Multiselect.*.js": (_LISTED, _EXACT_FIRST),
    "useSyncComboBoxEnterTargetFocus.*.js": (_MATCHED, _BY_WORDS),
}


def patched_scripts(base: str) -> dict[str, str]:
    """Return the patched scripts of the frontend by file name.

    They are served at `path_of`, since Streamlit accepts no route in its own folder.
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
    """Return the path of a patched script."""
    return f"{base}/app/frontend/{name}"


def import_map(base: str, names: Iterable[str]) -> str:
    """Return HTML that makes a browser load these scripts instead of Streamlit's, which it may cache for a year."""
    imports = {f"{base}/static/js/{name}": path_of(base, name) for name in names}
    return f'<script type="importmap">{json.dumps({"imports": imports})}</script>'
