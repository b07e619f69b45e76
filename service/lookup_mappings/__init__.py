"""Lookup mappings: sets of named attribute values, and their target groups."""
