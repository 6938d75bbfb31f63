#include "pipelines/import/meaning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"

namespace hmmlt {

Scaling scaling_of(const ImportedData& data, std::vector<std::string>& notes) {
    const arma::mat& y = data.observations.y;
    Scaling scaling{arma::vec(y.n_rows, arma::fill::zeros), arma::vec(y.n_rows, arma::fill::ones)};
    for (arma::uword channel = 0; channel < y.n_rows; ++channel) {
        const arma::rowvec row = y.row(channel);
        const arma::vec values = row.elem(arma::find_finite(row));
        if (values.is_empty()) {
            notes.push_back(data.channel_names[channel] + " has no value to train on: left as it is");
            continue;
        }
        // of numbers around 1, so that no square is too large or too small for a double
        const double largest = arma::abs(values).max();
        const double unit = largest > 0.0 ? std::ldexp(1.0, std::ilogb(largest)) : 1.0;
        const arma::vec small = values / unit;
        const double sd = unit * arma::stddev(small, 1);
        scaling.mean(channel) = unit * arma::mean(small);
        if (values.min() < values.max() && std::isnormal(sd))
            scaling.sd(channel) = sd;
        else
            notes.push_back(data.channel_names[channel] + " is constant: only its mean is taken off");
    }
    return scaling;
}

void standardise(ImportedData& data, const Scaling& scaling) {
    apply(scaling, data.observations.y);
    for (arma::uword channel = 0; channel < data.observations.y.n_rows; ++channel)
        if (data.observations.y.row(channel).has_inf())
            throw DataError(fmt::format("{}: expected values that can be divided by its sd of {:g}, found larger ones",
                                        data.channel_names[channel], scaling.sd(channel)));
}

void adopt_labels(ImportedData& data, const std::vector<std::string>& labels, const std::string& where) {
    if (data.labels.empty())
        throw DataError(
            fmt::format("expected symbols, as in {}, found channels; --symbol names the column of symbols", where));
    std::map<std::string, arma::sword> number_of;
    for (std::size_t symbol = 0; symbol < labels.size(); ++symbol)
        number_of.emplace(labels[symbol], static_cast<arma::sword>(symbol));
    for (const std::string& label : data.labels)
        if (!number_of.contains(label))
            throw DataError(fmt::format("the symbol {} is not among the {} of {}{}", label, labels.size(), where,
                                        did_you_mean(label, labels)));
    data.observations.symbol.for_each([&](arma::sword& symbol) {
        if (symbol != no_symbol) symbol = number_of.at(data.labels[static_cast<std::size_t>(symbol)]);
    });
    data.labels = labels;
}

}  // namespace hmmlt
