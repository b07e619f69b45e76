"""Itineraries: stored trips, and the expected locations of their travellers that follow from them."""
