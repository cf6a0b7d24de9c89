# Every recipe is one thing a person does; `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
UV_VERSION := 0.13.8
export UV_SYSTEM_CERTS ?= 1
unexport PYTHONDONTWRITEBYTECODE # each process, and tests start many, would compile every module anew
IS_SUPPORTED := -c 'import sys; sys.exit(not (3,11)<=sys.version_info[:2]<(3,15))' 2>/dev/null
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do $$p $(IS_SUPPORTED) && { echo $$p; break; }; done)
SYSTEM_PYTHON ?= /usr/bin/python3
RUN := .venv/bin
WORKERS ?= 2 # of pytest, each with a Neo4j of its own
PARALLEL := -n $(WORKERS) --dist loadfile --no-loadscope-reorder
UV := . .venv/bin/activate && uv
COMPILE := -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
  --no-emit-find-links --no-emit-package stratagraph

.PHONY: help serve stop test test-coverage test-fast test-slow test-extras test-docker test-system-python check format lint types contracts docs-check install lock jars-lock bench clean reset test-unit

help: ## list these recipes
	@awk -F':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: .venv/.installed ## start Neo4j and the API on this machine (Ctrl-C stops both)
	@exec $(RUN)/stratagraph serve

stop: .venv/.installed ## stop a service that runs on the default home, and its Neo4j
	@$(RUN)/stratagraph stop

test: .venv/.installed ## run the tests on a real Neo4j in temporary homes, but for the slow ones
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -m "not slow" $(PARALLEL) $(ARGS)

test-coverage: .venv/.installed ## run the same tests and measure what they cover, which takes a sixth longer
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -m "not slow" $(PARALLEL) --cov --cov-report=term:skip-covered --cov-fail-under=90 $(ARGS)
	@$(RUN)/python tests/branch_coverage.py

test-slow: .venv/.installed ## run the slow tests: servers of their own, migrations, large graphs, benchmarks
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -m slow $(PARALLEL) $(ARGS)

test-fast: .venv/.installed ## run the tests that need no server
	@$(RUN)/python -m pytest -q --server=none $(PARALLEL) tests/unit $(ARGS)

test-extras: .venv-extras/.installed ## run the tests that need the optional packages (torch: 5.5 GB on Linux)
	@$(RUN)/stratagraph neo4j install
	@.venv-extras/bin/pyright -p tests/extras
	@.venv-extras/bin/python -m pytest -q -m extras tests/extras $(ARGS)

test-docker: .venv/.installed ## build the image and run the compose file, where a container engine answers
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -q -rs -m docker tests/e2e/test_docker.py $(ARGS)

test-system-python: .venv/.installed ## run the tests that need no server on the system's Python too, where it is another one
	@version() { "$$1" -c 'import sys; print(sys.version.split()[0])'; }; \
	if ! $(SYSTEM_PYTHON) $(IS_SUPPORTED); then \
	  echo "Not run: $(SYSTEM_PYTHON) is no Python 3.11, 3.12 or 3.13"; \
	elif [ "$$(version $(SYSTEM_PYTHON))" = "$$(version $(RUN)/python)" ]; then \
	  echo "Not run: .venv has the version of $(SYSTEM_PYTHON), $$(version $(RUN)/python)"; \
	else \
	  $(MAKE) --no-print-directory .venv-system/.installed \
	  && .venv-system/bin/python -m pytest -q --server=none tests/unit tests/laws $(ARGS); \
	fi

check: format lint types contracts docs-check ## format, lint, types, import contracts, docs

format lint types contracts docs-check: | .venv/.installed # also where `make -j` runs them at once

format:
	@$(RUN)/ruff format --check --quiet . || { echo "Run: .venv/bin/ruff format ."; exit 1; }

lint:
	@$(RUN)/ruff check --quiet .

types:
	@$(RUN)/pyright

contracts:
	@$(RUN)/lint-imports --no-cache

docs-check:
	@$(RUN)/python -m pytest -q tests/unit/project/test_docs.py tests/unit/project/test_scoring_docstrings.py

install: .venv/.installed ## make .venv from requirements.lock, and fetch Neo4j and the embedding model
	@$(RUN)/stratagraph neo4j install

.venv/.installed: requirements.lock pyproject.toml packages/client/pyproject.toml
	@test -n "$(PYTHON)" || { echo "Needs Python 3.11 to 3.14; found $$(python3 --version 2>&1). Try: make PYTHON=/path/to/python3.12"; exit 1; }
	@test ! -L .venv || { echo ".venv is a link to $$(readlink .venv): it is prepared there, not from here"; exit 1; }
	@echo "Preparing .venv with $(PYTHON) (once)"
	@$(PYTHON) -m venv --clear .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv
	@.venv/bin/python -m pip --version >/dev/null 2>&1 && .venv/bin/python -m pip install -q uv==$(UV_VERSION) \
	  || $(PYTHON) -m pip --python .venv/bin/python install -q uv==$(UV_VERSION) \
	  || { echo "No pip for $(PYTHON). On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(UV) pip sync -q --require-hashes requirements.lock && uv pip install -q --no-deps --no-build-isolation -e packages/client -e . && touch $@

# A second environment, by the uv of the first: $(call venv,python,lock file).
define venv
	@echo "Preparing $(@D) with $$($(1) --version) (once)"
	@$(1) -m venv --without-pip $(@D)
	@$(UV) pip sync -q --python $(@D) --require-hashes $(2) \
	  && uv pip install -q --python $(@D) --no-deps --no-build-isolation -e packages/client -e . && touch $@
endef

.venv-extras/.installed: .venv/.installed requirements-extras.lock
	$(call venv,$(RUN)/python,requirements-extras.lock)

.venv-system/.installed: .venv/.installed requirements.lock
	$(call venv,$(SYSTEM_PYTHON),requirements.lock)

lock: .venv/.installed ## resolve the dependencies anew into requirements.lock and requirements-extras.lock
	@$(UV) pip compile $(COMPILE) --upgrade --extra dev pyproject.toml -o requirements.lock
	@$(UV) pip compile $(COMPILE) --upgrade --constraint requirements.lock --extra dev --extra examples --extra otel \
	  --extra pii --extra sentence-transformers pyproject.toml -o requirements-extras.lock

jars-lock: .venv/.installed ## resolve the jars of Neo4j anew into graph/server/jars.lock
	@$(RUN)/python -m graph.server.lock

bench: .venv/.installed ## latency and ingest against the bare database (LoCoMo: see docs/benchmarks.md)
	@$(RUN)/python -m benchmarks.latency $(ARGS)

clean: ## remove .venv and caches; data stay
	@rm -rf .venv .venv-extras .venv-system .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage htmlcov dist build
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

reset: .venv/.installed ## remove the data of the default home (asks first)
	@$(RUN)/stratagraph reset
