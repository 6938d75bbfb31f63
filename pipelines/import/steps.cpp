// Times are compared as they are read, whole numbers or doubles: nanoseconds since 1970 do not fit in a double.
#include "pipelines/import/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

void check_no_null(const SourceTable& source, const Column& column) {
    for (std::size_t row = 0; row < column.valid.size(); ++row)
        if (!column.valid[row])
            throw DataError(fmt::format("{}: {}, column {}: expected a value in every row, found none", source.file,
                                        source.place(row), column.name));
}

// The times of rows, or the numbers of rows where there is no column of times.
class Times {
  public:
    Times(const SourceTable& source, const std::string& name) {
        if (name.empty()) return;
        const Column& column = source.table.at(name);
        check_no_null(source, column);
        whole_ = std::get_if<std::vector<std::int64_t>>(&column.values);
        real_ = std::get_if<std::vector<double>>(&column.values);
        for (std::size_t row = 0; real_ != nullptr && row < real_->size(); ++row)
            if (!std::isfinite((*real_)[row]))
                throw DataError(fmt::format("{}: {}, column {}: expected a finite number, found {}", source.file,
                                            source.place(row), name, (*real_)[row]));
    }

    bool less(std::size_t a, std::size_t b) const {
        if (whole_ != nullptr) return (*whole_)[a] < (*whole_)[b];
        return real_ != nullptr ? (*real_)[a] < (*real_)[b] : a < b;
    }

    double gap(std::size_t a, std::size_t b) const {
        if (whole_ != nullptr)  // as unsigned numbers, the difference cannot overflow
            return static_cast<double>(static_cast<std::uint64_t>((*whole_)[b]) -
                                       static_cast<std::uint64_t>((*whole_)[a]));
        return real_ != nullptr ? (*real_)[b] - (*real_)[a] : 1.0;
    }

  private:
    const std::vector<std::int64_t>* whole_ = nullptr;
    const std::vector<double>* real_ = nullptr;
};

Numbering sequences_of_rows(const SourceTable& source, const std::string& column) {
    if (!column.empty()) return number_labels(source, source.table.at(column));
    const std::string stem = std::filesystem::path(source.file).stem().string();
    return {{stem.empty() ? "data" : stem}, std::vector<std::uint32_t>(source.table.n_rows(), 0)};
}

void note_spacing(const SourceTable& source, const std::string& time, double smallest, double largest, Steps& steps) {
    if (!(largest > 1.01 * smallest)) return;
    const auto tick = source.times.find(time);
    const double seconds = tick == source.times.end() ? 0.0 : tick->second * smallest;
    const bool in_days = seconds >= 86400.0;
    const double unit = seconds == 0.0 ? 1.0 : in_days ? tick->second / 86400.0 : tick->second;
    steps.notes.push_back(fmt::format("by {}, steps are {:.6g} to {:.6g}{} apart; only their order counts", time,
                                      unit * smallest, unit * largest,
                                      seconds == 0.0 ? ""
                                      : in_days      ? " days"
                                                     : " seconds"));
}

}  // namespace

Numbering number_labels(const SourceTable& source, const Column& column) {
    check_no_null(source, column);
    Numbering numbering;
    std::unordered_map<std::string, std::uint32_t> known;
    const auto* texts = std::get_if<std::vector<std::string>>(&column.values);
    const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values);
    numbering.of_row.reserve(column.size());
    for (std::size_t row = 0; row < column.size(); ++row) {
        const std::string label = texts != nullptr ? (*texts)[row] : std::to_string((*whole)[row]);
        const auto [entry, is_new] = known.emplace(label, static_cast<std::uint32_t>(numbering.names.size()));
        if (is_new) numbering.names.push_back(label);
        numbering.of_row.push_back(entry->second);
    }
    return numbering;
}

Steps order_steps(const SourceTable& source, const Roles& roles) {
    const Times times(source, roles.time);
    const Numbering sequence = sequences_of_rows(source, roles.sequence);
    const auto before = [&](std::size_t a, std::size_t b) {
        if (sequence.of_row[a] != sequence.of_row[b]) return sequence.of_row[a] < sequence.of_row[b];
        return times.less(a, b);
    };
    Steps steps;
    steps.sequence_names = sequence.names;
    steps.rows.resize(source.table.n_rows());
    std::iota(steps.rows.begin(), steps.rows.end(), std::size_t{0});
    if (!std::is_sorted(steps.rows.begin(), steps.rows.end(), before)) {
        std::stable_sort(steps.rows.begin(), steps.rows.end(), before);
        steps.notes.push_back("the rows were put in the order of sequence and time");
    }

    std::vector<arma::uword> lengths(sequence.names.size(), 0);
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    for (std::size_t i = 0; i < steps.rows.size(); ++i) {
        const std::size_t row = steps.rows[i];
        const std::size_t last = steps.rows[i == 0 ? 0 : i - 1];
        const bool is_new_step = i == 0 || before(last, row);
        if (!is_new_step && roles.layout == Layout::wide)
            throw DataError(
                fmt::format("{}: {} and {} have the same {}: one step must have one row (if {} is not the "
                            "time, say --time)",
                            source.file, source.place(last), source.place(row),
                            roles.sequence.empty() ? roles.time : roles.sequence + " and " + roles.time, roles.time));
        if (is_new_step) ++lengths[sequence.of_row[row]];
        if (is_new_step && i > 0 && sequence.of_row[last] == sequence.of_row[row]) {
            smallest = std::min(smallest, times.gap(last, row));
            largest = std::max(largest, times.gap(last, row));
        }
        steps.of_rows.push_back(i == 0 ? 0 : steps.of_rows.back() + (is_new_step ? 1 : 0));
    }
    steps.sequences = Sequences::of_lengths(lengths);
    note_spacing(source, roles.time, smallest, largest, steps);
    return steps;
}

}  // namespace hmmlt
