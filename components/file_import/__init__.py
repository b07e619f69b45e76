"""Draw the import of files and pasted text. A screen declares an `ImportDeclaration`."""
