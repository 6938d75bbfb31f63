# The front door. `make` lists the targets; every one sets up what it needs.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
MAKEFLAGS += --no-builtin-rules --warn-undefined-variables
.DELETE_ON_ERROR:
.SUFFIXES:
.DEFAULT_GOAL := help

JOBS := $(shell nproc)
PYTHON := .venv/bin/python
unexport PYTHON # make would hand it on in the place of a PYTHON of the caller, and .venv cannot make itself
# ISA=native: built for this machine; ISA=portable: the same bytes on every x86-64-v3 machine.
ISA ?= native
ifneq ($(words $(filter native portable,$(ISA)))/$(words $(ISA)),1/1)
  $(error ISA=$(ISA): expected native or portable)
endif
PRESET := $(if $(filter portable,$(ISA)),portable,release)
BIN := build/$(PRESET)/bin
export HMMLT_REVISION := $(shell git describe --always --dirty 2>/dev/null || echo unknown)

demo_raw := # what data sets add: raw data of the demo, which come while the stages compile
include pipelines/rules.mk
include $(wildcard datasets/*/dataset.mk experiments/*/experiment.mk)

.PHONY: help setup setup-test stages build test test-all lint check-headers check-conan test-unit test-slow test-asan test-golden test-tsan test-slurm torture fuzz validate bench bench-peers bench-compare bench-instructions profile datasets synthetic-data new-experiment new-stage lock clean distclean

# What the experiments cost on two cores after the build, wall time and disk; `make help` prints it.
COSTS := demo 1 to 2 minutes, 0.3 GB; paper 85 minutes, 2.7 GB; replication at a tenth of the length 2 hours and 14 GB; cocktail 45 minutes, 0.8 GB; \
    synthetic 7 minutes, 0.2 GB; chorales 35 minutes, 1.7 GB; beyond 11 minutes, 0.4 GB

help: ## list the targets
	@echo "hmmlt: infinite hidden Markov models whose transitions prefer similar states"
	@echo
	@awk -F ':.*## ' -v costs="$(COSTS)" 'BEGIN { n = split(costs, rows, /; /); for (i = 1; i <= n; ++i) { \
	    name = rows[i]; sub(/ .*/, "", name); sub(/^[^ ]* /, "", rows[i]); cost[name] = " (" rows[i] ")" } } \
	    /^[a-z0-9_-]+:.*## / { printf "  %-14s %s%s\n", $$1, $$2, cost[$$1] }' $(MAKEFILE_LIST)

setup: ## install what the stages and reports need and is missing: Debian packages and .venv (as root or with sudo)
	@tools/setup.sh

setup-test: ## install what is missing for tests and benchmarks too
	@tools/setup.sh test

stages: setup ## compile the stages alone, all that experiments run, as `make build` does
	@$(call cmake-build,$(PRESET),stages)

build: setup-test ## compile everything for this machine into build/release; ISA=portable: for all, into build/portable
	@$(call cmake-build,$(PRESET),all)

# A configured and built preset: $(call cmake-build,preset,target). A build made in another folder is started afresh.
define cmake-build
{ grep -qsxF "CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)" build/$(1)/CMakeCache.txt || rm -rf build/$(1); } && \
cmake --preset $(1) --log-level=WARNING > /dev/null && cmake --build --preset $(1) --parallel $(JOBS) --target $(2)
endef

test: ## what to run before each commit: lint, the release build and its tests (10 minutes cold, 4 on a built tree)
	@tools/run_phases.sh setup-test lint build test-unit

test-all: ## what is slower than `make test`, and CI runs after it: sanitizers, golden bytes, mutants and more (30 minutes)
	@tools/run_phases.sh setup-test check-headers check-conan build test-slow test-asan test-golden

# $(call run-tests,preset,options): the tests that options select, timed for tools/run_phases.sh.
run-tests = @ctest --preset $(1) --parallel $(JOBS) --output-junit "$(CURDIR)/build/test-results/$@/$(1).xml" $(2)

lint: setup-test ## direction of includes, formatting, links and the example of the docs, what READMEs take from reports
	@tools/lint.sh

check-headers: setup ## every header compiles alone
	@$(call cmake-build,release,headers)

check-conan: setup-test ## conanfile.txt resolves, and CMake configures with Conan's toolchain (no network)
	@tools/check_conan.sh

# The label `slow`, given where a test is declared, is all that tells the tests of `make test` from the rest.
test-unit: build ## the tests of `make test`: all of the release build but those labelled slow
	$(call run-tests,$(PRESET),--label-exclude '^slow$$')

