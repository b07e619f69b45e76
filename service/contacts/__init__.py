"""Contacts of an organization, and how travelers are matched to them."""
