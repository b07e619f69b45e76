"""The embedded service: a persistent implementation of the interface, over real HTTP.

It imports `client.vocabulary` and nothing else of this project: its models are a second, independent reading of the
interface, which is what makes the contract tests worth running.
"""
