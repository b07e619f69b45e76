"""Contact filters: saved rule sets over contact fields."""
