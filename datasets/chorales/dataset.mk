# The Bach chorales: a pinned archive is fetched, its scores are unpacked and sliced into chords. README.md says more.
# Both archives hold the same scores: make chorales-data MUSIC21=3.1.0 takes the other one.
MUSIC21 := 4.1.0
chorales_raw := datasets/chorales/raw/music21-$(MUSIC21)
demo_raw += $(chorales_raw)/license.txt

.PHONY: chorales-data
chorales-data: stages ## fetch the Bach chorales (16 MB) and slice them into chords: datasets/chorales/prepared/ (seconds)
	@$(MAKE) --no-print-directory $(foreach recipe,a b,datasets/chorales/prepared/$(recipe)/data.png)
	@echo "The pictures of the data: datasets/chorales/prepared/{a,b}/data.png"

# pip checks the hash before it looks into the archive. It then asks the archive for its metadata, with the pinned
# setuptools of .venv (no build isolation), and installs nothing.
$(chorales_raw).tar.gz: datasets/chorales/music21-$(MUSIC21).txt
	@mkdir -p $(@D)
	@rm -rf $(chorales_raw).partial
	@$(PYTHON) -m pip download --disable-pip-version-check --no-deps --no-binary :all: --no-build-isolation \
	    --require-hashes --requirement $< --dest $(chorales_raw).partial
	@mv $(chorales_raw).partial/$(@F) $@
	@rmdir $(chorales_raw).partial
	@touch $@

# Only the scores and what the archive says about their licence, which comes last.
$(chorales_raw)/license.txt: $(chorales_raw).tar.gz
	@rm -rf $(chorales_raw) $(chorales_raw).partial
	@mkdir $(chorales_raw).partial
	@tar --extract --touch --file $< --directory $(chorales_raw).partial --strip-components=3 --wildcards \
	    'music21-$(MUSIC21)/music21/corpus/bach/*' 'music21-$(MUSIC21)/music21/corpus/license.txt'
	@mv $(chorales_raw).partial $(chorales_raw)

# prepared/<recipe>/ is split 0, prepared/<recipe>/split-<n>/ another one. A directory with provenance.json is complete.
.PRECIOUS: datasets/chorales/prepared/%/provenance.json
datasets/chorales/prepared/%/provenance.json: datasets/chorales/scores.csv datasets/chorales/checks.csv \
    $(chorales_raw)/license.txt $(BIN)/hmmlt-prepare-chorales
	@$(call on,prepare-chorales,$(@D),$(@D))$(BIN)/hmmlt-prepare-chorales --corpus $(chorales_raw)/bach --list $< --check datasets/chorales/checks.csv \
	    --recipe $(firstword $(subst /, ,$*)) --out $(@D) \
	    --split-number $(or $(patsubst split-%,%,$(word 2,$(subst /, ,$*))),0)

datasets/chorales/prepared/%/data.png: datasets/chorales/prepared/%/provenance.json reports/picture_of_chorales.py
	@$(PYTHON) reports/picture_of_chorales.py --data $(@D) --out $@
