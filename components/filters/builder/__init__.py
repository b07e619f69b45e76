"""The rule builder of contact filters: a row a rule, its value's field, adding, undoing, and the filter read back."""
