# What a path says. Factor levels are path segments,
#
#   results/<experiment>/<variant>/<data>/<model>/<sampler>/chain-<k>/
#
# where <model> may carry levels of its own, <model>-<level>-<value>: lt-lambda-5, hdp_hmm-start-truth. What an experiment
# says about them stands in experiments/<experiment>/experiment.mk:
#
#   <scope>_sweeps, _burn_in, _record_every, _draws_every    lengths, in sweeps
#   <scope>_seed, _chains                         seed; numbers of the chains that are compared and pooled
#   <scope>_set                                   --set overrides of the model file
#   <experiment>_level_<level>                    function of a level's value: the --set overrides it stands for
#   <experiment>_data                             function of (variant, data): the data directory
#   <experiment>_runs, _demo_runs, _replication_runs    what `make <experiment>`, `demo` and `replication` run
#   experiments/<experiment>/models/<model>.toml  the model
#
# A scope is <experiment>, <experiment>_<variant>, <experiment>_level_<level> or <experiment>_<variant>_<model>: of one
# setting the last one that is there holds; overrides add up in this order, and those of the levels' values come last.

# LENGTH divides every number of sweeps, rounding up, so that a run has as many records and draws at any length. Results
# of each length have a folder of their own.
LENGTH ?= full
lengths := full/1 half/2 tenth/10
length_divisor := $(notdir $(filter $(LENGTH)/%,$(lengths)))
ifneq ($(words $(length_divisor)),1)
  $(error LENGTH=$(LENGTH): expected one of $(patsubst %/,%,$(dir $(lengths))))
endif
RESULTS := results$(addprefix -,$(filter-out full,$(LENGTH)))

# All runs of an experiment at these levels: $(call runs,experiment,variants,data,models,samplers).
runs = $(foreach variant,$(2),$(foreach data,$(3),$(foreach model,$(4),$(foreach sampler,$(5),\
    $(1)/$(variant)/$(data)/$(model)/$(sampler)))))
# Overrides that give gamma and alpha + kappa the prior Gamma(shape, rate): $(call concentrations,shape,rate).
concentrations = $(foreach prior,gamma concentration,priors.$(prior).shape=$(strip $(1)) priors.$(prior).rate=$(strip $(2)))

segment = $(word $(1),$(subst /, ,$(2)))
optional = $(if $(filter undefined,$(origin $(1))),,$($(1)))

# Of a chain, by its path under results/: <experiment>/<variant>/<data>/<model>/<sampler>/chain-<k>.
experiment-of = $(call segment,1,$(1))
experiment-file = experiments/$(call experiment-of,$(1))/experiment.mk
model-words = $(subst -, ,$(call segment,4,$(1)))
model-of = $(firstword $(model-words))
# The levels of its model as name=value.
level-pairs = $(if $(1),$(word 1,$(1))=$(word 2,$(1)) $(call level-pairs,$(wordlist 3,$(words $(1)),$(1))))
levels-of = $(call level-pairs,$(wordlist 2,$(words $(model-words)),$(model-words)))
level-function = $(or $(filter $(1)_level_$(2),$(.VARIABLES)),$(error experiments/$(1)/experiment.mk: expected \
    $(1)_level_$(2), the overrides of level $(2), found none))
level-sets = $(foreach pair,$(levels-of),$(foreach level,$(firstword $(subst =, ,$(pair))),\
    $(call $(call level-function,$(call experiment-of,$(1)),$(level)),$(patsubst $(level)=%,%,$(pair)))))
scopes = $(experiment-of) $(experiment-of)_$(call segment,2,$(1)) \
    $(foreach pair,$(levels-of),$(experiment-of)_level_$(firstword $(subst =, ,$(pair)))) \
    $(experiment-of)_$(call segment,2,$(1))_$(model-of)
defined = $(foreach scope,$(scopes),$(if $(filter undefined,$(origin $(scope)_$(2))),,$(scope)_$(2)))
chain-setting = $($(or $(lastword $(defined)),$(error $(experiment-file): expected $(experiment-of)_$(2) for $(1), found none)))
scaled = $(or $(call optional,scaled_$(1)),$(eval scaled_$(1) := \
    $(shell echo $$(( ($(1) + $(length_divisor) - 1) / $(length_divisor) ))))$(scaled_$(1)))
chain-length = $(call scaled,$(strip $(chain-setting)))
chain-data = $(call $(experiment-of)_data,$(call segment,2,$(1)),$(call segment,3,$(1)))
chain-model = experiments/$(experiment-of)/models/$(model-of).toml
chain-sets = run.sampler=$(call segment,5,$(1)) \
    $(foreach length,burn_in record_every draws_every,run.$(length)=$(call chain-length,$(1),$(length))) \
    $(foreach name,$(call defined,$(1),set),$($(name))) $(level-sets)
chain-flags = --chain $(patsubst chain-%,%,$(call segment,6,$(1))) --seed $(call chain-setting,$(1),seed) \
    --sweeps $(call chain-length,$(1),sweeps) $(addprefix --set ,$(chain-sets))