test-slow: build ## the tests of the release build that are labelled slow
	@$(PYTHON) pipelines/tests/one_node_slurm.py --check
	$(call run-tests,$(PRESET),--label-regex '^slow$$')

test-asan: setup-test ## unit tests under the address and undefined-behaviour sanitizers
	@$(call cmake-build,asan,hmmlt-core-tests hmmlt-parts-tests hmmlt-io-tests hmmlt-chorales-tests hmmlt-import-tests hmmlt-pascal-tests hmmlt-train-tests)
	$(call run-tests,asan,--label-regex '^unit$$')

test-golden: setup-test ## the portable build gives the same bytes as ever
	@$(call cmake-build,portable,hmmlt-golden-tests)
	$(call run-tests,portable,--label-regex '^golden$$')

test-tsan: setup-test ## the tests with threads under the thread sanitizer
	@$(call cmake-build,tsan,hmmlt-core-tests)
	@ctest --preset tsan --parallel $(JOBS) --tests-regex 'threads|stream'

torture: build test-slurm ## kill -9 a training chain at 50 random moments, then test-slurm: the same bytes (5 minutes)
	@HMMLT_KILLS=50 $(PYTHON) pipelines/tests/train_test.py $(BIN) Train.test_killed_at_any_moment_it_goes_on_to_the_same_bytes

test-slurm: build ## the same make on a real Slurm of one node: cancelled, requeued, out of time, a dead node (5 minutes; root)
	@tools/setup.sh test slurm
	@HMMLT_SLURM=long $(PYTHON) pipelines/tests/slurm_test.py $(BIN)

FUZZ_SECONDS := 60
fuzz: ## broken input for every reader of foreign files: FUZZ_SECONDS=60 in total (installs clang on first use)
	@tools/setup.sh fuzz
	@$(call cmake-build,fuzz,hmmlt-fuzzers)
	@pipelines/fuzz/run.sh $(FUZZ_SECONDS)

validate: build ## all referees at full length, every mutant must die; rewrites validation/ (about an hour on 2 free cores)
	@status=0; $(BIN)/hmmlt-validate --out validation --keep build/validate --threads $(JOBS) || status=$$?; \
	$(PYTHON) reports/picture_of_validation.py --tables validation; exit $$status

# BENCH=quick leaves the committed results alone; with BENCH=full they are the reference run.
BENCH := full
BENCH_OUT := $(if $(filter full,$(BENCH)),benchmarks/results,build/bench)
bench: build ## speed next to this machine's limits: tables and bench.html (6 minutes on a free machine; BENCH=quick: 1)
	@$(PYTHON) benchmarks/bench.py --bin $(BIN) --suite $(BENCH) --out $(BENCH_OUT)

bench-peers: build ## hmmlearn, dynamax and jax-moseq on the same shapes (4 minutes; first installs 700 MB into build/peers)
	@$(PYTHON) benchmarks/peers/run_peers.py --bin $(BIN) --env build/peers --out $(BENCH_OUT)

bench-mixing: build ## effective draws per second of the beam and of the full pass at J = 100, 400, 600, onto the page (9 minutes)
	@$(PYTHON) benchmarks/mixing.py --bin $(BIN) --work build/mixing --out $(BENCH_OUT) --jobs $(JOBS)

BASE :=
ROUNDS := 3
bench-compare: build ## what this tree changed against BASE=<revision>: both in turns, ROUNDS=3 (a build, then 4 minutes)
	@test -n "$(BASE)" || { echo "bench-compare: give the revision to compare with, e.g. make bench-compare BASE=main" >&2; exit 64; }
	@benchmarks/compare.sh $(BASE) $(ROUNDS)

bench-instructions: setup-test ## instructions of one sweep of each kind against the recorded ones (a build, then a minute; valgrind)
	@tools/setup.sh test bench
	@$(call cmake-build,portable,hmmlt-bench)
	@$(PYTHON) benchmarks/instructions.py --bin build/portable/bin --out benchmarks/results/instructions.csv

SWEEP := single/lt
SHAPE := T=2000 J=600 live
profile: build ## where a sweep spends its time: blocks, then functions; SWEEP=single/lt SHAPE='T=2000 J=600 live' (perf)
	@tools/setup.sh test bench
	@$(PYTHON) benchmarks/show_profile.py --bin $(BIN) --sweep $(SWEEP) --shape '$(SHAPE)'

