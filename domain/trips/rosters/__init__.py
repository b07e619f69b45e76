"""Rosters: named lists of record locators."""
