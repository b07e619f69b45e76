"""The journal screen, and the notice about changes with status Unknown."""
