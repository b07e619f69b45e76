"""Contact filters at their core: the draft and its rules, the columns, what a filter says, what is wrong with it."""
