"""The content of maps, without drawing."""
