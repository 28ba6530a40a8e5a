# `make` sets everything up; `make help` lists the rest. PYTHON=python3.12 picks an interpreter.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all dev demo test soak parity bench lint format wheel-test clean distclean help

VENV := .venv
PY := $(VENV)/bin/python
LINK := .ns/rulewright
# What the environment was installed from; it lies inside, so it goes when the environment goes.
READY := $(VENV)/.ready

export PYTHON
export PIP_DISABLE_PIP_VERSION_CHECK := 1

all: dev ## set up .venv with everything
	@echo "Ready. Try: make demo, make test, $(VENV)/bin/rulewright --help"

dev: $(READY) $(LINK) ## the same, quietly: .venv and the link .ns/rulewright -> ..

$(PY):
	@.ci/venv $(VENV)

$(READY): pyproject.toml | $(PY)
	$(PY) -m pip install --quiet --editable '.[dev]'
	@touch $@

# mypy and import-linter look for a folder called rulewright: this is it.
$(LINK):
	@mkdir -p $(@D)
	@ln -sfn .. $@

demo: dev ## check the games, play a batch of each, draw them into out/
	$(PY) -m rulewright.cli demo --out out

test: dev ## the tests, with samples where the full figure takes long
	$(PY) -m pytest -n auto -q

# The games over every setting come by themselves: each uses all processors, and tells how it went.
soak: dev ## the tests with the full figures, and random games over every setting of each game
	@failed=; \
	RULEWRIGHT_SOAK=1 $(PY) -m pytest -n auto -q --ignore=tests/games/test_soak.py || failed=yes; \
	RULEWRIGHT_SOAK=1 $(PY) -m pytest -q -s tests/games/test_soak.py || failed=yes; \
	[ -z "$$failed" ]

# Its modules are of settings that hardly anybody plays: they are not for the cache.
parity: dev ## both machines play the same games and are compared, for 30 s or GAMES=1000 of each
	@RULEWRIGHT_CACHE= $(PY) -m rulewright.playtest.parity $(if $(GAMES),--games $(GAMES),--seconds 30)

bench: dev ## measure; figures are printed, never judged
	@found=; for file in bench/bench_*.py; do \
		[ -e "$$file" ] || continue; \
		found=yes; echo "== $$file"; $(PY) "$$file" || exit 1; \
	done; [ -n "$$found" ] || echo "bench/ has no bench_*.py yet"

lint: dev ## style, types, directions of imports
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	PYTHONPATH=.ns $(VENV)/bin/lint-imports --no-logo

format: dev ## put style right where that can be done by itself
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

wheel-test: dev ## build the wheel, install it elsewhere, use it
	.ci/wheel-test

clean: ## remove what was made, except .venv
	rm -rf build dist out ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name .venv -prune -o -name .git -prune -o -type d -name __pycache__ -exec rm -rf {} +

distclean: clean ## remove .venv and .ns too
	rm -rf $(VENV) .ns

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 20
