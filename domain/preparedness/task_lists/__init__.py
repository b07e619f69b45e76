"""Crisis task list templates."""
