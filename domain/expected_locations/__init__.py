"""Where travelers are expected to be, and when."""
