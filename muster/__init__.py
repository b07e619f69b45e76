"""Muster without a browser: the commands of `python -m muster`. Imports no web framework, and no page."""
