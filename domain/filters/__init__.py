"""Contact filters without their screens: drafts, columns, values, problems, sentences, and the filter test."""
