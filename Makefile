# Muster: set up, run, test. `make` alone lists the commands.
PYTHON ?= python3
VENV ?= .venv
UV_VERSION := 0.13.8
BIN := $(VENV)/bin
PORT ?= 8501

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all bench wheel lint format lock clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.installed: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Muster needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@touch $@

setup: $(VENV)/.installed ## install everything into .venv

run: setup ## open the dashboard on its own service, with the demo organization
	$(BIN)/streamlit run app.py --server.port $(PORT)

# The tests start dozens of processes: bytecode that one process writes saves the next one compiling.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest

test: setup ## run all tests except the browser's, and one short flow in Chromium
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(PYTEST) -m "not browser or smoke"

test-all: setup ## run all tests
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(PYTEST)

bench: setup ## print the benchmarks, each beside what it is compared with
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(BIN)/python -m bench

wheel: setup ## build the client by itself, as muster-client, into dist/
	rm -rf wheel/build
	$(BIN)/uv build --quiet --offline --wheel --no-build-isolation --python $(BIN)/python --out-dir dist wheel

lint: setup ## check style and types, and count lines
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python scripts/count_lines.py

format: setup ## rewrite files in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup ## resolve the dependencies anew into requirements.lock
	$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-emit-find-links \
		--no-header --no-annotate --group dev --upgrade --output-file requirements.lock pyproject.toml

clean: ## remove the environment and this desk's data
	rm -rf $(VENV) .muster dist wheel/build wheel/*.egg-info .pytest_cache .mypy_cache .ruff_cache
