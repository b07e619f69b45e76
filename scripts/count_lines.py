"""Print how many lines each folder of `components/` has, all of them together, and the service without its demo."""

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
    """Print the folders in one line, their sum, and the service's."""
    folders = lines_by_folder(PROJECT / "components")
    print(", ".join(f"{folder} {count:,}" for folder, count in folders.items() if not folder.endswith(".py")))
    print(f"components: {sum(folders.values()):,} lines")
    service = lines_by_folder(PROJECT / "service")
    print(f"service: {sum(service.values()) - service['demo']:,} lines without its demo")


if __name__ == "__main__":
    main()
