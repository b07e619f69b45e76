"""Whom a public alert reaches: places found among the regions offered, and the reach in words and counts."""
