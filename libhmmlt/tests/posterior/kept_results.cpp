#include "posterior/kept_results.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <optional>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/hash.hpp"

namespace hmmlt::testing {

namespace {

// Line 1: how many, and of what; then one hexadecimal number a line, so that reading loses no bit.
std::string header(const std::string& what, std::size_t n) {
    return fmt::format("{} numbers of {}", n, what);
}

// Nothing if the file is not there or not what was written.
std::optional<std::vector<double>> read(const std::filesystem::path& path, const std::string& what) {
    std::ifstream file(path);
    std::string first;
    if (!std::getline(file, first)) return {};
    std::vector<double> numbers;
    for (std::string line; std::getline(file, line);) {
        char* end = nullptr;
        numbers.push_back(std::strtod(line.c_str(), &end));
        if (end == line.c_str() || *end != '\0') return {};
    }
    if (first != header(what, numbers.size())) return {};
    return numbers;
}

}  // namespace

KeptResults::KeptResults(std::filesystem::path folder, std::string executable_sha256)
    : folder_(std::move(folder)), executable_sha256_(std::move(executable_sha256)) {
    if (!folder_.empty()) make_directories(folder_);
}

std::vector<double> KeptResults::get(const std::string& name,
                                     const std::function<std::vector<double>()>& compute) const {
    if (folder_.empty()) return compute();
    const std::string what = fmt::format("{} by {}", name, executable_sha256_);
    const std::filesystem::path path = folder_ / (sha256_of_text(what) + ".txt");
    if (const auto kept = read(path, what)) return *kept;
    const std::vector<double> numbers = compute();
    std::string text = header(what, numbers.size()) + "\n";
    for (const double number : numbers) text += fmt::format("{:a}\n", number);
    write_text_atomically(path, text);
    return numbers;
}

}  // namespace hmmlt::testing
