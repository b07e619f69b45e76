"""Contacts of an organization, and how travellers are matched to them."""
