# One door for every check and every generated file. A fresh machine needs Python 3.11 or newer, make and git.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
INSTALLED := .venv/.stamp
RUNS := .venv/.runs
SHOP := fixtures/projects/shop

.PHONY: demo test coverage test-servers lint bench bench-runtime docs update

demo: $(RUNS)
	@echo '$$ redis-guard check --statistics $(SHOP)'
	@status=0; $(BIN)/redis-guard check --statistics $(SHOP) || status=$$?; test $$status -eq 1
	@echo
	@echo '$$ redis-guard check --select RG202,RG301,RG501 $(SHOP)'
	@status=0; $(BIN)/redis-guard check --select RG202,RG301,RG501 $(SHOP) || status=$$?; test $$status -eq 1
	@echo
	@echo '$$ redis-guard inventory $(SHOP)    # its first groups'
	@groups=$$($(BIN)/redis-guard inventory $(SHOP)) && echo "$$groups" | sed '/^cache-like/,$$d'
	@echo
	@echo '$$ python fixtures/demo    # the runtime at work'
	@$(BIN)/python fixtures/demo

test: $(INSTALLED)
	@$(BIN)/python -m pytest $(ARGS)

coverage: $(INSTALLED)
	@$(BIN)/python -m pytest --cov --cov-report=term:skip-covered $(ARGS)

test-servers: $(INSTALLED)
	@$(BIN)/python -m tests.servers $(ARGS)

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy --explicit-package-bases benchmarks
	$(BIN)/lint-imports
	$(BIN)/redis-guard check

bench: $(INSTALLED)
	@$(BIN)/python -m benchmarks.run $(ARGS)
	@echo
	@$(BIN)/python -m benchmarks.runtime.run

bench-runtime: $(INSTALLED)
	@$(BIN)/python -m benchmarks.runtime.run $(ARGS)

docs: $(INSTALLED)
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@$(BIN)/python -m pytest tests/docs $(ARGS)

update: $(INSTALLED)
	@set -e; for script in $$(grep -l __main__ tests/generate/*.py); do \
		echo $$script; $(BIN)/python -m tests.generate.$$(basename $$script .py); \
	done

# Made anew only when pyproject.toml changes; an installation that broke off leaves no stamp. What the demo needs comes
# first, so that it waits for nothing else.
$(RUNS): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.12 ...")'
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[testing]'
	@touch $@

$(INSTALLED): $(RUNS)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
