"""Adding, changing, canceling and deleting a trip: forms, predictions and what is sent.

Modules that draw: `removal`, `trip_form`, `segment_card`, `travellers`, `preview`, `review`, `outcome`, `editor`.
Everything else computes and must not import streamlit.
"""
