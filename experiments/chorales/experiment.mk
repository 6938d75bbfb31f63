# Bach chorales: do places in the plane help to predict chords? README.md says what is asked, what it costs, what was found.
.PHONY: chorales
chorales: ## Bach chorales: four models, authors' emission prior, lambda = 5, 20 chains, to reports/chorales

# Recipe A; split 0 lies in the folder itself.
chorales_data = datasets/chorales/prepared/a$(patsubst %,/%,$(filter-out split-0,$(2)))

chorales_seed := 1
chorales_chains := 0 1 2 3 4
chorales_sweeps := 10000
chorales_burn_in := 5000
chorales_record_every := 50
chorales_draws_every := 1000

# lambda is sampled, or held at a value: lt-lambda-5, ...
chorales_level_lambda = model.similarity.lambda=$(1)

chorales_paper_set := model.emission.concentration=1.0
chorales_authors_set := model.emission.total_mass=1.0

# The demo: the authors' prior, fewer states, fewer sweeps.
chorales_demo_chains := 0 1 2
chorales_demo_sweeps := 300
chorales_demo_burn_in := 100
chorales_demo_record_every := 10
chorales_demo_draws_every := 40
chorales_demo_set := model.emission.total_mass=1.0 model.n_states=40

# Runs, those with the longest chains first.
chorales_fixed := sticky_lt-lambda-5 lt-lambda-5 sticky hdp_hmm
chorales_runs := $(call runs,chorales,authors,split-0,$(chorales_fixed),single)
chorales_demo_runs := $(call runs,chorales,demo,split-0,$(chorales_fixed),blocked)
chorales_replication_runs := \
    $(call runs,chorales,paper authors,split-0 split-1 split-2,sticky_lt lt $(chorales_fixed),blocked) \
    $(call runs,chorales,authors,split-0,$(foreach lambda,0.01 0.1 1 10,lt-lambda-$(lambda)),blocked)
