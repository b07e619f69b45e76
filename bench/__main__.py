"""`python -m bench [name ...]`: run all benchmarks, or those named. `--list` lists them."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Callable
from types import ModuleType

import bench
from domain.runtime.server import collect_garbage_seldom


def measurements() -> dict[str, ModuleType]:
    """Return the modules of this folder that have a `run()`, by name."""
    names = sorted(info.name for info in pkgutil.iter_modules(bench.__path__) if not info.name.startswith("_"))
    modules = {name: importlib.import_module(f"bench.{name}") for name in names}
    return {name: module for name, module in modules.items() if callable(getattr(module, "run", None))}


def main(arguments: list[str] | None = None) -> int:
    """Run the benchmarks. Returns 1 if one misses its target, and 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help="a measurement; all of them when none is named")
    parser.add_argument("--list", action="store_true", help="name the measurements and end")
    options = parser.parse_args(arguments)
    known = measurements()
    if options.list:
        for name, module in known.items():
            print(f"{name:20} {_first_line(module)}")
        return 0
    unknown = [name for name in options.names if name not in known]
    if unknown:
        print(f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}.", file=sys.stderr)
        return 2
    collect_garbage_seldom()  # As in a running Muster.
    missed = False
    for name in options.names or known:
        print(f"\n{name}: {_first_line(known[name])}\n", flush=True)
        run: Callable[[], object] = known[name].run
        # A benchmark returns False if it misses its target.
        missed = run() is False or missed
    return 1 if missed else 0


def _first_line(module: ModuleType) -> str:
    return (module.__doc__ or "").strip().partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
