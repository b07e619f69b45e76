# Muster: set up, run, test. `make` alone lists the commands.
PYTHON ?= python3
VENV ?= .venv
UV_VERSION := 0.13.8
BIN := $(VENV)/bin
PORT ?= 8501

.DEFAULT_GOAL := help
.PHONY: help setup run test test-all coverage bench wheel lint format lock upgrade clean reset-data

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.installed: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Muster needs Python 3.11 or newer; set PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.lock
	$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock -r requirements-dev.lock
	@touch $@

setup: $(VENV)/.installed-dev ## install Muster and the development tools into .venv

run: $(VENV)/.installed ## open the dashboard with its own service and a demo organization
	@$(BIN)/python scripts/check_port.py $(PORT)
	$(BIN)/streamlit run app.py --server.port $(PORT)

# The tests start dozens of processes, which share the compiled bytecode.
WITH_BYTECODE := env -u PYTHONDONTWRITEBYTECODE

test: setup ## run all tests except the browser's, and one short flow in Chromium
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(WITH_BYTECODE) $(BIN)/python -m pytest -m "not browser or smoke"

test-all: setup ## run all tests
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(WITH_BYTECODE) $(BIN)/python -m pytest

coverage: setup ## run all tests except the browser's, and print line coverage by package
	$(BIN)/coverage erase
	$(WITH_BYTECODE) $(BIN)/coverage run -m pytest -m "not browser"
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage json --quiet -o .coverage.json
	$(BIN)/python scripts/print_coverage.py .coverage.json

bench: setup ## print the benchmarks, each beside what it is compared with
	@MUSTER_PYTHON=$(BIN)/python sh scripts/ensure_browser.sh
	$(BIN)/python -m bench

wheel: setup ## build the client by itself, as muster-client, into dist/
	rm -rf wheel/build
	$(BIN)/uv build --quiet --offline --wheel --no-build-isolation --python $(BIN)/python --out-dir dist wheel

lint: setup ## check style, types, and language, and count lines
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@$(BIN)/python scripts/check_language.py
	@$(BIN)/python scripts/check_labels.py
	@$(BIN)/python scripts/count_lines.py

format: setup ## rewrite files in the house style
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate

lock: setup ## add new dependencies to the lock files
	$(COMPILE) $(UPGRADE) --output-file requirements.lock pyproject.toml
	$(COMPILE) $(UPGRADE) --constraint requirements.lock --group dev --output-file requirements-dev.lock

upgrade: UPGRADE := --upgrade
upgrade: lock ## upgrade all dependencies in the lock files

clean: ## remove the environment, builds, and caches
	rm -rf $(VENV) dist wheel/build wheel/*.egg-info .pytest_cache .mypy_cache .ruff_cache .coverage*

reset-data: ## delete the data in .muster, after asking
	@echo "This deletes the journal, drafts, rosters, and the service's data in $(CURDIR)/.muster."
	@echo "Stop Muster first. Deleted data cannot be restored."
	@printf 'Type yes to delete: '; read -r answer; \
		if [ "$$answer" = yes ]; then rm -rf .muster && echo "The data was deleted."; else echo "Nothing was deleted."; fi
