"""The values a rule may have in the rule builder."""
