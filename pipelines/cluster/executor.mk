# Where a stage runs: EXECUTOR=local, here; EXECUTOR=slurm, as a job of its own, from a login node or an allocation.
# docs/cluster.md tells the whole way. What a job asks for stands in the experiment, by stage and scope (levels.mk):
#
#   <scope>_<stage>_job := cores=1 memory=2G time=12:00:00
#
# Each key has the value of the last scope that names it; without a time, the partition's own limit holds, and a chain
# that comes to it goes on in the next job.
EXECUTOR := local
ifneq ($(filter $(EXECUTOR),local slurm),$(EXECUTOR))
  $(error EXECUTOR=$(EXECUTOR): expected local or slurm)
endif

default_job := cores=1 memory=2G
# $(call job-wishes,stage,path under results)
job-wishes = $(default_job) $(foreach name,$(call defined,$(2),$(1)_job),$($(name)))

# What comes before a stage's command: $(call on,stage,what it works on,the folder it writes). A chain's job has its
# name, other stages add theirs.
on = $(if $(filter slurm,$(EXECUTOR)),$(PYTHON) pipelines/cluster/slurm_job.py \
    --name $(2)$(if $(filter train,$(1)),,/$(1)) --folder $(3) $(addprefix --job ,$(job-wishes)) --$(space))
empty :=
space := $(empty) $(empty)
define newline


endef
