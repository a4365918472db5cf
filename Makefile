# Every target sets up its own virtual environment. To use another one: make test VENV=/path/to/venv
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
WORKERS ?= 2

.PHONY: verify test test-all probe notebooks lint types bench mutants fuzz resilience audit kernels docs clean
.DEFAULT_GOAL := help

help:
	@echo "make verify | test | test-all | notebooks | lint | types | bench | docs | kernels | clean"
	@echo "make probe | mutants | fuzz | resilience | audit"

$(VENV)/.installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[test,dev,distributed,docs]'
	touch $@

verify: $(VENV)/.installed
	$(BIN)/python -m proofs_check verify

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -q

$(VENV)/.probe: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet -c constraints.txt -e '.[probe]'
	touch $@

probe: $(VENV)/.probe
	$(BIN)/python -m pytest tests/numerics/probe tests/proofs_check/test_probe.py -q -m ''

test-all: $(VENV)/.probe
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -q -m '' --hypothesis-profile=thorough

notebooks: $(VENV)/.installed
	$(BIN)/python -m pytest --nbmake --nbmake-timeout=250 notebooks -q

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy

bench: $(VENV)/.installed
	$(BIN)/python -m benchmarks

mutants: $(VENV)/.installed
	$(BIN)/python -m proofs_check.mutation --json mutants.json

# The edges: a thorough fuzz; kills, full disks and rivals.
fuzz: $(VENV)/.installed
	$(BIN)/python -m pytest -q tests/numerics/test_edges.py tests/numerics/test_risk.py tests/numerics/test_parameters.py \
		--hypothesis-profile=thorough -n $(WORKERS)

resilience: $(VENV)/.installed
	$(BIN)/python -m pytest -q tests/test_resilience.py -m ''

audit: $(VENV)/.installed
	$(BIN)/python -m pip check
	$(BIN)/python -m pip install --quiet pip-audit
	$(BIN)/python -m pip_audit -r constraints.txt --no-deps --disable-pip --strict \
		|| { echo "make audit: a known vulnerability, or no way to the database of them; see above"; exit 1; }

kernels: $(VENV)/.installed
	$(BIN)/python -m proofs_check.generate

docs: $(VENV)/.installed
	$(BIN)/python docs/build.py build/api
	@echo "open build/api/index.html"

clean:
	rm -rf $(VENV) build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
