// States out of arrays.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "hmmlt/io/draws.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/math/column_shares.hpp"

namespace hmmlt {

namespace {

// The rows of one draw, by variable.
class Arrays {
  public:
    Arrays(const Table& table, std::size_t first, std::size_t last, std::string where)
        : i_(table.column<std::int32_t>("i")),
          j_(table.column<std::int32_t>("j")),
          value_(table.column<double>("value")),
          where_(std::move(where)) {
        const auto& variable = table.column<std::string>("variable");
        for (std::size_t row = first; row < last; ++row) rows_[variable[row]].push_back(row);
    }

    // The numbers that occur as j, in order.
    arma::uvec column_numbers(const std::string& variable) const {
        std::set<arma::uword> numbers;
        for (const std::size_t row : rows(variable)) numbers.insert(index(j_[row]));
        return arma::uvec(std::vector<arma::uword>(numbers.begin(), numbers.end()));
    }

    // Cells into a matrix of this size, filled with `rest` elsewhere; `place` turns a j (and, for transitions, an i)
    // into a column.
    arma::mat matrix(const std::string& variable, arma::uword n_rows, arma::uword n_cols, double rest = 0.0) const {
        return mapped(variable, n_rows, n_cols, rest, nullptr, nullptr);
    }
    arma::mat by_state(const std::string& variable, arma::uword n_rows, const std::map<arma::uword, arma::uword>& place,
                       double rest = 0.0) const {
        return mapped(variable, n_rows, place.size(), rest, nullptr, &place);
    }
    arma::mat between_states(const std::string& variable, const std::map<arma::uword, arma::uword>& place) const {
        return mapped(variable, place.size(), place.size(), 0.0, &place, &place);
    }
    bool has(const std::string& variable) const { return rows_.contains(variable); }
    // The number of rows and of columns that its cells span.
    std::pair<arma::uword, arma::uword> extent(const std::string& variable) const {
        std::pair<arma::uword, arma::uword> size{0, 0};
        for (const std::size_t row : rows(variable)) {
            if (i_[row] < 0 || j_[row] < 0)
                throw DataError(fmt::format("{}: {} has a negative row or column", where_, variable));
            size = {std::max(size.first, index(i_[row]) + 1), std::max(size.second, index(j_[row]) + 1)};
        }
        return size;
    }

  private:
    using Place = std::map<arma::uword, arma::uword>;

    static arma::uword index(std::int32_t value) { return static_cast<arma::uword>(value); }
    const std::vector<std::size_t>& rows(const std::string& variable) const {
        const auto found = rows_.find(variable);
        if (found == rows_.end())
            throw DataError(fmt::format("{}: expected the variable {}, found none", where_, variable));
        return found->second;
    }
    arma::mat mapped(const std::string& variable, arma::uword n_rows, arma::uword n_cols, double rest,
                     const Place* row_place, const Place* column_place) const {
        arma::mat values(n_rows, n_cols);
        values.fill(rest);
        for (const std::size_t row : rows(variable)) {
            const arma::uword i = placed(row_place, i_[row], variable);
            const arma::uword j = placed(column_place, j_[row], variable);
            if (i >= n_rows || j >= n_cols)
                throw DataError(fmt::format("{}: {}({}, {}) lies outside of {} x {}", where_, variable, i_[row],
                                            j_[row], n_rows, n_cols));
            values(i, j) = value_[row];
        }
        return values;
    }
    arma::uword placed(const Place* place, std::int32_t number, const std::string& variable) const {
        if (place == nullptr) return index(number);
        const auto found = place->find(index(number));
        if (found == place->end())
            throw DataError(fmt::format("{}: {} speaks of state {}, which has no n_steps", where_, variable, number));
        return found->second;
    }

