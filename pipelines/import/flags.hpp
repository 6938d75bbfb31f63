// The command line of hmmlt-import.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "hmmlt/io/source_table.hpp"
#include "pipelines/import/data_set.hpp"
#include "pipelines/import/roles.hpp"

namespace hmmlt {

struct ImportFlags {
    std::filesystem::path in;
    std::filesystem::path out;
    SourceFormat format = SourceFormat::by_name;
    CsvOptions csv;
    Wishes wishes;
    TestPart test;
    bool standardise = false;
    std::filesystem::path like;  // a data directory, or that of a chain; empty: none
    std::string canonical_text;  // what determines the tables, besides the file and the seed: TOML, defaults left out

    bool has_test() const { return test.fraction > 0.0 || !test.names.empty(); }
};

ImportFlags parse_import_flags(int argc, char** argv);  // throws UsageError, HelpShown

}  // namespace hmmlt
