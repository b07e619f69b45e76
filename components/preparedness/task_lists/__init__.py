"""Crisis task list templates: listed, narrowed, read."""
