// One walk through the score for both recipes: they differ in where they cut and in how they write down a slice.
#include "pipelines/chorales/slices.hpp"

#include <algorithm>
#include <numeric>

#include "hmmlt/io/errors.hpp"

namespace hmmlt::chorales {

namespace {

using Times = std::vector<std::int64_t>;

std::vector<std::size_t> by_start(const std::vector<Event>& voice) {
    std::vector<std::size_t> order(voice.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return voice[a].start < voice[b].start; });
    return order;
}

// The notes of one voice that sound as time goes on, in written order.
class Sounding {
  public:
    explicit Sounding(const std::vector<Event>& voice) : voice_(voice), order_(by_start(voice)) {}

    const std::vector<std::size_t>& at(std::int64_t time) {
        std::erase_if(now_, [&](std::size_t event) { return voice_[event].end <= time; });
        for (; next_ < order_.size() && voice_[order_[next_]].start <= time; ++next_) {
            const std::size_t event = order_[next_];
            if (!voice_[event].midi || voice_[event].end <= time) continue;
            now_.insert(std::upper_bound(now_.begin(), now_.end(), event), event);
            // A bound, because the work per slice grows with it; no choir divides so far.
            if (now_.size() > 32) throw DataError("expected at most 32 notes at once in a voice, found more");
        }
        return now_;
    }

    int pitch(std::size_t event) const { return *voice_[event].midi; }

  private:
    const std::vector<Event>& voice_;
    std::vector<std::size_t> order_;
    std::size_t next_ = 0;
    std::vector<std::size_t> now_;
};

void add_starts_and_ends(const std::vector<Event>& voice, Times& cuts) {
    for (const Event& event : voice) {
        cuts.push_back(event.start);
        cuts.push_back(event.end);
    }
}

void add_onsets(const std::vector<Event>& voice, Times& cuts) {
    std::int64_t covered = 0;  // up to here there are notes or rests
    for (const std::size_t index : by_start(voice)) {
        const Event& event = voice[index];
        if (event.start > covered) cuts.push_back(covered);  // a gap
        if (event.attack) cuts.push_back(event.start);
        covered = std::max(covered, event.end);
    }
    cuts.push_back(covered);
}

// The boundaries of the slices, in order; between the last two, too, there is a slice.
Times boundaries(const Score& score, Recipe recipe) {
    Times cuts;
    for (const auto& voice : score.voices) (recipe == Recipe::a ? add_starts_and_ends : add_onsets)(voice, cuts);
    if (recipe == Recipe::b) cuts.push_back(score.end);
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

Chord all_distinct(std::vector<Sounding>& voices, std::int64_t time) {
    Chord chord;
    for (Sounding& voice : voices)
        for (const std::size_t event : voice.at(time))
            if (std::find(chord.begin(), chord.end(), voice.pitch(event)) == chord.end())
                chord.push_back(voice.pitch(event));
    return chord;
}

Chord one_per_voice(std::vector<Sounding>& voices, std::int64_t time) {
    Chord chord;
    for (Sounding& voice : voices) {
        const bool bass = chord.size() + 1 == voices.size();
        int pitch = rest;
        for (const std::size_t event : voice.at(time)) {
            const int other = voice.pitch(event);
            if (pitch == rest || (bass ? other < pitch : other > pitch)) pitch = other;
        }
        chord.push_back(pitch);
    }
    return chord;
}

}  // namespace

std::vector<Chord> slices(const Score& score, Recipe recipe) {
    std::vector<Sounding> voices(score.voices.begin(), score.voices.end());
    const Times times = boundaries(score, recipe);
    std::vector<Chord> chords;
    for (std::size_t slice = 0; slice + 1 < times.size(); ++slice) {
        Chord chord = (recipe == Recipe::a ? all_distinct : one_per_voice)(voices, times[slice]);
        if (std::all_of(chord.begin(), chord.end(), [](int pitch) { return pitch == rest; })) continue;
        for (int& pitch : chord)
            if (pitch != rest) pitch -= score.tonic;
        chords.push_back(std::move(chord));
    }
    return chords;
}

}  // namespace hmmlt::chorales
