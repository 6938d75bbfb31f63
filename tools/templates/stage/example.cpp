// hmmlt-example: how many steps of each sequence were observed. Say here what your stage is for.
#include <fmt/format.h>

#include <chrono>

#include "hmmlt/io/data_directory.hpp"
#include "hmmlt/io/table_file.hpp"
#include "pipelines/stage/command_line.hpp"
#include "pipelines/stage/output_directory.hpp"
#include "pipelines/stage/stage.hpp"

namespace {

using namespace hmmlt;
namespace fs = std::filesystem;

// A table that other stages read is declared in hmmlt/io/schema.cpp and documented in docs/formats.md instead.
const Schema example_schema{
    .name = "example",
    .version = 1,
    .columns = {
        {"sequence", ColumnType::int32, false, Presence::required, Extent::single, "number of the sequence, from 0"},
        {"n_steps", ColumnType::int32, false, Presence::required, Extent::single, "its steps"},
        {"n_observed", ColumnType::int32, false, Presence::required, Extent::single, "those with no missing value"}}};

bool is_observed(const Observations& data, arma::uword step) {
    return data.symbol.is_empty() ? data.y.col(step).is_finite() : data.symbol(step) != no_symbol;
}

Table count(const Observations& data) {
    std::vector<std::int32_t> sequence, n_steps, n_observed;
    for (arma::uword s = 0; s < data.sequences.count(); ++s) {
        sequence.push_back(static_cast<std::int32_t>(s));
        n_steps.push_back(static_cast<std::int32_t>(data.sequences.length(s)));
        n_observed.push_back(0);
        for (arma::uword step = data.sequences.first[s]; step < data.sequences.first[s + 1]; ++step)
            if (is_observed(data, step)) ++n_observed.back();
    }
    Table table("example");
    table.add_column("sequence", sequence).add_column("n_steps", n_steps).add_column("n_observed", n_observed);
    return table;
}

void example(int argc, char** argv) {
    const auto started = std::chrono::system_clock::now();
    fs::path data_directory;
    fs::path out;
    CommandLine flags("hmmlt-example", "Count the steps of each sequence, and those that were observed.",
                      "hmmlt-example --data datasets/synthetic/prepared/set-1 --out results/example");
    flags.required_path("--data", data_directory, "data directory: observations.parquet and what belongs to it");
    flags.required_path("--out", out, "directory to write: example.parquet, provenance.json");
    flags.parse(argc, argv);

    refuse_to_write_into(out, {data_directory});
    const DataDirectory data = read_data_directory(data_directory);
    const Table table = count(data.train.observations);
    const Provenance provenance = provenance_of_this_process("", std::nullopt, data.inputs);
    const OutputDirectory directory(out);
    write_table(out / "example.parquet", example_schema, table, provenance);
    directory.finish(provenance, run_record(argc, argv, started));
    fmt::print("{}: {} sequence{}\n", out.string(), table.n_rows(), table.n_rows() == 1 ? "" : "s");
}

}  // namespace

int main(int argc, char** argv) {
    return hmmlt::run_stage(argc, argv, example);
}
