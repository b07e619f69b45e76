"""Spreadsheets and pages of tables."""
