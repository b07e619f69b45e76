"""The rules of docs/architecture.md that can be checked in the syntax trees."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[1]
PRODUCT = ["app.py", "muster", "pages", "components", "domain", "client", "journal", "service", "shapes", "storage"]
LAYERS = {*(name.removesuffix(".py") for name in PRODUCT), "tests", "bench", "scripts"}

# What each layer may import from the project, and from other packages where that is restricted.
MAY_IMPORT = {
    "app": {"app", "pages", "components", "domain", "client", "journal"},
    "muster": {"muster", "components", "domain", "client", "journal"},
    "pages": {"components", "domain", "client", "journal"},
    "components": {"components", "domain", "client", "journal", "shapes"},
    "domain": {"domain", "client", "journal", "shapes"},
    "client": {"client"},
    "journal": {"journal", "storage"},
    "service": {"service", "client.vocabulary", "shapes", "storage"},
    "shapes": {"shapes"},
    "storage": {"storage"},
}
ONLY_OTHERS = {
    "client": {"httpcore", "httpx", "pydantic", "pydantic_core"},
    "shapes": {"defusedxml", "numpy", "pyogrio", "pyproj", "shapely"},
    "storage": {"alembic", "sqlalchemy"},
}
NEVER = {
    "domain": {"streamlit", "pydeck", "starlette"},
    "journal": {"streamlit", "httpx", "pandas"},
    "service": {"streamlit", "pandas", "httpx"},
}

# The packages of components and domain, the lowest first: each may import those before it.
PACKAGES = (
    "geography",
    "text",
    "tables",
    "widgets",
    "runtime",
    "shell",
    "streamlit_workarounds",
    "maps",
    "forms",
    "record_list",
    "edits",
    "journal",
    "file_import",
    "trips.rosters",
    "filters.names",
    "mappings",
    "filters",
    "filters.builder",
    "filters.list",
    "filters.estimate",
    "trips",
    "trips.editor",
    "trips.trip_import",
    "alerts",
    "alerts.wording",
    "alerts.cap",
    "alerts.recipients",
    "alerts.sending",
    "alerts.notifications",
    "alerts.composer",
    "preparedness.assets",
    "preparedness.shape_library",
    "preparedness.dynamic_locations",
    "preparedness.task_lists",
    "expected_locations",
    "filters.reach",
    "incidents",
    "search",
    "demo",
)

# A module that draws leaves reading and computing to a neighbor that does not import streamlit.
READING = {
    "client.resources",
    "client.transport",
    "csv",
    "httpx",
    "psycopg",
    "pyogrio",
    "python_calamine",
    "sqlalchemy",
    "sqlite3",
    "subprocess",
    "urllib.request",
    "zipfile",
}
COMPUTING = {"airportsdata", "babel", "numpy", "pyproj", "rapidfuzz", "shapely", "tzfpy", "xlsxwriter"}

# An area has the same name everywhere: its page, its models, its resource, its vocabulary. In the embedded service,
# each area is a package with the same modules.
AREA_FOLDERS = ("pages/", "client/models/", "client/resources/", "client/vocabulary/")
AREA_PARTS = {"description", "models", "repository", "routes", "rules", "schema"}
FORBIDDEN_NAMES = re.compile(r"^(utils?|helpers?|common|managers?|misc|shared)$|_(utils?|helpers?|manager)$")
ASSUMPTION = re.compile(r"ASSUMPTION (A\d+)")

LONGEST_MODULE = 600
MOST_METHODS = 25
LONGEST_PAGE = 120


@dataclass(frozen=True, eq=False)
class Module:
    """One source file: its path from the project, its text and its tree."""

    path: str
    text: str
    tree: ast.Module

    @property
    def layer(self) -> str:
        return Path(self.path).parts[0].removesuffix(".py")

    def __repr__(self) -> str:
        return self.path


def modules(*roots: str) -> list[Module]:
    return [module for root in roots for module in modules_under(root)]


@cache
def modules_under(root: str) -> list[Module]:
    place = PROJECT / root
    found = []
    for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found.append(Module(str(path.relative_to(PROJECT)), text, ast.parse(text)))
    return found


def product() -> list[Module]:
    return modules(*PRODUCT)


def imports(module: Module) -> Iterator[str]:
    """Yield the full names a module imports, wherever in it: `client.vocabulary.limits`, `client.ServiceClient`."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            where = node.module or ""
            if node.level:
                assert module.layer == "client", f"{module} imports relatively"
                folder = Path(module.path).parts[: -node.level]
                where = ".".join([*folder, *filter(None, [node.module])])
            yield from (f"{where}.{alias.name}" for alias in node.names)


