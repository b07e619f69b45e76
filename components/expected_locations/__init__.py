"""Where people are expected: the locations of a roster, read in the background, seen at one time, as places and people.

`controls`, `load_status` and `place_panel` draw; all others compute, and import no streamlit.
"""
