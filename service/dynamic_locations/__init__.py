"""Dynamic locations: CSV uploads that are worked off in the background, and where people are by them."""
