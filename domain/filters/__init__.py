"""Contact filters: the draft and its rules, the columns, the sentence a filter reads as, its problems."""
