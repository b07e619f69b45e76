"""The filter test: who in a file of contacts matches a filter, by Muster's own estimate.

The file stays in the memory of the browser session. These modules import neither `journal` nor anything else that
stores data, and send nothing.
"""
