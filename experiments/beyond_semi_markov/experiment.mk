# States that last for a time of their own: does it help to say so? ../beyond/README.md has the question and the result.
.PHONY: beyond_semi_markov

# A variant is the law of durations, of the data and of the model that knows about durations.
beyond_semi_markov_data = datasets/beyond/prepared/$(1)/$(2)
beyond_semi_markov_negative_binomial_semi_markov_set := model.durations.kind=negative_binomial

beyond_semi_markov_seed := 1
beyond_semi_markov_chains := 0 1 2
beyond_semi_markov_sweeps := 1000
beyond_semi_markov_burn_in := 300
beyond_semi_markov_record_every := 10
beyond_semi_markov_draws_every := 20

beyond_semi_markov_runs := $(call runs,beyond_semi_markov,poisson negative_binomial,set-1,semi_markov sticky_lt lt,blocked)
