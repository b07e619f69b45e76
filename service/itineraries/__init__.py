"""Itineraries: stored trips, and the expected locations of their travelers."""
