# One rule per stage: what it reads, what it writes. Factor levels are path segments.

# Synthetic data, drawn from the model of experiments/synthetic: results/demo/set-<seed>/
results/demo/set-%/observations.parquet: experiments/synthetic/models/hdp_hmm.toml $(BIN)/hmmlt-generate
	@$(BIN)/hmmlt-generate --model $< --seed $* --out $(@D)

results/demo/data.png: results/demo/set-1/observations.parquet reports/picture_of_data.py
	@$(PYTHON) reports/picture_of_data.py --data $(<D) --out $@
