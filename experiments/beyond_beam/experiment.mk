# Two ways to draw z from the same posterior: the full pass and the beam. ../beyond/README.md says more.
.PHONY: beyond_beam

beyond_beam_data = datasets/beyond/prepared/markov/$(2)

beyond_beam_seed := 1
beyond_beam_chains := 0 1 2
beyond_beam_sweeps := 3000
beyond_beam_burn_in := 1000
beyond_beam_record_every := 10
beyond_beam_draws_every := 100

beyond_beam_runs := $(call runs,beyond_beam,drawn,set-1,markov beam,blocked)
