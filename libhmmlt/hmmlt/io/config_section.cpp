// One way to read any value: find it, mark it known, check it, or say what is wrong with it.
#include "hmmlt/io/config_section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hmmlt/io/config_tree.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"

namespace hmmlt {

namespace {

std::string words(IntegerRange range, std::string_view noun) {
    const IntegerRange all;
    if (range.min == all.min && range.max == all.max) return std::string(noun);
    if (range.max == all.max) return fmt::format("{} of at least {}", noun, range.min);
    if (range.min == all.min) return fmt::format("{} of at most {}", noun, range.max);
    return fmt::format("{} in [{}, {}]", noun, range.min, range.max);
}

std::string words(RealRange range, std::string_view noun) {
    return fmt::format("{} in {}{}, {}{}", noun, range.low_open ? '(' : '[', range.low, range.high,
                       range.high_open ? ')' : ']');
}

std::string words(const Section::Texts& allowed, std::string_view noun) {
    if (allowed.empty()) return std::string(noun);
    return fmt::format("{} among \"{}\"", noun, fmt::join(allowed, "\", \""));
}

std::optional<std::int64_t> get_integer(const ConfigNode& node, IntegerRange range) {
    const auto* value = std::get_if<std::int64_t>(&node.value);
    return value != nullptr && *value >= range.min && *value <= range.max ? std::optional(*value) : std::nullopt;
}

std::optional<double> get_real(const ConfigNode& node, RealRange range) {
    constexpr std::int64_t exact = std::int64_t{1} << 53;
    double value = std::numeric_limits<double>::quiet_NaN();
    if (const auto* real = std::get_if<double>(&node.value)) value = *real;
    if (const auto* integer = std::get_if<std::int64_t>(&node.value);
        integer && *integer >= -exact && *integer <= exact)
        value = static_cast<double>(*integer);
    const bool inside = (range.low_open ? value > range.low : value >= range.low) &&
                        (range.high_open ? value < range.high : value <= range.high);
    return inside ? std::optional(value) : std::nullopt;
}

std::optional<std::string> get_text(const ConfigNode& node, const Section::Texts& allowed) {
    const auto* value = std::get_if<std::string>(&node.value);
    const bool good =
        value != nullptr && (allowed.empty() || std::find(allowed.begin(), allowed.end(), *value) != allowed.end());
    return good ? std::optional(*value) : std::nullopt;
}

// A near miss among the allowed words.
std::string hint(const ConfigNode& node, const Section::Texts& allowed) {
    const auto* value = std::get_if<std::string>(&node.value);
    return value == nullptr ? "" : did_you_mean(*value, allowed);
}

}  // namespace

Section::Section(std::shared_ptr<ConfigNode> node, std::string path, std::string where)
    : node_(std::move(node)), path_(std::move(path)), where_(std::move(where)) {}

std::string Section::path_of(std::string_view key) const {
    return join_path(path_, key);
}

std::shared_ptr<ConfigNode> Section::find(std::string_view key) const {
    if (!node_) return nullptr;
    node_->asked.emplace(key);
    const auto found = node_->table()->find(std::string(key));
    return found == node_->table()->end() ? nullptr : found->second;
}

bool Section::has(std::string_view key) const {
    return find(key) != nullptr;
}

bool Section::is_table(std::string_view key) const {
    const auto node = find(key);
    return node && node->table() != nullptr;
}

template <typename T, typename Get>
T Section::read(std::string_view key, const std::string& expected, Fallback<T> fallback, Get get) const {
    const auto node = find(key);
    if (!node && fallback) return *std::move(fallback);
    if (!node) fail(key, fmt::format("expected {}, found nothing", expected));
    node->known = true;
    std::optional<T> value = get(*node);
    if (!value) fail_at(*node, path_of(key), fmt::format("expected {}, found {}", expected, describe(*node)));
    return *std::move(value);
}

template <typename T, typename Get>
std::vector<T> Section::read_array(std::string_view key, const std::string& expected, Fallback<std::vector<T>> fallback,
                                   Get get) const {
    return read<std::vector<T>>(key, expected, std::move(fallback),
                                [&](const ConfigNode& node) -> std::optional<std::vector<T>> {
                                    const auto* array = std::get_if<ConfigNode::Array>(&node.value);
                                    if (array == nullptr) return std::nullopt;
                                    std::vector<T> values;
                                    for (const auto& element : *array) {
                                        std::optional<T> value = get(*element);
                                        if (!value)
                                            fail_at(node, path_of(key),
                                                    fmt::format("expected {}, found {} as element {}", expected,
                                                                describe(*element), values.size()));
                                        values.push_back(*std::move(value));
                                    }
                                    return values;
                                });
}

std::int64_t Section::integer(std::string_view key, IntegerRange range, Fallback<std::int64_t> fallback) const {
    return read(key, words(range, "an integer"), fallback,
                [&](const ConfigNode& node) { return get_integer(node, range); });
}

double Section::real(std::string_view key, RealRange range, Fallback<double> fallback) const {
    return read(key, words(range, "a number"), fallback, [&](const ConfigNode& node) { return get_real(node, range); });
}

bool Section::boolean(std::string_view key, Fallback<bool> fallback) const {
    return read(key, "true or false", fallback, [](const ConfigNode& node) {
        const auto* value = std::get_if<bool>(&node.value);
        return value == nullptr ? std::nullopt : std::optional(*value);
    });
}

std::string Section::text(std::string_view key, const Texts& allowed, Fallback<std::string> fallback) const {
    return read(key, words(allowed, "a string"), std::move(fallback), [&](const ConfigNode& node) {
        std::optional<std::string> value = get_text(node, allowed);
        if (!value)
            fail_at(node, path_of(key),
                    fmt::format("expected {}, found {}{}", words(allowed, "a string"), describe(node),
                                hint(node, allowed)));
        return value;
    });
}

Section Section::section(std::string_view key) const {
    auto node = find(key);
    if (!node) return {nullptr, path_of(key), where_};
    node->known = true;
    if (node->table() == nullptr)
        fail_at(*node, path_of(key), fmt::format("expected a table, found {}", describe(*node)));
    std::string where = node->where;
    return {std::move(node), path_of(key), std::move(where)};
}

std::vector<std::int64_t> Section::integers(std::string_view key, IntegerRange range,
                                            Fallback<std::vector<std::int64_t>> fallback) const {
    return read_array(key, words(range, "an array of integers"), std::move(fallback),
                      [&](const ConfigNode& node) { return get_integer(node, range); });
}

std::vector<double> Section::reals(std::string_view key, RealRange range,
                                   Fallback<std::vector<double>> fallback) const {
    return read_array(key, words(range, "an array of numbers"), std::move(fallback),
                      [&](const ConfigNode& node) { return get_real(node, range); });
}

Section::Texts Section::texts(std::string_view key, const Texts& allowed, Fallback<Texts> fallback) const {
    return read_array(key, words(allowed, "an array of strings"), std::move(fallback),
                      [&](const ConfigNode& node) { return get_text(node, allowed); });
}

void Section::fail(std::string_view key, std::string_view what) const {
    if (const auto node = find(key)) fail_at(*node, path_of(key), what);
    if (node_) fail_at(*node_, path_of(key), what);  // a key that is missing in this table
    throw DataError(fmt::format("{}: {}: {}", where_, path_of(key), what));
}

}  // namespace hmmlt
