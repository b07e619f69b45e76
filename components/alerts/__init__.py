"""The screens of public alerts."""
