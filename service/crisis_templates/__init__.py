"""Crisis task list templates: read only, a page at a time."""
