// Typed, checked reading of one table of a configuration.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hmmlt {

struct ConfigNode;

struct IntegerRange {
    std::int64_t min = std::numeric_limits<std::int64_t>::min();
    std::int64_t max = std::numeric_limits<std::int64_t>::max();
};

// An interval; an open end at infinity refuses infinity, a closed one allows it. NaN is in no range.
struct RealRange {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = true;
    bool high_open = true;

    static RealRange positive() { return {.low = 0.0}; }
    static RealRange non_negative() { return {.low = 0.0, .low_open = false}; }
    static RealRange closed(double low, double high) { return {low, high, false, false}; }
    static RealRange open(double low, double high) { return {low, high, true, true}; }
};

// A view of one TOML table. Reading a key makes it known; without a fallback the key is required. A section that the
// file does not have is empty, so that its fallbacks apply. Integers are accepted as reals, never the reverse.
class Section {
  public:
    template <typename T>
    using Fallback = std::optional<T>;
    using Texts = std::vector<std::string>;

    bool has(std::string_view key) const;       // there at all?
    bool is_table(std::string_view key) const;  // for values that are a number or a table

    std::int64_t integer(std::string_view key, IntegerRange range, Fallback<std::int64_t> fallback = {}) const;
    double real(std::string_view key, RealRange range, Fallback<double> fallback = {}) const;
    bool boolean(std::string_view key, Fallback<bool> fallback = {}) const;
    // `allowed` empty: any string.
    std::string text(std::string_view key, const Texts& allowed, Fallback<std::string> fallback = {}) const;
    Section section(std::string_view key) const;

    std::vector<std::int64_t> integers(std::string_view key, IntegerRange range,
                                       Fallback<std::vector<std::int64_t>> fallback = {}) const;
    std::vector<double> reals(std::string_view key, RealRange range, Fallback<std::vector<double>> fallback = {}) const;
    Texts texts(std::string_view key, const Texts& allowed, Fallback<Texts> fallback = {}) const;

    // For rules between keys: "model.toml:12: model.emission: <what>". Throws DataError, or UsageError after --set.
    [[noreturn]] void fail(std::string_view key, std::string_view what) const;

  private:
    friend class Config;
    Section(std::shared_ptr<ConfigNode> node, std::string path, std::string where);

    std::shared_ptr<ConfigNode> find(std::string_view key) const;
    std::string path_of(std::string_view key) const;
    template <typename T, typename Get>
    T read(std::string_view key, const std::string& expected, Fallback<T> fallback, Get get) const;
    template <typename T, typename Get>
    std::vector<T> read_array(std::string_view key, const std::string& expected, Fallback<std::vector<T>> fallback,
                              Get get) const;

    std::shared_ptr<ConfigNode> node_;  // null: the file has no such table
    std::string path_;                  // "model.emission"; empty for the whole file
    std::string where_;                 // "model.toml:12"
};

}  // namespace hmmlt
