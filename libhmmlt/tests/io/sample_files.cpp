// The C++ side of read_back.py. `write DIR` writes every sample table, and a long one, to DIR; `read DIR` reads files
// with the same content that other programs wrote, DIR/<sample>.<program>.parquet, and fails unless they hold the same
// values.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/sample_tables.hpp"

using namespace hmmlt;

namespace {

void write_samples(const std::filesystem::path& directory) {
    for (const testing::Sample& sample : testing::sample_tables())
        write_table(directory / (sample.file + ".parquet"), *sample.schema, sample.table, testing::sample_provenance());
    write_table(directory / "long.parquet", observations_schema(), testing::long_table(), testing::sample_provenance());
}

void read_samples(const std::filesystem::path& directory) {
    int n_files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
        const std::string name = entry.path().filename().string();
        for (const testing::Sample& sample : testing::sample_tables()) {
            if (name.substr(0, name.find('.')) != sample.file) continue;
            const TableFile file = read_table(entry.path(), *sample.schema);
            if (!file.foreign || file.table != sample.table)
                throw DataError(entry.path().string() + ": read another table than expected");
            ++n_files;
        }
    }
    if (n_files == 0) throw DataError(directory.string() + ": no sample files");
    std::printf("%d foreign files read\n", n_files);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string verb = argc == 3 ? argv[1] : "";
        if (verb == "write")
            write_samples(argv[2]);
        else if (verb == "read")
            read_samples(argv[2]);
        else
            throw UsageError("usage: hmmlt_sample_files write|read DIRECTORY");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hmmlt_sample_files: %s\n", error.what());
        return exit_code_for(error);
    }
}
