"""One trip as a person reads it: looking it up, what is known of it, its timeline, and what looks wrong with it."""
