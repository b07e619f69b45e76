"""Public alerts at their core: the draft, its request and problems, its levels and words, and how it is kept."""
