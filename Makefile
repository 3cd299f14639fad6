# Every target sets up what it needs in .venv; that talk goes to stderr, so that the program's
# stdin and stdout stay its own: printf 'hello\n/notes\n' | make run

MAKEFLAGS += --no-print-directory
CONFIG ?= config/brain.json

ifeq ($(OS),Windows_NT)
PYTHON ?= python
VENV_PYTHON := .venv/Scripts/python.exe
else
# The first Python that is new enough, looked for only where a recipe uses it.
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  $$each -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && exit; \
  done; echo python3)
VENV_PYTHON := .venv/bin/python
endif

.DEFAULT_GOAL := help
.PHONY: help run test test-long bench bench-quality clean

help: ## What can be made
	@grep -hE '^[a-z-]+: .*##' Makefile | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 20

run: ## Talk to the assistant of config/brain.json (CONFIG=FILE for another)
	@$(PYTHON) .ci/setup.py run </dev/null >&2
	@$(VENV_PYTHON) -m brain run --pull --config $(CONFIG) $(ARGS)

test: ## Format, rules, imports, types and tests, as CI runs them
	@$(PYTHON) .ci/setup.py test </dev/null >&2
	@$(VENV_PYTHON) .ci/gates.py -m "not long" $(ARGS)

test-long: ## The same with the suites that need minutes
	@$(PYTHON) .ci/setup.py test </dev/null >&2
	@$(VENV_PYTHON) .ci/gates.py -m "long or not long" --hypothesis-profile=search $(ARGS)

bench: ## Measure beside yardsticks; every line of output is JSON
	@$(PYTHON) .ci/setup.py test </dev/null >&2
	@$(VENV_PYTHON) -m tests.benchmarks $(ARGS)

bench-quality: ## How well the embedded model decides; needs its weights (brain pull --embedded)
	@$(PYTHON) .ci/setup.py test </dev/null >&2
	@$(VENV_PYTHON) -m tests.benchmarks.quality $(ARGS)

clean: ## Remove what the targets made; loaded model weights stay
	@rm -rf .venv dist build htmlcov .coverage .coverage.* .hypothesis \
	  .pytest_cache .mypy_cache .ruff_cache .import_linter_cache
	@find brain tests .ci -name __pycache__ -type d -prune -exec rm -rf {} +
