"""Draws the editor that adds, changes, and cancels trips."""
