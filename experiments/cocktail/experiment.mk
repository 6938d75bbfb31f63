# Who speaks when? The cocktail party of the paper; README.md says what is asked, what it costs and what was found.
.PHONY: cocktail
cocktail: ## who speaks when: five models, variants paper and authors, 50 chains, to reports/cocktail

cocktail_data = datasets/cocktail/prepared/$(1)/$(2)
cocktail_models := sticky_lt lt sticky hdp_hmm factorial

cocktail_seed := 1
cocktail_chains := 0 1 2 3 4
cocktail_sweeps := 5000
cocktail_record_every := 50
cocktail_draws_every := 250
# a score of the test party takes the factorial model seconds: 2^16 joint states a step
cocktail_paper_factorial_draws_every := 1000
cocktail_authors_factorial_draws_every := 500

# Where a chain that knows the answer stays: lt-start-truth, ...
cocktail_level_start = run.start=$(1)
cocktail_level_start_chains := 0 1

cocktail_paper_burn_in := 2000

cocktail_authors_burn_in := 2500
cocktail_authors_hdp_hmm_set := model.n_states=200 $(call concentrations,1.0,0.1)
cocktail_authors_sticky_set := model.n_states=200 $(call concentrations,1.0,0.1)
cocktail_authors_lt_set := model.n_states=200 $(call concentrations,1.0,0.1)
cocktail_authors_sticky_lt_set := model.n_states=200 $(call concentrations,0.01,0.01)
cocktail_authors_factorial_set := $(call concentrations,0.1,0.1)

# The demo: the authors' party, of the small corpus, and their settings with half of the states.
cocktail_demo_chains := 0 1 2
cocktail_demo_sweeps := 800
cocktail_demo_burn_in := 100
cocktail_demo_record_every := 10
cocktail_demo_draws_every := 50
cocktail_demo_hdp_hmm_set := $(cocktail_authors_hdp_hmm_set) model.n_states=100
cocktail_demo_sticky_set := $(cocktail_authors_sticky_set) model.n_states=100
cocktail_demo_lt_set := $(cocktail_authors_lt_set) model.n_states=100
cocktail_demo_sticky_lt_set := $(cocktail_authors_sticky_lt_set) model.n_states=100
cocktail_demo_factorial_set := $(cocktail_authors_factorial_set)
# its bits are drawn jointly: a sweep costs forty others, and the start is forgotten after twenty
cocktail_demo_factorial_sweeps := 160
cocktail_demo_factorial_draws_every := 50

# Runs, those with the longest chains first.
cocktail_runs := $(call runs,cocktail,paper authors,party-1,$(cocktail_models),single)
cocktail_demo_runs := $(call runs,cocktail,demo,party-1,$(cocktail_models),blocked)
cocktail_replication_runs := $(foreach sampler,blocked single,$(call runs,cocktail,paper,party-1 party-2 party-3,\
    $(cocktail_models) $(cocktail_models:%=%-start-truth),$(sampler)))
