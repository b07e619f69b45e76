"""The configured base URL, and all URLs built from it. URLs in answers are never used."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True, slots=True)
class ServiceAddress:
    """The address of the service: `root` without `/rest`, and `prefix` with `/rest` if it was configured."""

    root: str
    prefix: str
    is_encrypted: bool
    is_loopback: bool

    @classmethod
    def parse(cls, base_url: str) -> "ServiceAddress":
        """Parse a base URL with or without a final `/rest`. Raises ValueError with a message for people."""
        text = base_url.strip().rstrip("/")
        parts = urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("The address of the service must begin with https:// or http:// and name a host.")
        if parts.username is not None or parts.password is not None:
            raise ValueError("The address of the service must not contain a user name or password.")
        if parts.query or parts.fragment:
            raise ValueError("The address of the service must not contain a query or fragment.")
        prefix = "/rest" if parts.path.endswith("/rest") else ""
        return cls(
            root=text.removesuffix("/rest") if prefix else text,
            prefix=prefix,
            is_encrypted=parts.scheme == "https",
            is_loopback=parts.hostname in _LOOPBACK,
        )

    def url(self, path: str) -> str:
        """Return the URL of a path of the interface. A path that begins with `/rest/` gets `/rest` once."""
        if path.startswith("/rest/"):
            return self.root + path
        return self.root + self.prefix + path


_WORD = re.compile(
    "|rest|v1|v2|cm|itineraries|query|batch|expectedLocations|contactFilters|notifications|publicEventGroups"
    "|publicRegionIds|notificationEvents|notificationCategories|lookup|mappings|search|asset-management|assets"
    "|shapeLibrary|crisisTaskListTemplates|dynamicLocations"
)


def route_of(path: str) -> str:
    """Return a path with `{}` in place of IDs and names."""
    return "/".join(part if _WORD.fullmatch(part) else "{}" for part in path.split("/"))
