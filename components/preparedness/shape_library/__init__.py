"""The shape library: shapes seen and mended before they are sent, and what this desk knows to be in it."""
