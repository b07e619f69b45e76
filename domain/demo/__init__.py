"""What the journal of a fresh demo organization contains."""
