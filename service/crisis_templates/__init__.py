"""Crisis task list templates: read-only, in pages."""
