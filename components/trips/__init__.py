"""Draws trips: the lookup, one trip with its timeline and problems, the editor, and the rosters."""
