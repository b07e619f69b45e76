"""Taking in files and pasted text, the same for every screen: imports no streamlit and no other area."""
