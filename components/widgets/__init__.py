"""Parts of screens that know nothing of the domain."""
