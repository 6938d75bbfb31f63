# How many features are there? The Indian buffet against numbers that are fixed. ../beyond/README.md says more.
.PHONY: beyond_buffet

# In set 1 a feature is on at every step, which nobody can tell from the bias; set 2 has seven, all of which change.
beyond_buffet_data = datasets/beyond/prepared/buffet/$(2)
beyond_buffet_level_dims = model.locations.n_dims=$(1)

beyond_buffet_seed := 1
beyond_buffet_chains := 0 1 2
beyond_buffet_sweeps := 5000
beyond_buffet_burn_in := 2500
beyond_buffet_record_every := 20
beyond_buffet_draws_every := 100

beyond_buffet_runs := $(call runs,beyond_buffet,drawn,set-2,buffet binary-dims-12 binary-dims-7 binary-dims-3,blocked)
