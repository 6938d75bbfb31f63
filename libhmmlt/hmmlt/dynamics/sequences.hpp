// Where the sequences of a data set lie: all steps of all sequences stand in one row, sequence after sequence.
#pragma once

#include <armadillo>
#include <vector>

namespace hmmlt {

struct Sequences {
    // first[s] is the position of the first step of sequence s; the last entry is the number of all steps.
    std::vector<arma::uword> first{0};

    static Sequences of_lengths(const std::vector<arma::uword>& lengths) {
        Sequences sequences;
        for (const arma::uword length : lengths) sequences.first.push_back(sequences.first.back() + length);
        return sequences;
    }

    arma::uword count() const { return first.size() - 1; }
    arma::uword n_steps() const { return first.back(); }
    arma::uword length(arma::uword sequence) const { return first[sequence + 1] - first[sequence]; }

    bool operator==(const Sequences&) const = default;
};

}  // namespace hmmlt
