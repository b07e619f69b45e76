"""The test bench of contact filters: a file of contacts held against the rules, here and not by the service.

What is judged is kept in the browser session's memory alone: this folder imports neither `journal` nor anything that
writes, and sends nothing.
"""