def top_package(name: str) -> str:
    return name.partition(".")[0]


def module_name(module: Module) -> str:
    return ".".join(Path(module.path).with_suffix("").parts).removesuffix(".__init__")


@cache
def calls(module: Module) -> list[tuple[str, ast.Call]]:
    return [(ast.unparse(node.func), node) for node in ast.walk(module.tree) if isinstance(node, ast.Call)]


def imports_streamlit(module: Module) -> bool:
    return any(top_package(name) == "streamlit" for name in imports(module))


def of_layer(*layers: str) -> list[Module]:
    return [module for module in product() if module.layer in layers]


def test_the_checks_find_modules_to_examine():
    assert {module.layer for module in product()} == set(MAY_IMPORT)


@pytest.mark.parametrize("layer", MAY_IMPORT)
def test_imports_between_layers_go_in_one_direction(layer: str):
    allowed = MAY_IMPORT[layer]
    wrong = [
        (module.path, name)
        for module in of_layer(layer)
        for name in imports(module)
        if top_package(name) in LAYERS and not any(name == one or name.startswith(f"{one}.") for one in allowed)
    ]
    assert wrong == []


@pytest.mark.parametrize("layer", ONLY_OTHERS)
def test_leaf_packages_import_only_their_allowed_packages(layer: str):
    allowed = {*ONLY_OTHERS[layer], *sys.stdlib_module_names, layer}
    wrong = [(m.path, name) for m in of_layer(layer) for name in imports(m) if top_package(name) not in allowed]
    assert wrong == []


def test_the_client_can_be_installed_under_another_name():
    """Its modules use relative imports."""
    wrong = [
        (module.path, ast.unparse(node))
        for module in of_layer("client")
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.ImportFrom) and not node.level and top_package(node.module or "") == "client")
        or (isinstance(node, ast.Import) and any(top_package(alias.name) == "client" for alias in node.names))
    ]
    assert wrong == []


@pytest.mark.parametrize("layer", NEVER)
def test_a_layer_does_not_import_its_forbidden_packages(layer: str):
    wrong = [(m.path, name) for m in of_layer(layer) for name in imports(m) if top_package(name) in NEVER[layer]]
    assert wrong == []


