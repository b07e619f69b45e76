"""Importing files and pasted text: a screen declares an `Intake` (`domain/file_import/import_declaration.py`)."""