    const std::vector<std::int32_t>& i_;
    const std::vector<std::int32_t>& j_;
    const std::vector<double>& value_;
    std::string where_;
    std::map<std::string, std::vector<std::size_t>> rows_;
};

using Place = std::map<arma::uword, arma::uword>;

EmissionState emission_of(const LinearGaussianSpec& spec, const Arrays& arrays, const Place&,
                          const std::string& prefix) {
    return LinearGaussianState{arrays.matrix(prefix + "weights", spec.n_dims() + 1, spec.n_channels()),
                               arrays.matrix(prefix + "h", spec.n_channels(), 1)};
}

EmissionState emission_of(const GaussianSpec& spec, const Arrays& arrays, const Place& place,
                          const std::string& prefix) {
    return GaussianState{arrays.by_state(prefix + "mean", spec.n_channels(), place),
                         arrays.by_state(prefix + "h", spec.n_channels(), place)};
}

EmissionState emission_of(const CategoricalSpec& spec, const Arrays& arrays, const Place& place,
                          const std::string& prefix) {
    if (prefix.empty()) return CategoricalState{arrays.by_state("log_theta", spec.n_symbols(), place)};
    arma::mat counts(spec.n_symbols(), place.size(), arma::fill::zeros);
    if (arrays.has("symbol_count")) counts = arrays.by_state("symbol_count", spec.n_symbols(), place);
    counts.each_col() += spec.concentration;
    return CategoricalState{arma::log(column_shares(std::move(counts)))};
}

DurationState durations_of_states(const DurationSpec& spec, const Arrays& arrays, const Place& place) {
    const auto values = [&](const char* variable) { return arma::vec(arrays.by_state(variable, 1, place).t()); };
    if (std::holds_alternative<PoissonDurations>(spec)) return PoissonDurationState{values("omega")};
    return NegativeBinomialDurationState{values("duration_r"), values("duration_log_p"), values("duration_log_1mp")};
}

StoredDraw read_draw(const Model& model, const Arrays& arrays) {
    StoredDraw draw{};
    draw.state_numbers = arrays.column_numbers("n_steps");
    Place place;
    for (arma::uword k = 0; k < draw.state_numbers.n_elem; ++k) place[draw.state_numbers(k)] = k;
    State state;
    state.log_pi =
        arma::log(arma::join_cols(arrays.between_states("transition", place), arrays.by_state("start", 1, place)));
    state.log_beta.zeros(place.size());
    if (const arma::uword n_bits = n_bits_of(model.locations); n_bits > 0)
        state.locations = BinaryLocationState{arma::conv_to<arma::umat>::from(arrays.by_state("theta", n_bits, place)),
                                              arma::vec(n_bits)};
    if (const DurationSpec* durations = durations_of(model.dynamics))
        state.durations = durations_of_states(*durations, arrays, place);
    State expected = state;
    std::visit(
        [&](const auto& spec) {
            state.emission = emission_of(spec, arrays, place, "");
            expected.emission = emission_of(spec, arrays, place, "expected_");
        },
        model.emission);
    draw.state = std::move(state);
    draw.expected = std::move(expected);
    return draw;
}

StoredDraw read_draw(const FactorialModel& model, const Arrays& arrays) {
    FactorialState state;
    const arma::uword n_dims = model.emission.n_dims();
    const arma::mat transition = arrays.matrix("chain_transition", 3 * n_dims, 2);
    for (arma::uword dim = 0; dim < n_dims; ++dim) {
        BinaryChainState chain;
        chain.log_pi = arma::log(transition.rows(3 * dim, 3 * dim + 2));
        state.chains.push_back(std::move(chain));
    }
    FactorialState expected = state;
    state.emission = std::get<LinearGaussianState>(emission_of(model.emission, arrays, {}, ""));
    expected.emission = std::get<LinearGaussianState>(emission_of(model.emission, arrays, {}, "expected_"));
    StoredDraw draw{};
    draw.state = std::move(state);
    draw.expected = std::move(expected);
    return draw;
}

// Of an emission without weights: a parameter with a row for each channel.
constexpr std::array by_channel{"mean"};

}  // namespace

DataShape trained_shape(const Table& table, const std::string& where) {
    const auto& sweep = table.column<std::int32_t>("sweep");
    if (sweep.empty())
        throw DataError(
            fmt::format("{}: holds no draws: the chain has not gone beyond run.burn_in by run.draws_every", where));
    const auto last = std::find_if(sweep.begin(), sweep.end(), [&](std::int32_t any) { return any != sweep.front(); });
    const Arrays arrays(table, 0, static_cast<std::size_t>(last - sweep.begin()), where);
    const auto has = [&arrays](const char* variable) { return arrays.has(variable); };
    DataShape shape;
    if (arrays.has("log_theta")) {
        shape.n_symbols = arrays.extent("log_theta").first;
    } else if (const auto found = std::find_if(by_channel.begin(), by_channel.end(), has); found != by_channel.end()) {
        shape.n_channels = arrays.extent(*found).first;
    } else {
        const auto [n_rows, n_cols] = arrays.extent("weights");
        shape.n_channels = n_cols;
        shape.weights = arrays.matrix("weights", n_rows, n_cols);
    }
    return shape;
}

std::vector<StoredDraw> stored_draws(const AnyModel& model, const Table& table, const std::string& where) {
    const auto& chain = table.column<std::int32_t>("chain");
    const auto& sweep = table.column<std::int32_t>("sweep");
    std::vector<StoredDraw> draws;
    for (std::size_t first = 0; first < table.n_rows();) {
        std::size_t last = first;
        while (last < table.n_rows() && chain[last] == chain[first] && sweep[last] == sweep[first]) ++last;
        const Arrays arrays(table, first, last, fmt::format("{}: sweep {}", where, sweep[first]));
        draws.push_back(std::visit([&](const auto& any) { return read_draw(any, arrays); }, model));
        draws.back().chain = chain[first];
        draws.back().sweep = sweep[first];
        first = last;
    }
    return draws;
}

}  // namespace hmmlt
