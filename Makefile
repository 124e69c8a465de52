# `make run` and `make test` need nothing but Python 3.11, git and make: they set up what is missing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
UV_PIN := uv==0.13.8
APP ?= ihatemoney
OUT ?= data/runs/default
DEBIAN := chromium-headless-shell libatomic1 libgomp1 fonts-noto-cjk fonts-noto-core fontconfig libfaketime

# uv reads none of pip's settings, so they are handed over.
ifdef PIP_FIND_LINKS
export UV_FIND_LINKS ?= $(PIP_FIND_LINKS)
endif
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX ?= $(PIP_INDEX_URL)
endif
ifdef PIP_CERT
export SSL_CERT_FILE ?= $(PIP_CERT)
endif

.PHONY: help run test setup setup-desktop check fmt bench-spine bench-desktop bench-web

help: ## Show this list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

run: setup ## Make the default run: proven tasks on ihatemoney, English and Chinese, under data/runs/default.
	@$(BIN)/groundsmith run --out $(OUT)

test: setup ## Run all tests, one real app in a real browser among them (loopback only).
	@$(BIN)/python -m pytest -q

setup: $(VENV)/.packages $(VENV)/.machine $(VENV)/.model $(VENV)/.app ## Set up everything; quick when it is done.
	@:

setup-desktop: $(VENV)/.packages ## Install the desktop programs of all recipes and generate their locales.
	@$(BIN)/python -m crawlers.desktop.setup $(APPS)

check: $(VENV)/.packages ## Format, lint, types, layers and the fast tests.
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -q -m 'not slow'

fmt: $(VENV)/.packages ## Format the sources and mend what ruff can mend.
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

bench-spine: setup ## Measure a fresh run of one app: make bench-spine [APP=trac].
	@$(BIN)/python tests/benchmarks/bench_spine.py --app $(APP)

bench-desktop: setup setup-desktop ## Measure desktop programs: make bench-desktop [APPS="mousepad gedit"].
	@$(BIN)/python tests/benchmarks/bench_desktop.py $(APPS)

bench-web: setup ## Measure the web crawler beside others: make bench-web [ARGS="--part versus --app trac"].
	@$(BIN)/python tests/benchmarks/bench_web.py $(ARGS)

$(VENV)/.packages: pyproject.toml constraints.txt
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is needed: install it, or name it with make PYTHON=…" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
		|| { echo "$(PYTHON) is not Python 3.11: name one with make PYTHON=…" >&2; exit 2; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check $(UV_PIN)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '.[dev]'
	@touch $@

# A browser, libraries that its driver and the model server are linked with, fonts for every script, and a
# library that freezes the apps' clock.
$(VENV)/.machine: $(VENV)/.packages
	@missing=$$(for name in $(DEBIAN); do \
		dpkg-query --show --showformat='$${db:Status-Status}\n' $$name 2>/dev/null | grep -qx installed || printf '%s ' $$name; \
	done); \
	if [[ -n $$missing && $$(id -u) == 0 ]] && command -v apt-get >/dev/null; then \
		export DEBIAN_FRONTEND=noninteractive; \
		apt-get -qq -o DPkg::Lock::Timeout=300 update; \
		for name in $$missing; do \
			apt-get -qq -y --no-install-recommends -o DPkg::Lock::Timeout=300 install $$name >/dev/null || true; \
		done; \
	elif [[ -n $$missing ]]; then \
		echo "These are missing; on Debian or Ubuntu, as root: apt-get install $$missing" >&2; \
	fi; \
	$(BIN)/groundsmith doctor --browser >/dev/null 2>&1 || $(BIN)/playwright install chromium || { \
		echo "No browser: install Chromium (Debian: apt-get install chromium-headless-shell) and run make again." >&2; exit 2; }
	@touch $@

# Without the model file the template writer does: no reason to stop.
$(VENV)/.model: $(VENV)/.packages
	@if $(BIN)/python -m pipeline.models.files; then touch $@; fi

# The default app, so that tests need no network.
$(VENV)/.app: $(VENV)/.machine
	@$(BIN)/groundsmith doctor --app ihatemoney >/dev/null
	@touch $@
