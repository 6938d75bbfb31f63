# What is asked, in a line; README.md says more. pipelines/levels.mk explains every name here.
.PHONY: example
example: ## what is asked: two models, 6 chains, to reports/example

# The data directory of a variant and a data set; yours may be results/sensors/data, made by hmmlt-import.
example_data = datasets/synthetic/prepared/$(2)

example_seed := 1
example_chains := 0 1 2
example_sweeps := 300
example_burn_in := 100
example_record_every := 10
example_draws_every := 20

# A variant overrides keys of every model, or of one: example_fewer_lt_set := ...
example_fewer_set := model.n_states=20

# A level is part of a model's name: lt-lambda-2 holds lambda at 2.
example_level_lambda = model.similarity.lambda=$(1)

# What `make example` runs: variants, data sets, models (with levels), samplers.
example_runs := $(call runs,example,fewer,set-1,lt hdp_hmm,blocked)
