"""What pages are composed of, one folder an area.

Components import from `client` and `journal`, and from each other; they never import `pages`, `service` or `app`.
A module here either draws (it imports streamlit) or computes (it does not).
"""
