"""The rosters screen: reading rosters from files and pasted text, and keeping them."""
