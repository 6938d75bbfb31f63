// Checks of text, byte by byte.
#include "pipelines/chorales/text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hmmlt::chorales {

namespace {

// Length of the UTF-8 character that text begins with; 0 if it is none (overlong forms and surrogates included).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const auto follows = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xbf) {
        return byte(i) >= low && byte(i) <= high;
    };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
    if (first >= 0xe0 && first <= 0xef) {
        const bool second = follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
        return second && follows(2) ? 3 : 0;
    }
    if (first >= 0xf0 && first <= 0xf4) {
        const bool second = follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
        return second && follows(2) && follows(3) ? 4 : 0;
    }
    return 0;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t first = text.find_first_not_of(blank);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    text = trimmed(text);
    if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
        if (text.find_first_not_of('0', point + 1) != std::string_view::npos) return {};
        text = text.substr(0, point);
    }
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string safe = "\"";
    std::size_t used = 0;
    while (used < text.size() && used < longest) {
        const std::string_view remaining = text.substr(used);
        const std::size_t length = utf8_length(remaining);
        const auto first = static_cast<unsigned char>(remaining.front());
        const bool blank = first == '\t' || first == '\n' || first == '\r';
        const bool control = first < 0x20 || first == 0x7f || (first == 0xc2 && length == 2 && remaining[1] < '\xa0');
        if (length == 0 || (control && !blank))
            safe += fmt::format("\\x{:02x}", first);
        else
            safe += blank ? " " : remaining.substr(0, length);
        used += length == 0 || control ? 1 : length;
    }
    return safe + (used < text.size() ? "...\"" : "\"");
}

}  // namespace hmmlt::chorales
