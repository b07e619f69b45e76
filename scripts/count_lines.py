"""Print how many lines each package of components and domain has, their sums, and the service without its demo."""

from __future__ import annotations

from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def lines_by_folder(place: Path) -> dict[str, int]:
    """Count the lines of Python files by the folder they lie in, the folder with the most lines first."""
    counted: dict[str, int] = {}
    for path in place.rglob("*.py"):
        folder = path.relative_to(place).parts[0]
        counted[folder] = counted.get(folder, 0) + len(path.read_text(encoding="utf-8").splitlines())
    return dict(sorted(counted.items(), key=lambda item: -item[1]))


def main() -> None:
    """Print a line of packages and a sum for each layer, then the service's sum."""
    for layer in ("components", "domain"):
        folders = lines_by_folder(PROJECT / layer)
        print(", ".join(f"{folder} {count:,}" for folder, count in folders.items() if not folder.endswith(".py")))
        print(f"{layer}: {sum(folders.values()):,} lines")
    service = lines_by_folder(PROJECT / "service")
    print(f"service: {sum(service.values()) - service['demo']:,} lines without its demo")


if __name__ == "__main__":
    main()
