"""The demo organization: travelers and trips generated from a seed, always the same except for dates relative to
today.
"""
