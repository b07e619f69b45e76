"""Draws the rosters: the list, the form for a new one, and the steps that read a file or pasted text."""
