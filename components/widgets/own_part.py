"""A part of the page that scripts of our own draw: they lie in the folder `browser` beside the module that draws it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest


def own_part(package: str, name: str, beside: str) -> Any:
    """Give what draws it, by the module's own file; the scripts are served from there, as the security policy asks."""
    manager = get_bidi_component_manager()
    if manager.get(f"{package}.{name}") is None:
        manifest = ComponentManifest(package, "", [ComponentConfig(name, "browser")])
        manager.register_from_manifest(manifest, Path(beside).parent)
    return st.components.v2.component(f"{package}.{name}", js=f"{name}.js", css=f"{name}.css")
