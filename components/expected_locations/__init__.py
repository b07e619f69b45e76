"""Where people are expected: the map with its scrubber, and the figures, places, people and changes around it.

`controls` has every field of the address; `domain/expected_locations/` computes what is drawn.
"""
