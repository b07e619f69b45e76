"""Lookup mappings: simulated, compared, and read from files."""
