"""The embedded service: a persistent implementation of the interface over HTTP.

It imports only `client.vocabulary`, `shapes`, and `storage` of this project. Its models are a second, independent
reading of the interface, which makes the contract tests meaningful.
"""
