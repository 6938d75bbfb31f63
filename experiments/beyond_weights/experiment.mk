# Weights that nobody knows: what do they cost? ../beyond/README.md says more.
.PHONY: beyond_weights

beyond_weights_data = datasets/beyond/prepared/weights/$(2)
# Where a chain that knows the answer stays: learnt-start-truth.
beyond_weights_level_start = run.start=$(1)
beyond_weights_level_start_chains := 0 1

beyond_weights_seed := 1
beyond_weights_chains := 0 1 2
beyond_weights_sweeps := 3000
beyond_weights_burn_in := 1500
beyond_weights_record_every := 20
beyond_weights_draws_every := 100

beyond_weights_runs := $(call runs,beyond_weights,drawn,set-1,learnt known learnt-start-truth,blocked)
