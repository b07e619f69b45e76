"""What a fresh desk of the demo organization remembers, so that its first visitor finds a desk that was worked at."""
