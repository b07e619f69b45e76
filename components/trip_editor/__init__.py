"""Adding, changing, canceling and deleting a trip: forms, predictions and what is sent.

Modules that draw: `trip_form`, `preview`, `review`, `editor`.
Everything else computes and must not import streamlit.
"""
