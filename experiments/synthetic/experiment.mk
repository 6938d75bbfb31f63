# Data without local transitions: does LT pretend to see some? README.md says what is asked and found.
.PHONY: synthetic
synthetic: ## data without local transitions: five models, 50 chains, to reports/synthetic

synthetic_data = datasets/synthetic/prepared/$(2)
synthetic_models := sticky_lt lt sticky hdp_hmm factorial

synthetic_seed := 1
synthetic_paper_chains := 0 1 2 3 4 5 6 7 8 9
synthetic_paper_sweeps := 2000
synthetic_paper_burn_in := 100
synthetic_paper_record_every := 10
synthetic_paper_draws_every := 100
synthetic_paper_factorial_draws_every := 500  # a score of the test data takes it a second: 2^16 joint states a step

# Where a chain that knows the answer stays: lt-start-truth, ...
synthetic_level_start = run.start=$(1)
synthetic_level_start_chains := 0 1

# The demo: fewer states, fewer sweeps.
synthetic_demo_chains := 0 1 2
synthetic_demo_sweeps := 800
synthetic_demo_burn_in := 100
synthetic_demo_record_every := 10
synthetic_demo_draws_every := 70
# bits drawn jointly: a sweep costs forty others, and the start is forgotten after twenty
synthetic_demo_factorial_sweeps := 150
synthetic_demo_factorial_draws_every := 50
synthetic_demo_hdp_hmm_set := model.n_states=60
synthetic_demo_sticky_set := model.n_states=60
synthetic_demo_lt_set := model.n_states=60
synthetic_demo_sticky_lt_set := model.n_states=60

# Runs, those with the longest chains first.
synthetic_runs := $(call runs,synthetic,paper,set-1,$(synthetic_models),single)
synthetic_demo_runs := $(call runs,synthetic,demo,set-1,$(synthetic_models),blocked)
synthetic_replication_runs := $(call runs,synthetic,paper,set-1 set-2 set-3,\
    $(synthetic_models) $(synthetic_models:%=%-start-truth),blocked single)
