"""Trips: resolved in time and place, checked, predicted, and looked up."""
