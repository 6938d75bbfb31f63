# One rule per stage: what it reads, what it writes. Factor levels are path segments.

# A stage's executable that is missing is built; `make build` keeps those that are there up to date.
$(BIN)/hmmlt-%:
	@$(call cmake-build,release,hmmlt-$*)

# Synthetic data, drawn from the model of experiments/synthetic: results/demo/set-<seed>/. provenance.json is written
# last, so that a directory that has it is complete.
results/demo/set-%/provenance.json: experiments/synthetic/data/hdp_hmm.toml $(BIN)/hmmlt-generate
	@$(BIN)/hmmlt-generate --model $< --seed $* --out $(@D)

results/demo/data.png: results/demo/set-1/provenance.json reports/picture_of_data.py
	@$(PYTHON) reports/picture_of_data.py --data $(<D) --out $@