def test_importing_a_layer_loads_no_forbidden_module():
    """The rules above check the source; this one checks loaded modules. Callers of `shapes` never load GDAL."""
    program = (
        "import sys, client, journal, shapes.reading\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "no = {'pyogrio', 'shapely', 'streamlit', 'pandas', 'components', 'pages', 'service', 'fastapi'}\n"
        "sys.exit(str(loaded & no or ''))"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_the_command_runs_without_the_web_framework_and_without_pages():
    program = (
        "import sys, muster.commands\n"
        "loaded = {name.partition('.')[0] for name in sys.modules}\n"
        "sys.exit(str(loaded & {'streamlit', 'pages', 'service', 'fastapi', 'pydeck'} or ''))"
    )
    result = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


def test_drawing_code_reads_no_data():
    wrong = [
        (module.path, name)
        for module in of_layer("components", "pages")
        if imports_streamlit(module)
        for name in imports(module)
        if any(name == one or name.startswith(f"{one}.") for one in READING | COMPUTING)
    ]
    assert wrong == []


def package_of(name: str) -> str | None:
    """Return the package in PACKAGES of a module of components or domain, by its dotted name."""
    parts = name.split(".")[1:]
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((each for each in names if each in PACKAGES), None)


@pytest.mark.parametrize("layer", ["components", "domain"])
def test_imports_between_packages_of_a_layer_go_in_one_direction(layer: str):
    upwards = set()
    for module in of_layer(layer):
        if Path(module.path).name == "__init__.py":
            continue
        package = package_of(module.path.removesuffix(".py").replace("/", "."))
        assert package, f"add the package of {module.path} to PACKAGES"
        used = {package_of(name) for name in imports(module) if top_package(name) == layer} - {None}
        upwards |= {(module.path, each) for each in used if PACKAGES.index(each) > PACKAGES.index(package)}
    assert sorted(upwards) == []


def test_a_folder_has_at_most_17_packages():
    for layer in ("components", "domain"):
        packages = [each for each in (PROJECT / layer).iterdir() if (each / "__init__.py").exists()]
        assert len(packages) <= 17, layer


def test_module_names_are_unique():
    """A module name must be unambiguous."""
    names: dict[str, list[str]] = {}
    for module in product():
        path = Path(module.path)
        is_part = path.parts[0] == "service" and len(path.parts) > 2 and path.stem in AREA_PARTS
        if path.stem not in {"__init__", "__main__"} and not is_part and not module.path.startswith(AREA_FOLDERS):
            names.setdefault(path.stem, []).append(module.path)
    same = {name: paths for name, paths in names.items() if len(paths) > 1}
    assert same == {}


def test_each_workaround_names_its_upstream_issue_and_its_removal_tests():
    for module in modules("components/streamlit_workarounds"):
        docstring = ast.get_docstring(module.tree) or ""
        tests = re.findall(r"`(tests/\w+/[\w/]*\w+\.py)::\s*(\w+)`", docstring)
        assert tests, module
        assert "streamlit/streamlit#" in docstring, module
        for path, name in tests:
            assert f"def {name}(" in (PROJECT / path).read_text(), (module, name)
        for path in re.findall(r"`((?:components|static|docs)/[\w/.]+)`", docstring):
            assert (PROJECT / path).is_file(), (module, path)
        if Path(module.path).stem.startswith("monkeypatch_"):
            unpatched = PROJECT / "tests/components/streamlit_workarounds" / f"test_{Path(module.path).name}"
            assert "def test_streamlit_without_the_patch" in unpatched.read_text(), module


def test_only_streamlit_workarounds_replace_methods_of_streamlit():
    patched = {
        module.path
        for module in product()
        for line in module.text.splitlines()
        if "# type: ignore[method-assign]" in line
    }
    assert all(Path(path).name.startswith("monkeypatch_") for path in patched), patched


def test_every_map_is_drawn_by_the_function_that_reports_browsers_without_webgl():
    drawn = [module.path for module in product() if "st.pydeck_chart" in {name for name, _ in calls(module)}]
    assert drawn == ["components/maps/map_view.py"]


def test_no_heading_has_an_anchor_in_the_url():
    headings = {"st.title", "st.header"}
    anchored = [
        (module.path, call.lineno)
        for module in of_layer("pages", "components")
        for name, call in calls(module)
        if name in headings and not any(ast.unparse(each) == "anchor=False" for each in call.keywords)
    ]
    assert anchored == []


def test_every_text_field_has_a_maximum_length():
    """`Text` in a form has one by default."""
    fields = {"text_input", "text_area", "chat_input"}
    unlimited = [
        (module.path, call.lineno)
        for module in of_layer("pages", "components")
        for name, call in calls(module)
        if name.rpartition(".")[2] in fields and "max_chars" not in {each.arg for each in call.keywords}
    ]
    assert unlimited == []


def test_pages_do_not_compute_on_data():
    wrong = [
        (module.path, name)
        for module in of_layer("pages")
        for name in imports(module)
        if top_package(name) in {"pandas", "numpy", "json", "pydeck"} or name.startswith("client.resources")
    ]
    assert wrong == []


def test_a_page_is_a_script_that_starts_with_its_guard():
    for page in of_layer("pages"):
        assert len(page.text.splitlines()) <= LONGEST_PAGE, page
        names = [name for name, _ in calls(page)]
        drawn = [name for name in names if name.startswith("st.")]
        guard = next((node for name, node in calls(page) if name == "require_workspace"), None)
        assert guard is not None, f"{page} has no guard"
        before = [node.lineno for name, node in calls(page) if name in drawn and node.lineno < guard.lineno]
        in_functions = [
            range(node.lineno, (node.end_lineno or node.lineno) + 1)
            for node in page.tree.body
            if isinstance(node, ast.FunctionDef | ast.ClassDef)
        ]
        assert [line for line in before if not any(line in lines for lines in in_functions)] == [], page


def test_no_module_is_longer_than_600_lines():
    lines = {module.path: len(module.text.splitlines()) for module in product()}
    assert {path: number for path, number in lines.items() if number > LONGEST_MODULE} == {}


def test_no_class_has_more_than_25_methods():
    large = {
        node.name
        for module in product()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ClassDef)
        and sum(isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) for each in node.body) > MOST_METHODS
    }
    assert large == set()


