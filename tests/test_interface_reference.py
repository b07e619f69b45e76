"""The documents are consistent: the tables and links of docs/interface.md, sections named in code, and paths named
in pages.
"""

from __future__ import annotations

import re
from pathlib import Path

from client.vocabulary.contact_filters import COLUMNS
from service.areas import modules_of_areas
from tests.service.interface_document import columns, endpoints, fields, sections

PROJECT = Path(__file__).resolve().parents[1]
RESOURCES = sorted(path for path in (PROJECT / "client" / "resources").glob("*.py") if path.stem != "__init__")
LAYERS = ("client", "service", "journal", "components", "domain")
CITATION = re.compile(r"[Ii]nterface: ((?:[A-Z][a-z -]+(?:, )?)+)")

PAGE = (PROJECT / "docs" / "interface.md").read_text(encoding="utf-8")


def find_cited_sections(path: Path) -> list[str]:
    """Return the sections that a module's docstrings and comments name as `interface: First, Second`."""
    text = " ".join(path.read_text(encoding="utf-8").split()).replace(" # ", " ")
    return [name for names in CITATION.findall(text) for name in names.split(", ")]


def anchor(name: str) -> str:
    return re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")


def test_every_section_cited_in_the_code_exists() -> None:
    modules = [path for layer in LAYERS for path in (PROJECT / layer).rglob("*.py")]
    cited = [(str(path.relative_to(PROJECT)), name) for path in modules for name in find_cited_sections(path)]
    assert len(cited) > 40
    assert [(path, name) for path, name in cited if name not in sections()] == []


def test_every_area_of_the_client_has_a_section() -> None:
    areas = {section.area for section in sections().values()}
    cited = [find_cited_sections(path)[0] for path in RESOURCES if find_cited_sections(path)]
    assert set(cited) == areas - {"The interface", "Contents", "Conventions"}


def test_the_service_has_exactly_the_documented_endpoints() -> None:
    routes = [route for area in modules_of_areas("routes") for route in area.router.routes if route.include_in_schema]
    served = {f"{method} {route.path}" for route in routes for method in route.methods}
    documented = {endpoint.replace(" /rest/", " /") for _, endpoint in endpoints()}
    assert sorted(map(remove_parameter_names, served)) == sorted(map(remove_parameter_names, documented)) != []


def remove_parameter_names(endpoint: str) -> str:
    return re.sub(r"{[^}]*}", "{}", endpoint)


def test_the_columns_of_a_rule_match_the_documentation() -> None:
    documented = [(c.name, c.data_type, c.rule_type, c.operators, c.embedded) for c in columns()]
    assert [(c.name, c.data_type, c.rule_type, c.operators, c.embedded) for c in COLUMNS] == documented
    assert len({(c.name, c.rule_type, c.embedded) for c in columns()}) == 46
    assert sum(len(c.operators) for c in columns()) == 221


def test_every_link_within_the_page_has_a_target() -> None:
    linked = set(re.findall(r"\]\(#([^)]+)\)", PAGE))
    assert linked - {anchor(name) for name in sections()} == set()
    contents = set(re.findall(r"\]\(#([^)]+)\)", sections()["Contents"].text))
    assert {anchor(name) for name, section in sections().items() if section.level == 2} - contents == {"contents"}


def test_every_cited_assumption_has_a_row() -> None:
    assumptions = (PROJECT / "docs" / "assumptions.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"\[(A\d+)\]\(assumptions\.md\)", PAGE))
    assert cited - set(re.findall(r"^\| (A\d+) \|", assumptions, re.MULTILINE)) == set()


def test_every_path_in_the_pages_for_developers_exists() -> None:
    pages = [(PROJECT / name).read_text(encoding="utf-8") for name in ("docs/architecture.md", "CONTRIBUTING.md")]
    layers = "pages|components|domain|client|journal|service|storage|tests|docs"
    paths = re.findall(rf"(?<![\w/])(?:{layers})/[\w/.-]*[\w/]", " ".join(pages))
    assert len(paths) > 60
    assert [path for path in paths if not (PROJECT / path).exists()] == []


def test_every_table_row_has_all_its_cells() -> None:
    tables = [(name, head, rows) for name, section in sections().items() for head, rows in section.tables()]
    assert [(name, head) for name, head, rows in tables if {len(row) for row in rows} != {len(head)}] == []


def test_every_field_is_listed_once() -> None:
    for name, section in sections().items():
        rows = [row for head, rows in section.tables() if head[0] == "Field" for row in rows]
        assert len(fields(name)) == len(rows), name
