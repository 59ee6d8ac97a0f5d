# Everything that is done to this project by hand, in one place. 'make' alone shows the list.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help demo test lint format docs bench papers campaign clean

help: ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all,test,docs,dev]'
	@touch $(READY)

demo: $(READY) ## protect the embedded patients, from raw file to report, in ./demo
	$(BIN)/discreet demo --out demo

test: $(READY) ## run the whole test suite
	$(BIN)/python -m pytest -n auto -q

lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## put the code into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY) ## build the documentation in docs/_build
	$(BIN)/sphinx-build -W -q -b html docs docs/_build
	@echo "open docs/_build/index.html"

bench: $(READY) ## run the benchmarks: ratios measured side by side
	$(BIN)/python -m bench

papers: $(READY) ## redo the tables and figures of the papers, as one page in bench/results
	$(BIN)/python -m bench.papers --out bench/results/papers.html

campaign: $(READY) ## look for faults with random tables, plans, kills and mutated files, for hours
	$(BIN)/python -m bench.campaign

clean: ## remove what was built, the environment included
	rm -rf $(VENV) build dist docs/_build docs/reference demo .mypy_cache .ruff_cache .pytest_cache
