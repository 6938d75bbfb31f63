# A cocktail party with unknown weights and an unknown number of speakers: does anybody find 16? ../beyond/README.md.
.PHONY: beyond_party

beyond_party_data = datasets/cocktail/prepared/$(1)/$(2)
beyond_party_level_dims = model.locations.n_dims=$(1)

beyond_party_seed := 1
beyond_party_chains := 0 1 2
beyond_party_sweeps := 3000
beyond_party_burn_in := 1500
beyond_party_record_every := 20
beyond_party_draws_every := 100

beyond_party_runs := $(call runs,beyond_party,authors,party-1,buffet binary-dims-32 binary-dims-16 known,blocked)
