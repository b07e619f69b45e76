"""Wire models, an area a module. They import pydantic, the vocabulary and each other; never httpx."""
