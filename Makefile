# The chores of Tieout. `make` alone lists them.
# Rust and a C compiler are enough for everything but `test`, `e2e` and `screenshots`,
# which install what they miss from Debian's packages and the npm registry.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

LISTEN ?= 127.0.0.1:3000
DATA ?= data
DEMO_DATA ?= target/demo
TIEOUT := cargo run --release -p server --

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: bundle ## build, then serve on SQLite in ./data; prints the address and the one-time set-up link
	$(TIEOUT) serve --data-dir "$(DATA)" --database "sqlite://$(DATA)/tieout.db" --listen "$(LISTEN)"

.PHONY: demo
demo: bundle ## the same with a fresh demo data set in ./target/demo
	rm -rf "$(DEMO_DATA)"
	mkdir -p "$(DEMO_DATA)"
	$(TIEOUT) demo --data-dir "$(DEMO_DATA)" --database "sqlite://$(DEMO_DATA)/tieout.db"
	$(TIEOUT) serve --data-dir "$(DEMO_DATA)" --database "sqlite://$(DEMO_DATA)/tieout.db" --listen "$(LISTEN)"

.PHONY: test
test: ## everything CI runs: format, lint, tests on both databases, browser journeys
	xtask/scripts/test.sh

.PHONY: bench
bench: ## the main job at size, on both databases (docs/benchmarks.md)
	TIEOUT_POSTGRES_OPTIONS="-c shared_buffers=1GB -c max_wal_size=8GB" \
		xtask/scripts/with-postgres.sh xtask/scripts/bench.sh

.PHONY: fmt
fmt: ## format the Rust code
	cargo fmt --all

.PHONY: lint
lint: ## format check and clippy, for the host and for the browser
	xtask/scripts/test.sh fmt clippy clippy-wasm

.PHONY: bundle
bundle: ## build the browser bundle into ./site (skipped when nothing changed)
	cargo run -p xtask -- bundle

.PHONY: e2e
e2e: ## only the browser journeys
	xtask/scripts/test.sh setup bundle build journeys

.PHONY: screenshots
screenshots: ## pictures of every page of a demo instance, two widths, light and dark
	xtask/scripts/test.sh setup bundle build screenshots

.PHONY: clean
clean: ## remove what was built (keeps ./data)
	cargo clean
	rm -rf site end2end/node_modules end2end/test-results