# Each experiment is a target, and so are these collections of runs, those with the longest chains first. Their chains are
# trained, compared and scored, then summarised and reported; what is there already is kept, and a chain goes on where it
# was interrupted. `make -n paper` is the plan; LENGTH=half or tenth divides every number of sweeps.
demo: ## all three experiments, small, to reports/demo: what the paper's effect looks like
paper: ## the paper's experiments at its own scale, 120 chains, to reports/paper
replication: ## more data sets, both samplers, fixed and sampled lambda, 770 chains, to reports/replication; LENGTH=full, half, tenth
EXPERIMENTS := $(patsubst experiments/%/experiment.mk,%,$(wildcard experiments/*/experiment.mk))
demo_runs := $(foreach experiment,$(EXPERIMENTS),$(call optional,$(experiment)_demo_runs))
paper_runs := $(foreach experiment,cocktail chorales synthetic,$(call optional,$(experiment)_runs))
replication_runs := $(foreach experiment,cocktail chorales synthetic,$(call optional,$(experiment)_replication_runs))

# Data first: a chain that waits for its data loses its place in the order. A -j of the caller holds for all.
parallel = $(if $(filter -j%,$(MAKEFLAGS)),,--jobs $(JOBS))
.PHONY: demo paper replication report $(EXPERIMENTS)
paper replication $(EXPERIMENTS): stages
	@$(MAKE) --no-print-directory run NAME=$@
# The demo says one line for each phase.
demo:
	+@tools/show_phases.sh build/demo set-up=setup 'build=--jobs 2 stages demo-raw' \
	    'data=run-data NAME=demo' 'chains=run-chains NAME=demo' 'report=run-report NAME=demo'

# All that follows from the programs that are there, for the runs of NAME=demo, paper, ...
NAME :=
.PHONY: run run-data run-chains run-report demo-raw
run:
	@$(MAKE) --no-print-directory run-data NAME=$(NAME)
	@$(MAKE) --no-print-directory run-chains NAME=$(NAME)
	@$(MAKE) --no-print-directory run-report NAME=$(NAME)
run-data:
	@$(MAKE) --no-print-directory $(parallel) $(call data-of,$(planned-runs))
run-chains:
	@$(MAKE) --no-print-directory $(parallel) $(call tables-of,$(planned-runs))
demo-raw: setup $(demo_raw)

# A report that is there is written anew only if something changed that it is made of; what was said with it is said again.
reported = $(STAMPS)/reported-$(NAME)
run-report: $(reported)
	@cat $<
newer-tables = $(shell find $(wildcard $(call tables-of,$(planned-runs))) -newer $(reported) -print -quit 2> /dev/null)
$(reported): $$(if $$(wildcard $$(report-of)/index.html),$$(if $$(newer-tables),always),always) .venv/pyvenv.cfg \
    $(wildcard reports/*.py reports/hmmlt_report/*.py reports/hmmlt_report/templates/* experiments/*/*.* experiments/*/*/*.*)
	@$(MAKE) --no-print-directory report NAME=$(NAME) > $@.partial
	@mv $@.partial $@
.PHONY: always
always:

complete-runs = $(strip $(foreach run,$(call optional,$(NAME)_runs),\
    $(if $(filter 2,$(words $(wildcard $(call tables-of,$(run))))),$(RESULTS)/$(run))))
packed-runs = $(strip $(foreach run,$(call optional,$(NAME)_runs),$(call packed,$(run))))
# A report of shortened chains lies apart; but reports/replication is the one place for that, and says how long chains are.
report-of = reports/$(NAME)$(if $(filter-out replication,$(NAME)),$(patsubst results%,%,$(RESULTS)))
planned-runs = $(call optional,$(NAME)_runs)
report: complete-runs setup ## write reports/NAME anew from those runs of NAME that are complete: NAME=demo, paper, replication, an experiment
	@$(if $(packed-runs),echo "make report: the chains of $(words $(packed-runs)) runs are packed: make unpack NAME=$(NAME) \
	first" >&2; exit 65)
	$(file > $(STAMPS)/planned-$(NAME),$(foreach run,$(planned-runs),$(run)$(newline)))
	@$(PYTHON) reports/hmmlt_report.py --name $(NAME) --results $(RESULTS) --runs $(complete-runs) \
	    --planned $(STAMPS)/planned-$(NAME) --out $(report-of)
	@$(PYTHON) reports/summary_of_runs.py --results $(RESULTS) --runs $(complete-runs)
	@echo "The report: $(CURDIR)/$(report-of)/index.html"

.PHONY: complete-runs readme
complete-runs:
	@test -n "$(planned-runs)" || { echo "make report: NAME=$(NAME): expected demo, paper, replication or one of \
	$(EXPERIMENTS)" >&2; exit 64; }
	@test -n "$(complete-runs)" || { echo "make report: no run of $(NAME) is complete in $(RESULTS) yet; make $(NAME)$(if \
	$(filter-out full,$(LENGTH)), LENGTH=$(LENGTH)) runs them, and then writes the report" >&2; exit 74; }

# Reports are committed, their chains are not: whether this tree would still give the same ones, one chain of each run tells.
CHAIN := 0
.PHONY: check-report
check-report: chain-of-runs stages ## CHAIN=0 of every run of NAME=paper, as this tree trains it: are its numbers those of reports/NAME? (paper: 20 minutes)
	@$(MAKE) --no-print-directory $(parallel) $(call data-of,$(planned-runs))
	@$(MAKE) --no-print-directory $(parallel) \
	    $(foreach run,$(planned-runs),$(if $(filter $(CHAIN),$(call chain-setting,$(run),chains)),$(RESULTS)/$(run)/chain-$(CHAIN)/provenance.json))
	@$(PYTHON) reports/check_report.py --report $(report-of) --results $(RESULTS) --runs $(addprefix $(RESULTS)/,$(planned-runs)) --chain $(CHAIN)

.PHONY: chain-of-runs
chain-of-runs:
	@test -n "$(planned-runs)" || { echo "make check-report: NAME=$(NAME): expected paper, replication or one of \
	$(EXPERIMENTS)" >&2; exit 64; }
	@test -n "$(filter $(CHAIN),$(foreach run,$(planned-runs),$(call chain-setting,$(run),chains)))" || \
	{ echo "make check-report: CHAIN=$(CHAIN): no run of $(NAME) has such a chain" >&2; exit 64; }
	@test -e $(report-of)/chains.parquet || { echo "make check-report: $(report-of)/chains.parquet: expected a table \
	there, found none" >&2; exit 74; }

README := README.md reports/README.md
readme: setup ## put what README.md and reports/README.md take from the report that they name into them; README=another
	@$(PYTHON) tools/readme_headline.py $(README)

# A line per chain, folder and sweeps; through a file, since there may be thousands.
chain-lines = $(foreach run,$(call optional,$(NAME)_runs),$(foreach k,$(call chain-setting,$(run),chains),\
    $(RESULTS)/$(run)/chain-$(k) $(call chain-length,$(run),sweeps)$(newline)))
.PHONY: queue
queue: setup ## how far the chains of NAME=demo, paper, ... are: done, running (sweep, speed, time left), failed, waiting
	@test -n "$(call optional,$(NAME)_runs)" || { echo "make queue: NAME=$(NAME): expected demo, paper, replication or one \
	of $(EXPERIMENTS)" >&2; exit 64; }
	$(file > $(STAMPS)/queue-$(NAME),$(chain-lines))
	@$(PYTHON) pipelines/cluster/show_queue.py --chains $(STAMPS)/queue-$(NAME)

.PHONY: pack unpack
pack: ## the finished chains of NAME=demo, paper, ... as one file per model, where many small files hurt
unpack: ## and back again, byte for byte
pack unpack: setup
	@test -n "$(call optional,$(NAME)_runs)" || { echo "make $@: NAME=$(NAME): expected demo, paper, replication or one \
	of $(EXPERIMENTS)" >&2; exit 64; }
	$(file > $(STAMPS)/queue-$(NAME),$(chain-lines))
	@$(PYTHON) pipelines/cluster/pack_chains.py $@ --chains $(STAMPS)/queue-$(NAME) --results $(RESULTS) --stamps $(STAMPS)

new-experiment: setup ## a working folder experiments/NAME to start from: make new-experiment NAME=mine
	@$(PYTHON) tools/new.py experiment "$(NAME)"

new-stage: setup-test ## a stage executable hmmlt-NAME with its rule, test and table row: make new-stage NAME=count
	@$(PYTHON) tools/new.py stage "$(NAME)"

datasets: stages ## all prepared tables and a picture of each data set (2 minutes after the build; fetches 16 MB)
	@$(MAKE) --no-print-directory cocktail-data chorales-data synthetic-data

lock: setup ## pin tools/requirements*.in and their dependencies, with hashes, in tools/requirements*.txt (minutes)
	@tools/lock.sh

clean: ## remove builds and logs
	rm -rf build

distclean: clean ## also remove the Python environment, all prepared data and all results
	rm -rf .venv results results-* datasets/*/raw datasets/*/prepared