def test_no_modules_have_circular_imports():
    """Imports within functions and for type checkers count too."""
    names = {module_name(module): module for module in product()}

    def list_imported(module: Module) -> set[str]:
        parts = (name.split(".") for name in imports(module))
        paths = ([".".join(each[:length]) for length in range(len(each), 0, -1)] for each in parts)
        return {next((path for path in each if path in names), "") for each in paths} - {"", module_name(module)}

    graph = {name: list_imported(module) for name, module in names.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_every_module_has_a_docstring():
    undocumented = [
        m.path for m in modules(*PRODUCT, "tests", "bench") if m.text.strip() and not ast.get_docstring(m.tree)
    ]
    assert undocumented == []


def test_no_module_has_a_meaningless_name():
    parts = [part for m in modules(*PRODUCT, "tests") for part in Path(m.path).with_suffix("").parts]
    assert [name for name in parts if FORBIDDEN_NAMES.search(name)] == []


def test_downloads_are_offered_only_through_the_shared_function():
    wrong = [m.path for m in of_layer("components", "pages") for name, _ in calls(m) if name == "st.download_button"]
    assert wrong == ["components/widgets/downloads.py"]


def test_tables_are_shown_only_through_the_shared_function():
    """The framework's own table sorts, searches, and exports the visible page as if it were everything."""
    tables = {"dataframe", "data_editor"}
    drawing = of_layer("components", "pages")
    wrong = [module.path for module in drawing for name, _ in calls(module) if name.rpartition(".")[2] in tables]
    assert wrong == []


def test_pages_do_not_access_session_state():
    wrong = [
        (module.path, node.lineno)
        for module in of_layer("pages")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Attribute) and node.attr == "session_state"
    ]
    assert wrong == []


def test_session_state_is_accessed_by_declared_keys_and_not_by_string_literals():
    def is_bare(key: ast.expr) -> bool:
        return isinstance(key, ast.JoinedStr) or (isinstance(key, ast.Constant) and isinstance(key.value, str))

    wrong = [
        (module.path, node.lineno)
        for module in of_layer("components")
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Subscript) and ast.unparse(node.value) == "st.session_state" and is_bare(node.slice))
        or (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).startswith("st.session_state.")
            and node.args
            and is_bare(node.args[0])
        )
    ]
    assert wrong == []


def test_each_session_state_key_is_declared_once():
    names = [
        node.args[0].value
        for module in of_layer("components", "pages")
        for name, node in calls(module)
        if name.partition("[")[0] == "StateKey" and node.args and isinstance(node.args[0], ast.Constant)
    ]
    assert sorted({name for name in names if names.count(name) > 1}) == []
    assert [m.path for m in of_layer("pages") for name, _ in calls(m) if name.partition("[")[0] == "StateKey"] == []


def test_pages_are_styled_only_by_the_theme():
    wrong = [
        (module.path, node.lineno)
        for module in of_layer("components", "pages")
        for name, node in calls(module)
        if any(word.arg == "unsafe_allow_html" for word in node.keywords) or name.endswith("components.v1.html")
    ]
    assert wrong == []
    scripts = {
        m.path for m in of_layer("components", "pages") for name, _ in calls(m) if name in {"st.html", "st.iframe"}
    }
    assert scripts <= {"components/shell/session.py"}


def test_pages_do_not_contain_literal_values_of_the_interface():
    from client.vocabulary.itineraries import CANCELED, SEARCH_FIELDS, SEGMENT_TYPES

    words = {*SEGMENT_TYPES, CANCELED, *SEARCH_FIELDS}
    wrong = [
        (module.path, node.lineno, node.value)
        for module in of_layer("pages")
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Constant) and node.value in words
    ]
    assert wrong == []


def test_tests_do_not_sleep_or_skip():
    wrong = []
    for module in modules("tests"):
        for name, node in calls(module):
            is_a_turn = name == "asyncio.sleep" and [ast.unparse(argument) for argument in node.args] == ["0"]
            if name in {"time.sleep", "sleep", "asyncio.sleep"} and not is_a_turn:
                wrong.append((module.path, node.lineno, name))
            if name.endswith("wait_for_timeout"):
                wrong.append((module.path, node.lineno, name))
            if re.search(r"\b(pytest\.(skip|xfail|importorskip)|mark\.(skip|skipif|xfail))$", name):
                wrong.append((module.path, node.lineno, name))
    assert wrong == []


def test_every_assumption_in_the_code_has_a_row_and_every_row_is_cited():
    in_code = {(assumption, m.path) for m in modules(*PRODUCT, "bench") for assumption in ASSUMPTION.findall(m.text)}
    page = (PROJECT / "docs" / "assumptions.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (A\d+) \|.*\| ([^|]+) \|$", page, re.MULTILINE)
    numbers = [number for number, _ in rows]
    assert sorted(numbers, key=lambda number: int(number[1:])) == numbers, "rows are not in order"
    assert len(numbers) == len(set(numbers)), "a row is repeated"
    assert set(numbers) == {number for number, _ in in_code}
    cited = {(number, path) for number, where in rows for path in re.findall(r"`([^`]+)`", where)}
    assert sorted(cited - in_code) == [], "a row cites a module without its mark"
    assert set(numbers) == {number for number, _ in cited}
