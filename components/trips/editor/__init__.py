"""Adding, changing, canceling and deleting a trip: forms, predictions and what is sent.

Only `trip_form` and `editor` draw (import streamlit); all else computes.
"""
