"""The texts of the journal."""
