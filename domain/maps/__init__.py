"""What a map shows, apart from how it is drawn."""
