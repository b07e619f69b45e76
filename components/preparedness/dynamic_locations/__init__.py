"""Dynamic locations: a file of where people are, looked at before it is sent, and its upload followed to the end."""
