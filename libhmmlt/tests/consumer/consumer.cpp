// Draws some numbers with hmmlt::core, stores them with hmmlt::io and reads them back.
#include <cstdio>
#include <filesystem>
#include <hmmlt/io/table_file.hpp>
#include <hmmlt/random/gamma.hpp>

int main(int argc, char** argv) {
    if (argc != 2) return 64;
    const std::filesystem::path path = std::filesystem::path(argv[1]) / "weights.parquet";
    hmmlt::Stream rng({.seed = 7});
    hmmlt::Table table("weights");
    table.add_column("feature", std::vector<std::int32_t>{0, 1});
    table.add_column("w_0", std::vector<double>{hmmlt::draw_gamma(0.5, 2.0, rng), hmmlt::draw_gamma(3.0, 2.0, rng)});
    hmmlt::write_table(path, hmmlt::weights_schema(), table, hmmlt::provenance_of_this_process("", 7, {}));
    const bool same = hmmlt::read_table(path, hmmlt::weights_schema()).table == table;
    std::puts(same ? "the table came back" : "the table changed on its way");
    return same ? 0 : 1;
}
