// Values as text: in messages, and in the canonical form that provenance keeps.
#include "hmmlt/io/config_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hmmlt/io/config.hpp"
#include "hmmlt/io/errors.hpp"

namespace hmmlt {

namespace {

bool is_bare(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

std::string toml_key(const std::string& key) {
    return !key.empty() && std::all_of(key.begin(), key.end(), is_bare) ? key : toml_string(key);
}

// The shortest text that reads back as the same double, and as a double.
std::string toml_real(double number) {
    std::string text = fmt::format("{}", number);
    const bool is_integer_text = text.find_first_not_of("-0123456789") == std::string::npos;
    return is_integer_text ? text + ".0" : text;
}

struct InlineText {
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return std::to_string(value); }
    std::string operator()(double value) const { return toml_real(value); }
    std::string operator()(const std::string& value) const { return toml_string(value); }
    std::string operator()(const ConfigNode::Time& value) const { return value.text; }
    std::string operator()(const ConfigNode::Array& array) const {
        std::string out;
        for (const auto& element : array) out += (out.empty() ? "" : ", ") + std::visit(*this, element->value);
        return "[" + out + "]";
    }
    std::string operator()(const ConfigNode::Table& table) const {
        std::string out;
        for (const auto& [key, node] : table)
            out += (out.empty() ? "" : ", ") + toml_key(key) + " = " + std::visit(*this, node->value);
        return "{" + out + "}";
    }
};

void flatten_into(std::string& out, const std::string& path, const ConfigNode& node) {
    const ConfigNode::Table* table = node.table();
    if (table == nullptr || (table->empty() && !path.empty())) {
        out += path + " = " + std::visit(InlineText{}, node.value) + "\n";
        return;
    }
    for (const auto& [key, child] : *table) flatten_into(out, join_path(path, toml_key(key)), *child);
}

struct Description {
    std::string operator()(bool value) const { return fmt::format("the boolean {}", value); }
    std::string operator()(std::int64_t value) const { return fmt::format("the integer {}", value); }
    std::string operator()(double value) const { return fmt::format("the number {}", toml_real(value)); }
    std::string operator()(const std::string& value) const { return fmt::format("the string {}", toml_string(value)); }
    std::string operator()(const ConfigNode::Time& value) const { return fmt::format("the time {}", value.text); }
    std::string operator()(const ConfigNode::Array&) const { return "an array"; }
    std::string operator()(const ConfigNode::Table&) const { return "a table"; }
};

}  // namespace

std::string toml_string(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (code < 0x20 || code == 0x7f)
            out += fmt::format("\\u{:04X}", code);
        else
            out += c;
    }
    return out += '"';
}

std::string describe(const ConfigNode& node) {
    return std::visit(Description{}, node.value);
}

std::string flatten(const ConfigNode& root) {
    std::string out;
    flatten_into(out, "", root);
    return out;
}

std::string join_path(std::string_view path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void fail_at(const ConfigNode& node, std::string_view path, std::string_view what) {
    const std::string message = fmt::format("{}: {}: {}", node.where, path, what);
    if (node.from_command_line) throw UsageError(message);
    throw DataError(message);
}

}  // namespace hmmlt
