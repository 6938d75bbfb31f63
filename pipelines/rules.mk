# One rule per stage: what it reads, what it writes. The path of a result says how it is made: pipelines/levels.mk.
include pipelines/levels.mk
include pipelines/cluster/executor.mk
STAMPS := $(RESULTS)/.stamps
$(shell tools/stamps.sh $(STAMPS) $(BIN))
export HMMLT_PROGRESS := lines

.SECONDEXPANSION:

# A stage's executable that is missing is built; `make stages` keeps those that are there up to date.
$(BIN)/hmmlt-%:
	@$(call cmake-build,$(PRESET),hmmlt-$*)

# What a rule depends on, by content where that is known, and otherwise on what has to be made first.
stamp-or = $(or $(wildcard $(STAMPS)/$(1).sha256),$(2))
program = $(call stamp-or,bin/hmmlt-$(1),$(BIN)/hmmlt-$(1))
config = $(call stamp-or,$(1),$(1))
data = $(call stamp-or,$(1),$(1)/provenance.json)

# The flags as a stamp: rewritten, while make looks for the chain, only if they have changed. Each has a directory of its
# own: make remembers what it saw in a directory. No shell is started for one that is as it was: chains are many. GNU Make
# 4.3 now and then reads the last newline too, hence the strip: such a stamp would be new each time, and its chain run again.
keep-text = $(if $(subst <$(2),,<$(strip $(file < $(1)))),$(shell mkdir -p $(dir $(1)))$(file > $(1),$(2)))$(1)
chain-flags-stamp = $(call keep-text,$(STAMPS)/$(1)/flags,$(strip $(call chain-flags,$(1))))
chain-needs = $(call program,train) $(call config,$(call chain-model,$(1))) $(call data,$(call chain-data,$(1))) \
    $(call chain-flags-stamp,$(1))

# One chain. provenance.json is written last: a directory that has it is complete. A chain that was cut short goes on;
# one that was begun with other settings, data or another program begins anew.
.PRECIOUS: $(RESULTS)/%/provenance.json
$(RESULTS)/%/provenance.json: $$(call chain-needs,$$*)
	@mkdir -p $(@D)
	@$(call on,train,$*,$(@D))$(BIN)/hmmlt-train --data $(call chain-data,$*) --model $(call chain-model,$*) $(call chain-flags,$*) \
	    --out $(@D) --restart different
	@touch $@

# All chains of a model, compared, and pooled to score the test data: <experiment>/<variant>/<data>/<model>/<sampler>. What
# the stages say to people lies beside the tables, as text.
data-of = $(sort $(foreach run,$(1),$(call chain-data,$(run))/provenance.json))
tables-of = $(foreach run,$(1),$(addprefix $(RESULTS)/$(run)/,diagnostics/diagnostics.parquet evaluation/evaluation.parquet))
chains-of = $(foreach k,$(call chain-setting,$(1),chains),$(RESULTS)/$(1)/chain-$(k))
# Chains that `make pack` made one file of are done and stay as they are; a stage that would read them says so.
packed = $(wildcard $(RESULTS)/$(1)/chains.tar)
chain-marks = $(or $(packed),$(addsuffix /provenance.json,$(chains-of)))
chains-to-read = $(if $(packed),$(error $(packed): packed chains cannot be read: make unpack first),$(chains-of))
.PRECIOUS: $(RESULTS)/%/diagnostics/diagnostics.parquet $(RESULTS)/%/evaluation/evaluation.parquet
$(RESULTS)/%/diagnostics/diagnostics.parquet: $$(call program,diagnose) $$(call chain-marks,$$*)
	@mkdir -p $(@D)
	@$(call on,diagnose,$*,$(@D))$(BIN)/hmmlt-diagnose --chains $(call chains-to-read,$*) --out $(@D) > $(@:.parquet=.txt)
$(RESULTS)/%/evaluation/evaluation.parquet: $$(call program,evaluate) $$(call chain-marks,$$*)
	@mkdir -p $(@D)
	@$(call on,evaluate,$*,$(@D))$(BIN)/hmmlt-evaluate --data $(call chain-data,$*) --chains $(call chains-to-read,$*) \
	    --out $(@D) > $(@:.parquet=.txt)

synthetic-data: stages ## draw three synthetic data sets and their pictures (seconds)
	@$(MAKE) --no-print-directory $(foreach seed,1 2 3,datasets/synthetic/prepared/set-$(seed)/data.png)

# Synthetic data, drawn from the model of experiments/synthetic: one set per seed.
.PRECIOUS: datasets/synthetic/prepared/set-%/provenance.json
datasets/synthetic/prepared/set-%/provenance.json: $(call program,generate) \
    $(call config,experiments/synthetic/data/hdp_hmm.toml)
	@$(call on,generate,$(@D),$(@D))$(BIN)/hmmlt-generate --model experiments/synthetic/data/hdp_hmm.toml --seed $* --out $(@D)

datasets/synthetic/prepared/%/data.png: datasets/synthetic/prepared/%/provenance.json reports/picture_of_data.py
	@$(PYTHON) reports/picture_of_data.py --data $(<D) --out $@
