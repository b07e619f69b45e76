"""Dynamic locations: CSV uploads processed in the background, and the locations of people in them."""
