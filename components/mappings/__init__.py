"""The screens of lookup mappings: the list with its search and import, the editor, and the simulation."""
