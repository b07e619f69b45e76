"""Parts of screens without domain logic."""
