"""The page of one contact filter, with the rule builder."""
