# Everything that is done to this project by hand, in one place. 'make' alone shows the list.
PYTHON ?= python3
VENV := .venv
LOWEST := .venv-lowest
BIN := $(VENV)/bin
CORE := $(VENV)/.core
READY := $(VENV)/.ready

# Each worker takes half of the tests as they stand, so that what neighbours share (fixtures, compiled
# kernels) is made once, and helps the other when it is done.
PYTEST := -m pytest -n auto --dist worksteal -q

# A worker has one core: on cores that are taken, threads of a library wait for each other's turn, and
# linear algebra takes up to ten times as long.
test coverage lowest: export OMP_NUM_THREADS = 1
test coverage lowest: export OPENBLAS_NUM_THREADS = 1

# Many tests start the command line: compiled modules that are kept save each of them a second.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo studio test coverage lowest lint wheel format docs bench papers campaign screenshots vendor clean

help: ## show this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# What users install, and what contributors need on top of it: the demo waits for the former only.
$(CORE): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $(CORE)

$(READY): $(CORE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[all,dp,test,docs,dev]'
	@touch $(READY)

demo: $(CORE) ## protect the embedded patients, from raw file to report, in ./demo
	$(BIN)/discreet demo --out demo

studio: $(READY) ## open the studio on the embedded patients, in ./studio
	mkdir -p studio && cd studio && ../$(BIN)/discreet demo --data patients.csv
	cd studio && ../$(BIN)/discreet studio patients.csv

test: $(READY) ## run the whole test suite
	$(BIN)/python $(PYTEST)

coverage: $(READY) ## run the test suite and print which lines of src it leaves out
	$(BIN)/python $(PYTEST) --cov --cov-report=term

lowest: ## run the test suite with the lowest versions of the dependencies that are declared
	$(PYTHON) -m venv --clear $(LOWEST)
	$(LOWEST)/bin/python scripts/lowest_versions.py all dp > $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check \
		--constraint $(LOWEST)/lowest.txt -e '.[all,dp,test]'
	NUMBA_CACHE_DIR=$(CURDIR)/$(LOWEST)/numba $(LOWEST)/bin/python $(PYTEST)

lint: $(READY) ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

wheel: $(READY) ## install the wheel in an empty environment and run the demo there
	$(BIN)/python scripts/check_wheel.py

format: $(READY) ## put the code into the house style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY) ## build the documentation in docs/_build
	$(BIN)/sphinx-build -W -q -b html docs docs/_build
	@echo "open docs/_build/index.html"

bench: $(READY) ## run the benchmarks: ratios measured side by side
	$(BIN)/python -m bench

papers: $(READY) ## redo the tables and figures of the papers, as one page, CSV and JSON in bench/results
	$(BIN)/python -m bench.papers --out bench/results/papers.html

campaign: $(READY) ## look for faults with random tables, plans, kills and mutated files, for hours
	$(BIN)/python -m bench.campaign

screenshots: $(READY) ## take pictures of every screen of the studio, in build/screenshots
	$(BIN)/python -m scripts.screenshots

vendor: $(READY) ## fetch the scripts of others that the studio serves, and those that test it
	$(BIN)/python -m scripts.vendor

clean: ## remove what was built, the environment included
	rm -rf $(VENV) $(LOWEST) build dist docs/_build docs/reference demo studio .mypy_cache .ruff_cache .pytest_cache .coverage
