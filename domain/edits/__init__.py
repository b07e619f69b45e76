"""What every change to a record shares: its declaration, its stored draft, and its call in a worker."""
