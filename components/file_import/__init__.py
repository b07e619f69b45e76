"""Taking in files and pasted text, the same for every screen: a screen declares an `Intake` (`checking.py`)."""
