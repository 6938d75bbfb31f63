# Bits with transitions of their own, between LT and the factorial HMM. ../beyond/README.md says more.
.PHONY: beyond_limit

# A variant is where the data come from: all corners of a cube, or states whose bits move.
beyond_limit_data = datasets/beyond/prepared/$(1)/$(2)

beyond_limit_seed := 1
beyond_limit_chains := 0 1 2
beyond_limit_sweeps := 3000
beyond_limit_burn_in := 1000
beyond_limit_record_every := 20
beyond_limit_draws_every := 50

beyond_limit_runs := $(call runs,beyond_limit,corners,set-1,corners lt factorial,blocked) \
    $(call runs,beyond_limit,bits,set-1,bits lt factorial,blocked)
