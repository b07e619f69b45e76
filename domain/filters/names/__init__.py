"""The organization's names for IDs: contact fields, groups, topics, delivery paths, attributes, and record types."""
