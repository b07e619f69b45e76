"""Importing trips from files: the import screen, the history, and canceling many trips."""
