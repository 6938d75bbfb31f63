# How many features are there? The Indian buffet against numbers that are fixed. ../beyond/README.md says more.
.PHONY: beyond_buffet

# Set 3 has nine features in 26 combinations; ../beyond/README.md says why not sets 1 and 2.
beyond_buffet_data = datasets/beyond/prepared/buffet/$(2)
beyond_buffet_level_dims = model.locations.n_dims=$(1)
# Where a chain that knows the answer stays: buffet-start-truth.
beyond_buffet_level_start = run.start=$(1)
beyond_buffet_level_start_chains := 0 1

beyond_buffet_seed := 1
beyond_buffet_chains := 0 1 2
beyond_buffet_sweeps := 3000
beyond_buffet_burn_in := 1500
beyond_buffet_record_every := 20
beyond_buffet_draws_every := 100

beyond_buffet_runs := $(call runs,beyond_buffet,drawn,set-3,\
    buffet binary-dims-20 binary-dims-9 binary-dims-4 buffet-start-truth,blocked)
