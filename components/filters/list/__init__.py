"""The list of contact filters, and one of them beside it."""
