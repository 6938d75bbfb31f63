#include "pipelines/train/records.hpp"

#include <cmath>
#include <span>
#include <stdexcept>

#include "hmmlt/io/checkpoint.hpp"
#include "hmmlt/io/data_tables.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/math/bytes.hpp"

namespace hmmlt {

namespace {

enum class Kind : std::uint8_t { sweep = 1, heldout = 2, draw = 3 };

ByteWriter begin(Kind kind, std::uint32_t sweep) {
    ByteWriter out;
    out.number(static_cast<std::uint8_t>(kind));
    out.number(sweep);
    return out;
}

void put(ByteWriter& out, const std::vector<double>& values) {
    out.number<std::uint64_t>(values.size());
    for (const double value : values) out.number(value);
}

std::vector<double> get_doubles(ByteReader& in) {
    std::vector<double> values(in.number<std::uint64_t>());
    for (double& value : values) value = in.number<double>();
    return values;
}

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;

// Columns of all tables but state_mean, filled record by record.
struct Columns {
    Ints sweep;
    std::vector<Reals> trace;

    Ints timing_sweep;
    std::vector<std::string> block;
    Reals seconds;

    Ints heldout_sweep, heldout_sequence, heldout_n;
    Reals log_likelihood, log_likelihood_expected;

    Ints draw_sweep, draw_i, draw_j;
    std::vector<std::string> variable;
    Reals value;
};

void take_sweep(ByteReader& in, std::int32_t sweep, const ResultNames& names, Columns& columns) {
    const Reals trace = get_doubles(in);
    const Reals seconds = get_doubles(in);
    columns.sweep.push_back(sweep);
    for (std::size_t c = 0; c < names.trace.size(); ++c) columns.trace[c].push_back(trace.at(c));
    for (std::size_t b = 0; b < names.blocks.size(); ++b) {
        columns.timing_sweep.push_back(sweep);
        columns.block.push_back(names.blocks[b]);
        columns.seconds.push_back(seconds.at(b));
    }
}

void take_heldout(ByteReader& in, std::int32_t sweep, const Sequences& test, Columns& columns) {
    arma::vec scores;
    arma::vec expected;
    in.matrix(scores);
    in.matrix(expected);
    for (arma::uword s = 0; s < scores.n_elem; ++s) {
        columns.heldout_sweep.push_back(sweep);
        columns.heldout_sequence.push_back(static_cast<std::int32_t>(s));
        columns.heldout_n.push_back(static_cast<std::int32_t>(test.length(s)));
        columns.log_likelihood.push_back(scores(s));
        columns.log_likelihood_expected.push_back(expected(s));
    }
}

void take_draw(ByteReader& in, std::int32_t sweep, Columns& columns) {
    while (!in.at_end()) {
        const std::string variable = in.text();
        const auto n = in.number<std::uint64_t>();
        for (std::uint64_t cell = 0; cell < n; ++cell) {
            columns.draw_sweep.push_back(sweep);
            columns.variable.push_back(variable);
            columns.draw_i.push_back(in.number<std::int32_t>());
            columns.draw_j.push_back(in.number<std::int32_t>());
            columns.value.push_back(in.number<double>());
        }
    }
}

Columns read_columns(const std::filesystem::path& path, const JournalMark& mark, const ResultNames& names,
                     const Sequences& test) {
    Columns columns;
    columns.trace.resize(names.trace.size());
    read_journal(path, mark, [&](std::string_view record) {
        ByteReader in(record);
        const auto kind = static_cast<Kind>(in.number<std::uint8_t>());
        const auto sweep = static_cast<std::int32_t>(in.number<std::uint32_t>());
        if (kind == Kind::sweep) take_sweep(in, sweep, names, columns);
        if (kind == Kind::heldout) take_heldout(in, sweep, test, columns);
        if (kind == Kind::draw) take_draw(in, sweep, columns);
    });
    return columns;
}

Table begin_table(const char* name, std::uint32_t chain, Ints sweep) {
    Table table(name);
    table.add_column("chain", Ints(sweep.size(), static_cast<std::int32_t>(chain)));
    table.add_column("sweep", std::move(sweep));
    return table;
}

}  // namespace

std::string sweep_record(std::uint32_t sweep, const std::vector<double>& trace, const std::vector<double>& seconds) {
    ByteWriter out = begin(Kind::sweep, sweep);
    put(out, trace);
    put(out, seconds);
    return out.bytes();
}

std::string heldout_record(std::uint32_t sweep, const arma::vec& log_likelihood, const arma::vec& expected) {
    ByteWriter out = begin(Kind::heldout, sweep);
    out.matrix(log_likelihood);
    out.matrix(expected);
    return out.bytes();
}

std::string draw_record(std::uint32_t sweep, const std::vector<DrawArray>& arrays) {
    ByteWriter out = begin(Kind::draw, sweep);
    for (const DrawArray& array : arrays) {
        out.text(array.variable);
        out.number<std::uint64_t>(array.cells.size());
        for (const DrawCell& cell : array.cells) {
            out.number(cell.i);
            out.number(cell.j);
            out.number(cell.value);
        }
    }
    return out.bytes();
}

void RunningMean::add(const arma::umat& values) {
    if (n_ == 0) {
        sum_.zeros(values.n_elem);
        n_rows_ = values.n_rows;
    }
    sum_ += arma::vectorise(values);
    ++n_;
}

arma::mat RunningMean::mean() const {
    if (n_ == 0) return {};
    return arma::reshape(arma::conv_to<arma::mat>::from(sum_), n_rows_, sum_.n_elem / n_rows_) /
           static_cast<double>(n_);
}

std::string RunningMean::bytes() const {
    ByteWriter out;
    out.matrix(sum_);
    out.number(n_rows_);
    out.number(n_);
    return out.bytes();
}

RunningMean RunningMean::from_bytes(std::string_view bytes) {
    ByteReader in(bytes);
    RunningMean mean;
    in.matrix(mean.sum_);
    mean.n_rows_ = in.number<std::uint64_t>();
    mean.n_ = in.number<std::uint64_t>();
    return mean;
}

std::vector<std::string> result_tables() {
    return {"trace", "timing", "heldout", "draws", "state_mean", "channels", "scaling", "vocabulary"};
}

void write_results(const std::filesystem::path& directory, const JournalMark& journal, std::uint32_t chain,
                   const ResultNames& names, const Sequences& test, const Sequences& train, const RunningMean& mean,
                   const Provenance& provenance) {
    Columns columns = read_columns(journal_path(directory), journal, names, test);

    Table trace = begin_table("trace", chain, std::move(columns.sweep));
    for (std::size_t c = 0; c < names.trace.size(); ++c) {
        std::vector<bool> valid;
        for (const double value : columns.trace[c]) valid.push_back(!std::isnan(value));
        trace.add_column(names.trace[c], std::move(columns.trace[c]), std::move(valid));
    }
    write_table(directory / "trace.parquet", trace_schema(), trace, provenance);

    Table timing("timing");
    timing.add_column("sweep", std::move(columns.timing_sweep));
    timing.add_column("block", std::move(columns.block)).add_column("seconds", std::move(columns.seconds));
    write_table(directory / "timing.parquet", timing_schema(), timing, provenance);

    Table heldout = begin_table("heldout", chain, std::move(columns.heldout_sweep));
    heldout.add_column("sequence", std::move(columns.heldout_sequence));
    heldout.add_column("log_likelihood", std::move(columns.log_likelihood));
    heldout.add_column("log_likelihood_expected", std::move(columns.log_likelihood_expected));
    heldout.add_column("n", std::move(columns.heldout_n));
    if (test.count() > 0) write_table(directory / "heldout.parquet", heldout_schema(), heldout, provenance);

    Table draws = begin_table("draws", chain, std::move(columns.draw_sweep));
    draws.add_column("variable", std::move(columns.variable)).add_column("i", std::move(columns.draw_i));
    draws.add_column("j", std::move(columns.draw_j)).add_column("value", std::move(columns.value));
    write_table(directory / "draws.parquet", draws_schema(), draws, provenance);

    if (!mean.empty())
        write_table(directory / "state_mean.parquet", state_mean_schema(), state_mean_table(train, mean.mean()),
                    provenance);
}

}  // namespace hmmlt
