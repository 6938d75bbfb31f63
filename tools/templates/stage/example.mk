
# hmmlt-example: of a prepared data set, results/example/<experiment>/prepared/<data>/example.parquet.
.PRECIOUS: $(RESULTS)/example/%/example.parquet
$(RESULTS)/example/%/example.parquet: $$(call program,example) $$(call data,datasets/$$*)
	@$(BIN)/hmmlt-example --data datasets/$* --out $(@D)
