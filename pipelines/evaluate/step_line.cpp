#include "pipelines/evaluate/step_line.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// What was found, for a message: a line may be of any length and hold any bytes.
std::string quoted(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string safe;
    for (const char c : text.substr(0, longest)) safe += c >= ' ' && c <= '~' ? c : '?';
    return fmt::format("\"{}{}\"", safe, text.size() > longest ? "..." : "");
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
    if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

double parse_value(std::string_view text, arma::uword channel) {
    if (text.empty() || text == "NA") return arma::datum::nan;
    double value = 0.0;
    if (!read_number(text, value) || !std::isfinite(value))
        throw DataError(
            fmt::format("y_{}: expected a finite number, or NA where it is missing, found {}", channel, quoted(text)));
    return value;
}

std::vector<std::string_view> split(std::string_view line) {
    std::vector<std::string_view> parts;
    for (std::size_t comma = line.find(','); comma != std::string_view::npos; comma = line.find(',')) {
        parts.push_back(trimmed(line.substr(0, comma)));
        line.remove_prefix(comma + 1);
    }
    parts.push_back(trimmed(line));
    return parts;
}

arma::sword parse_symbol(std::string_view text, const LineFormat& format) {
    if (const auto label = format.labels.find(text); label != format.labels.end()) return label->second;
    if (text == "NA") return no_symbol;
    const auto n_symbols = static_cast<std::int64_t>(*format.shape.n_symbols);
    std::int64_t symbol = 0;
    if (!read_number(text, symbol) || symbol < 0 || symbol >= n_symbols)
        throw DataError(fmt::format("expected a symbol from 0 to {}{}, or NA where it is missing, found {}",
                                    n_symbols - 1, format.labels.empty() ? "" : " or a label of the vocabulary",
                                    quoted(text)));
    return static_cast<arma::sword>(symbol);
}

}  // namespace

bool is_blank(std::string_view line) {
    return trimmed(line).empty();
}

Observations parse_step(std::string_view line, const LineFormat& format) {
    Observations step{Sequences::of_lengths({1}), {}, {}};
    if (format.shape.n_symbols) {
        step.symbol = arma::ivec{parse_symbol(trimmed(line), format)};
        return step;
    }
    const std::vector<std::string_view> parts = split(trimmed(line));
    if (parts.size() != *format.shape.n_channels)
        throw DataError(
            fmt::format("expected {} values between commas, found {}", *format.shape.n_channels, parts.size()));
    step.y.set_size(parts.size(), 1);
    for (arma::uword channel = 0; channel < parts.size(); ++channel)
        step.y(channel, 0) = parse_value(parts[channel], channel);
    return step;
}

}  // namespace hmmlt
