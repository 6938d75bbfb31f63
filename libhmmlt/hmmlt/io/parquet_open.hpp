// Private to io/: Parquet files opened with every check we can make. Parquet is only forward-declared.
#pragma once

#include <filesystem>
#include <memory>

namespace parquet::arrow {
class FileReader;
}

namespace hmmlt {

// Throws IoError if there is no such file, DataError if it does not begin and end as Parquet does: Arrow's own messages
// for these are puzzling.
void check_looks_like_parquet(const std::filesystem::path& path);

// One thread, page checksums verified. Throws an exception of Parquet's.
std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::filesystem::path& path);

}  // namespace hmmlt
