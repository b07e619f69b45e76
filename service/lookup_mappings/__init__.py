"""Lookup mappings: sets of named attribute values, and the target groups they stand for."""
