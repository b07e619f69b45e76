"""The screens of contact filters: the list, the rule builder, and the filter test."""
