# Cocktail party data: the stand-in speech corpus, and the parties mixed from it or from the real one.
COCKTAIL := datasets/cocktail
COCKTAIL_PARTIES := 1 2 3
demo_raw += $(COCKTAIL)/raw/standin-small/corpus.json

# CORPUS=DIR names a folder of speakers' folders of WAV files. It is remembered for later calls of make, so that results
# of one corpus are not mixed with, or replaced by, those of another; the file changes only when its content does.
COCKTAIL_CORPUS_FILE := $(COCKTAIL)/prepared/corpus
CORPUS ?= $(or $(file < $(COCKTAIL_CORPUS_FILE)),$(COCKTAIL)/raw/standin)
ifneq ($(CORPUS),$(file < $(COCKTAIL_CORPUS_FILE)))
  ifneq ($(CORPUS),$(COCKTAIL)/raw/standin)
    $(shell test -d "$(CORPUS)")
    ifneq ($(.SHELLSTATUS),0)
      $(error CORPUS=$(CORPUS): expected a folder of speakers' folders of WAV files, found no folder)
    endif
  endif
  $(shell mkdir -p $(COCKTAIL)/prepared && printf '%s\n' "$(CORPUS)" > $(COCKTAIL_CORPUS_FILE))
endif

.PHONY: corpus-standin cocktail-data
corpus-standin: setup ## synthesise the stand-in speech corpus with espeak-ng (20 s)
	@$(MAKE) --no-print-directory $(COCKTAIL)/raw/standin/corpus.json

cocktail-data: stages ## mix the cocktail parties and draw them (20 s); CORPUS=DIR takes the real recordings
	@$(MAKE) --no-print-directory $(foreach variant,paper authors,$(foreach n,$(COCKTAIL_PARTIES),\
	    $(COCKTAIL)/prepared/$(variant)/party-$(n)/party.png))

# 40 sentences by each speaker; the small one, 12, is for the demo. A run that was cut short continues.
COCKTAIL_STANDIN := $(addprefix $(COCKTAIL)/,standin_corpus.py standin_voice.py resample.py speakers.csv)
$(COCKTAIL)/raw/standin/corpus.json: SENTENCES := 40
$(COCKTAIL)/raw/standin-small/corpus.json: SENTENCES := 12
$(COCKTAIL)/raw/standin/corpus.json $(COCKTAIL)/raw/standin-small/corpus.json: $(COCKTAIL_STANDIN)
	@$(PYTHON) $< --sentences $(SENTENCES) --out $(@D)

# Parties, prepared/<variant>/party-<seed>/; provenance.json is written last, so a directory that has it is complete.
COCKTAIL_READY := $(COCKTAIL_CORPUS_FILE) $(filter $(CORPUS)/corpus.json,$(COCKTAIL)/raw/standin/corpus.json)
define cocktail-party
$(COCKTAIL)/prepared/$(1)/party-%/provenance.json: experiments/cocktail/data/$(1).toml $(BIN)/hmmlt-prepare-pascal \
    $(COCKTAIL_READY)
	@$$(call on,prepare-pascal,$$(@D),$$(@D))$(BIN)/hmmlt-prepare-pascal --corpus "$(CORPUS)" --config $$< --seed $$* --out $$(@D)
.PRECIOUS: $(COCKTAIL)/prepared/$(1)/party-%/provenance.json
endef
$(foreach variant,paper authors,$(eval $(call cocktail-party,$(variant))))

# The party of the demo: the authors' recipe with the small corpus, whatever CORPUS is.
.PRECIOUS: $(COCKTAIL)/prepared/demo/party-%/provenance.json
$(COCKTAIL)/prepared/demo/party-%/provenance.json: experiments/cocktail/data/authors.toml $(BIN)/hmmlt-prepare-pascal \
    $(COCKTAIL)/raw/standin-small/corpus.json
	@$(call on,prepare-pascal,$(@D),$(@D))$(BIN)/hmmlt-prepare-pascal --corpus $(COCKTAIL)/raw/standin-small --config $< --seed $* --out $(@D)

$(COCKTAIL)/prepared/%/party.png: $(COCKTAIL)/prepared/%/provenance.json reports/picture_of_party.py \
    reports/picture_of_data.py
	@$(PYTHON) reports/picture_of_party.py --data $(<D) --out $@
