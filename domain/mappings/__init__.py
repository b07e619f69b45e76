"""Lookup mappings: drafts, search, comparison, simulation, and import from files."""
