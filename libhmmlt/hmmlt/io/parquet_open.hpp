// Private to io/: Parquet files opened with every check we can make. Parquet is only forward-declared.
#pragma once

#include <filesystem>
#include <memory>

#include "hmmlt/io/errors.hpp"

namespace parquet::arrow {
class FileReader;
}

namespace hmmlt {

// Throws IoError if there is no such file, DataError if it does not begin and end as Parquet does: Arrow's own messages
// for these are puzzling.
void check_looks_like_parquet(const std::filesystem::path& path);

// One thread, page checksums verified. Throws an exception of Parquet's.
std::unique_ptr<parquet::arrow::FileReader> open_parquet(const std::filesystem::path& path);

// Runs `read` on a file that looks like Parquet; what Parquet throws becomes a sentence of ours.
template <typename Read>
auto with_our_errors(const std::filesystem::path& path, const Read& read) {
    check_looks_like_parquet(path);
    try {
        return read();
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw IoError("cannot read " + path.string() + ": not enough memory, or the file is damaged");
    } catch (const std::exception& error) {
        throw DataError(path.string() + ": damaged Parquet file: " + error.what());
    }
}

}  // namespace hmmlt
