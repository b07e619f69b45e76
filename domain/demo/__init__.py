"""The initial journal of a demo organization."""
