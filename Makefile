# Every recipe is one thing a person does; `make help` lists them.
SHELL := /bin/sh
.DEFAULT_GOAL := help
UV_VERSION := 0.13.8
export UV_SYSTEM_CERTS ?= 1
PYTHON ?= $(shell for p in python3.14 python3.13 python3.12 python3.11 python3; do \
  $$p -c 'import sys; sys.exit(not (3,11)<=sys.version_info[:2]<(3,15))' 2>/dev/null && { echo $$p; break; }; done)
RUN := .venv/bin
WORKERS ?= 2 # of pytest, each with a Neo4j of its own
UV := . .venv/bin/activate && uv
COMPILE := -q --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url \
  --no-emit-find-links

.PHONY: help serve stop test test-extras test-docker check format lint types contracts docs-check install lock jars-lock bench clean reset test-unit

help: ## list these recipes
	@awk -F':.*## ' '/^[a-z][a-z-]*:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: .venv/.installed ## start Neo4j and the API on this machine (Ctrl-C stops both)
	@exec $(RUN)/stratagraph serve

stop: .venv/.installed ## stop a service that runs on the default home, and its Neo4j
	@$(RUN)/stratagraph stop

test: .venv/.installed ## run every test on a real Neo4j in temporary homes
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder --cov --cov-report=term:skip-covered --cov-fail-under=90 $(ARGS)
	@$(RUN)/python tests/branch_coverage.py

test-extras: .venv-extras/.installed ## run the tests that need the optional packages (torch: 5.5 GB on Linux)
	@$(RUN)/stratagraph neo4j install
	@.venv-extras/bin/pyright -p tests/extras
	@.venv-extras/bin/python -m pytest -q -m extras tests/extras $(ARGS)

test-docker: .venv/.installed ## build the image and run the compose file, where a container engine answers
	@$(RUN)/stratagraph neo4j install
	@$(RUN)/python -m pytest -q -rs -m docker tests/e2e/test_docker.py $(ARGS)

check: .venv/.installed format lint types contracts docs-check ## format, lint, types, import contracts, docs

format:
	@$(RUN)/ruff format --check --quiet . || { echo "Run: .venv/bin/ruff format ."; exit 1; }

lint:
	@$(RUN)/ruff check --quiet .

types:
	@$(RUN)/pyright

contracts:
	@$(RUN)/lint-imports --no-cache

docs-check:
	@$(RUN)/python -m pytest -q tests/unit/test_docs.py tests/unit/test_scoring_docstrings.py

install: .venv/.installed ## make .venv from requirements.lock, and fetch Neo4j and the embedding model
	@$(RUN)/stratagraph neo4j install

.venv/.installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "Needs Python 3.11 to 3.14; found $$(python3 --version 2>&1). Try: make PYTHON=/path/to/python3.12"; exit 1; }
	@test ! -L .venv || { echo ".venv is a link to $$(readlink .venv): it is prepared there, not from here"; exit 1; }
	@echo "Preparing .venv with $(PYTHON) (once)"
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv
	@.venv/bin/python -m pip --version >/dev/null 2>&1 && .venv/bin/python -m pip install -q uv==$(UV_VERSION) \
	  || $(PYTHON) -m pip --python .venv/bin/python install -q uv==$(UV_VERSION) \
	  || { echo "No pip for $(PYTHON). On Debian and Ubuntu: apt install python3-venv"; exit 1; }
	@$(UV) pip sync -q --require-hashes requirements.lock && uv pip install -q --no-deps --no-build-isolation -e . && touch $@

.venv-extras/.installed: .venv/.installed requirements-extras.lock
	@echo "Preparing .venv-extras (once)"
	@$(RUN)/python -m venv --without-pip .venv-extras
	@$(UV) pip sync -q --python .venv-extras --require-hashes requirements-extras.lock \
	  && uv pip install -q --python .venv-extras --no-deps --no-build-isolation -e . && touch $@

lock: .venv/.installed ## resolve the dependencies anew into requirements.lock and requirements-extras.lock
	@$(UV) pip compile $(COMPILE) --upgrade --extra dev pyproject.toml -o requirements.lock
	@$(UV) pip compile $(COMPILE) --upgrade --constraint requirements.lock --extra dev --extra examples --extra otel \
	  --extra pii --extra sentence-transformers pyproject.toml -o requirements-extras.lock

jars-lock: .venv/.installed ## resolve the jars of Neo4j anew into graph/server/jars.lock
	@$(RUN)/python -m graph.server.jars

bench: .venv/.installed ## latency and ingest against the bare database (LoCoMo: see docs/benchmarks.md)
	@$(RUN)/python -m benchmarks.latency $(ARGS)

clean: ## remove .venv and caches; data stay
	@rm -rf .venv .venv-extras .pytest_cache .ruff_cache .hypothesis .import_linter_cache .coverage htmlcov dist build
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

reset: .venv/.installed ## remove the data of the default home (asks first)
	@$(RUN)/stratagraph reset
