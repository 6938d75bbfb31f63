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
include $(wildcard datasets/*/dataset.mk experiments/*/experiment.mk)

.PHONY: help setup build test demo lint check-conan test-unit test-asan test-golden test-tsan torture fuzz validate bench bench-peers bench-compare bench-instructions profile datasets synthetic-data lock clean distclean

help: ## list the targets
	@echo "hmmlt: infinite hidden Markov models whose transitions prefer similar states"
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is missing: Debian packages, then .venv (as root or with sudo)
	@tools/setup.sh

build: setup ## compile everything for this machine into build/release
	@$(call cmake-build,release,all)

# A configured and built preset: $(call cmake-build,preset,target). A build made in another folder is started afresh.
define cmake-build
{ grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)" build/$(1)/CMakeCache.txt || rm -rf build/$(1); } && \
cmake --preset $(1) --log-level=WARNING > /dev/null && cmake --build --preset $(1) --parallel $(JOBS) --target $(2)
endef

test: setup ## everything a change must pass: lint, release, sanitizers, golden bytes
	@for goal in lint check-conan test-unit test-asan test-golden; do $(MAKE) --no-print-directory $$goal; done

lint: setup ## direction of includes, formatting, every header compiles alone
	@tools/lint.sh
	@$(call cmake-build,release,all_verify_interface_header_sets)

check-conan: setup ## conanfile.txt resolves, and CMake configures with Conan's toolchain (no network)
	@tools/check_conan.sh

test-unit: build ## all fast tests on the release build
	@ctest --preset release --parallel $(JOBS)

test-asan: setup ## unit tests under the address and undefined-behaviour sanitizers
	@$(call cmake-build,asan,hmmlt-core-tests hmmlt-io-tests hmmlt-chorales-tests hmmlt-import-tests hmmlt-pascal-tests)
	@ctest --preset asan --parallel $(JOBS) --label-regex '^unit$$'

test-golden: setup ## the portable build gives the same bytes as ever
	@$(call cmake-build,portable,hmmlt-golden-tests)
	@ctest --preset portable --parallel $(JOBS) --label-regex '^golden$$'

test-tsan: setup ## the tests with threads under the thread sanitizer
	@$(call cmake-build,tsan,hmmlt-core-tests)
	@ctest --preset tsan --parallel $(JOBS) --tests-regex 'threads|stream'

torture: build ## kill -9 a training chain at 50 random moments and compare its bytes (3 minutes)
	@HMMLT_KILLS=50 $(PYTHON) pipelines/tests/train_test.py $(BIN) Train.test_killed_at_any_moment_it_goes_on_to_the_same_bytes

FUZZ_SECONDS := 60
fuzz: ## broken input for every reader of foreign files: FUZZ_SECONDS=60 in total (installs clang on first use)
	@tools/setup.sh tools/debian-packages-fuzz.txt
	@$(call cmake-build,fuzz,hmmlt-fuzzers)
	@pipelines/fuzz/run.sh $(FUZZ_SECONDS)

validate: build ## all referees at full length, every mutant must die; rewrites validation/ (20 minutes on 2 free cores)
	@status=0; $(BIN)/hmmlt-validate --out validation --threads $(JOBS) || status=$$?; \
	$(PYTHON) reports/picture_of_validation.py --tables validation; exit $$status

# BENCH=quick leaves the committed results alone; with BENCH=full they are the reference run.
BENCH := full
BENCH_OUT := $(if $(filter full,$(BENCH)),benchmarks/results,build/bench)
bench: build ## speed next to this machine's limits: tables and bench.html (6 minutes on a free machine; BENCH=quick: 1)
	@$(PYTHON) benchmarks/bench.py --bin $(BIN) --suite $(BENCH) --out $(BENCH_OUT)

bench-peers: build ## hmmlearn, dynamax and jax-moseq on the same shapes (4 minutes; first installs 700 MB into build/peers)
	@$(PYTHON) benchmarks/peers/run_peers.py --bin $(BIN) --env build/peers --out $(BENCH_OUT)

BASE :=
ROUNDS := 3
bench-compare: build ## what this tree changed against BASE=<revision>: both in turns, ROUNDS=3 (a build, then 4 minutes)
	@test -n "$(BASE)" || { echo "bench-compare: give the revision to compare with, e.g. make bench-compare BASE=main" >&2; exit 64; }
	@benchmarks/compare.sh $(BASE) $(ROUNDS)

bench-instructions: setup ## instructions of one sweep of each kind against the recorded ones (a build, then a minute; valgrind)
	@tools/setup.sh tools/debian-packages-bench.txt
	@$(call cmake-build,portable,hmmlt-bench)
	@$(PYTHON) benchmarks/instructions.py --bin build/portable/bin --out benchmarks/results/instructions.csv

SWEEP := single/lt
SHAPE := T=2000 J=600 live
profile: build ## where a sweep spends its time: blocks, then functions; SWEEP=single/lt SHAPE='T=2000 J=600 live' (perf)
	@tools/setup.sh tools/debian-packages-bench.txt
	@$(PYTHON) benchmarks/show_profile.py --bin $(BIN) --sweep $(SWEEP) --shape '$(SHAPE)'

DEMO := $(addprefix results/synthetic/demo/set-1/,hdp_hmm/blocked lt/blocked)
demo: build ## synthetic data, two chains of two models each, diagnosed and scored (a minute after the build)
	@$(MAKE) --no-print-directory datasets/synthetic/prepared/set-1/data.png
	@$(MAKE) --no-print-directory --jobs $(JOBS) $(addsuffix /diagnostics/diagnostics.parquet,$(DEMO)) \
	    $(addsuffix /evaluation/evaluation.parquet,$(DEMO))
	@echo "The picture of the data: datasets/synthetic/prepared/set-1/data.png; all tables: results/synthetic/demo/"

datasets: build ## all prepared tables and a picture of each data set (2 minutes after the build; fetches 16 MB)
	@$(MAKE) --no-print-directory cocktail-data chorales-data synthetic-data

lock: setup ## pin tools/requirements.in and its dependencies, with hashes, in tools/requirements.txt (minutes)
	@tools/lock.sh

clean: ## remove builds
	rm -rf build

distclean: clean ## also remove the Python environment, all prepared data and all results
	rm -rf .venv results datasets/*/raw datasets/*/prepared
