"""Models of requests and answers, one area per module. They import pydantic, the vocabulary, and each other."""
