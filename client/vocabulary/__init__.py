"""The interface's tables as data. They import only the standard library, so that every package may import them."""
