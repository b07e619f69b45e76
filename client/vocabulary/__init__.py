"""The interface's own tables as data. Imports nothing but the standard library, so that any layer may import it."""
