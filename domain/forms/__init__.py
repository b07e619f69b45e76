"""A form as data: its fields, and the way between what is typed and what is sent."""
