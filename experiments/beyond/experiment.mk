# Models that the paper describes and that nobody had built: data drawn from each, and a party of unknown size. README.md
# says what is asked, what it costs and what was found. Each part is an experiment of its own: make beyond_beam, ...
.PHONY: beyond
beyond: ## models beyond the paper's experiments on data of their own, and a party of unknown size, 76 chains, to reports/beyond

# Those with the longest chains first. Not :=, the parts are read after this file.
beyond_parts := beyond_party beyond_semi_markov beyond_beam beyond_buffet beyond_limit beyond_weights
beyond_runs = $(foreach part,$(beyond_parts),$($(part)_runs))

# Data drawn from data/<model>.toml: datasets/beyond/prepared/<model>/set-<seed>.
beyond-source = experiments/beyond/data/$(patsubst %/,%,$(dir $(1))).toml
.PRECIOUS: datasets/beyond/prepared/%/provenance.json
datasets/beyond/prepared/%/provenance.json: $(call program,generate) $$(call config,$$(call beyond-source,$$*))
	@$(call on,generate,$(@D),$(@D))$(BIN)/hmmlt-generate --model $(call beyond-source,$*) \
	    --seed $(patsubst set-%,%,$(notdir $*)) --out $(@D)
