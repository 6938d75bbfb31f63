# The front door. `make` lists the targets; every one sets up what it needs.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

JOBS := $(shell nproc)
PYTHON := .venv/bin/python
BIN := build/release/bin
export HMMLT_REVISION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

include pipelines/rules.mk

.PHONY: help setup build test demo lint check-conan test-unit test-asan test-golden test-tsan lock clean distclean

help: ## list the targets
	@echo "hmmlt: infinite hidden Markov models whose transitions prefer similar states"
	@echo
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | column -t -s $$'\t'

setup: ## install what is missing: Debian packages, then .venv (as root or with sudo)
	@tools/setup.sh

build: setup ## compile everything for this machine into build/release
	@$(call cmake-build,release,all)

# The public name of a configured and built preset: $(call cmake-build,preset,target)
define cmake-build
cmake --preset $(1) --log-level=WARNING > /dev/null && cmake --build --preset $(1) --parallel $(JOBS) --target $(2)
endef

test: setup ## everything a change must pass: lint, release, sanitizers, golden bytes
	@$(MAKE) --no-print-directory lint check-conan test-unit test-asan test-golden

lint: setup ## direction of includes, formatting, every header compiles alone
	@tools/lint.sh
	@$(call cmake-build,release,all_verify_interface_header_sets)

check-conan: setup ## conanfile.txt resolves, and CMake configures with Conan's toolchain (no network)
	@tools/check_conan.sh

test-unit: build ## all fast tests on the release build
	@ctest --preset release --parallel $(JOBS)

test-asan: setup ## unit tests of core and io under the address and undefined-behaviour sanitizers
	@$(call cmake-build,asan,hmmlt-core-tests hmmlt-io-tests)
	@ctest --preset asan --parallel $(JOBS) --label-regex '^unit$$'

test-golden: setup ## the portable build gives the same bytes as ever
	@$(call cmake-build,portable,hmmlt-golden-tests)
	@ctest --preset portable --parallel $(JOBS) --label-regex '^golden$$'

test-tsan: setup ## the tests with threads under the thread sanitizer
	@$(call cmake-build,tsan,hmmlt-core-tests)
	@ctest --preset tsan --parallel $(JOBS) --tests-regex 'threads|stream'

demo: build ## draw a small synthetic data set and its picture (seconds after the build)
	@$(MAKE) --no-print-directory results/demo/data.png
	@echo "The picture of the data: results/demo/data.png"

lock: setup ## pin tools/requirements.in and its dependencies, with hashes, in tools/requirements.txt (minutes)
	@tools/lock.sh

clean: ## remove builds
	rm -rf build

distclean: clean ## also remove the Python environment and all results
	rm -rf .venv results
