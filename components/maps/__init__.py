"""Maps: the ground they stand on, the marks and legs drawn on it, and what a person picked.

Only `map_view` draws (imports streamlit); all else computes. Nothing here knows the service or the client.
"""
