# Where a stage runs: EXECUTOR=local, here; EXECUTOR=slurm, as a job of its own, from a login node or an allocation.
# docs/cluster.md tells the whole way. What a job asks for stands in the experiment, by stage and scope (levels.mk):
#
#   <scope>_<stage>_job := cores=1 memory=2G time=12:00:00
#
# Each key has the value of the last scope that names it. What no scope names is guessed, for a chain by an estimate
# (hmmlt-train --estimate, as a job of its own, once for all chains of a model): cluster/job_size.py.
EXECUTOR ?= local
ifneq ($(words $(filter local slurm,$(EXECUTOR)))/$(words $(EXECUTOR)),1/1)
  $(error EXECUTOR=$(EXECUTOR): expected local or slurm)
endif

# $(call job-wishes,stage,path under results)
job-wishes = $(foreach name,$(call defined,$(2),$(1)_job),$($(name)))
# Where the estimate for a chain is kept, and what it rests on: $(call estimate-flags,path of the chain under results)
estimate-flags = --estimate $(STAMPS)/$(patsubst %/,%,$(dir $(1)))/estimate $(addprefix --need ,$(call program,train) \
    $(call config,$(call chain-model,$(1))) $(call data,$(call chain-data,$(1))))

# What comes before a stage's command: $(call on,stage,what it works on,the folder it writes). A chain's job has its
# name, other stages add theirs.
on = $(if $(filter slurm,$(EXECUTOR)),$(PYTHON) pipelines/cluster/slurm_job.py \
    --name $(2)$(if $(filter train,$(1)),,/$(1)) --folder $(3) $(addprefix --job ,$(job-wishes)) \
    $(if $(filter train,$(1)),$(call estimate-flags,$(2))) --$(space))
empty :=
space := $(empty) $(empty)
define newline


endef
