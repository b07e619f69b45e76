"""Contact filters: the list of them, the rule builder, what a filter says in words, and its test bench."""
