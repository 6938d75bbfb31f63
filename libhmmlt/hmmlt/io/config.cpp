// TOML -> tree, overrides, and the search for keys that nobody knows. toml++ stays in this file.
#include "hmmlt/io/config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "hmmlt/io/config_tree.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/suggestion.hpp"

namespace hmmlt {

namespace {

// Where nodes come from: "model.toml" (each adds its line) or "--set a=1".
struct Origin {
    std::string name;
    bool from_command_line;
};

std::shared_ptr<ConfigNode> tree_of(const toml::node& node, const toml::source_region& region, const Origin& origin) {
    auto out = std::make_shared<ConfigNode>();
    out->line = region.begin.line;
    out->where = origin.from_command_line ? origin.name : fmt::format("{}:{}", origin.name, out->line);
    out->from_command_line = origin.from_command_line;
    if (const auto* table = node.as_table()) {
        ConfigNode::Table children;
        for (const auto& [key, child] : *table)
            children.emplace(std::string(key.str()), tree_of(child, key.source(), origin));
        out->value = std::move(children);
    } else if (const auto* array = node.as_array()) {
        ConfigNode::Array elements;
        for (const toml::node& element : *array) elements.push_back(tree_of(element, element.source(), origin));
        out->value = std::move(elements);
    } else if (const auto* boolean = node.as_boolean()) {
        out->value = boolean->get();
    } else if (const auto* integer = node.as_integer()) {
        out->value = integer->get();
    } else if (const auto* real = node.as_floating_point()) {
        out->value = real->get();
    } else if (const auto* text = node.as_string()) {
        out->value = text->get();
    } else {
        std::ostringstream time;
        node.visit([&time](const auto& value) { time << value; });
        out->value = ConfigNode::Time{time.str()};
    }
    return out;
}

bool is_bare_word(std::string_view text) {
    constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+";
    return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

[[noreturn]] void fail_assignment(std::string_view assignment, std::string_view what) {
    throw UsageError(
        fmt::format("--set {}: expected key=value, where the value is TOML or a bare word; {}", assignment, what));
}

toml::table parse_assignment(std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) fail_assignment(assignment, "there is no =");
    if (assignment.find_first_of("\r\n") != std::string_view::npos)
        fail_assignment(assignment, "there is a line break");
    try {
        return toml::parse(assignment);
    } catch (const toml::parse_error& first_error) {
        const std::string_view value = assignment.substr(equals + 1);
        if (!is_bare_word(value)) fail_assignment(assignment, first_error.description());
        try {
            return toml::parse(fmt::format("{}\"{}\"", assignment.substr(0, equals + 1), value));
        } catch (const toml::parse_error& error) {
            fail_assignment(assignment, error.description());
        }
    }
}

struct Unknown {
    const ConfigNode* node;
    std::string path;
    std::string key;
    std::vector<std::string> candidates;  // what it may have been meant to be
};

// Throws for the one that stands first: those of the file, then those of --set.
void reject(const std::vector<Unknown>& unknown) {
    if (unknown.empty()) return;
    const auto first = std::min_element(unknown.begin(), unknown.end(), [](const Unknown& a, const Unknown& b) {
        return std::tuple(a.node->from_command_line, a.node->line) <
               std::tuple(b.node->from_command_line, b.node->line);
    });
    std::string help = did_you_mean(first->key, first->candidates);
    if (help.empty() && !first->candidates.empty())
        help = fmt::format("; known here: {}", fmt::join(first->candidates, ", "));
    fail_at(*first->node, first->path, "unknown key" + help);
}

void collect_unread(const ConfigNode& table, const std::string& path, std::vector<Unknown>& out) {
    for (const auto& [key, node] : *table.table()) {
        const std::string key_path = join_path(path, key);
        if (!node->known) {
            std::vector<std::string> candidates(table.asked.begin(), table.asked.end());
            std::erase(candidates, key);  // looked for, but never read
            out.push_back({node.get(), key_path, key, std::move(candidates)});
        } else if (node->table() != nullptr) {
            collect_unread(*node, key_path, out);
        }
    }
}

// The keys that the table at `path` may have, each once; none if it is not among the paths, or no table there.
std::vector<std::string> keys_at(const std::string& path, std::span<const std::string_view> paths) {
    const std::string prefix = path.empty() ? "" : path + ".";
    std::set<std::string> keys;
    for (const std::string_view known : paths)
        if (known.starts_with(prefix)) {
            const std::string_view rest = known.substr(prefix.size());
            keys.emplace(rest.substr(0, rest.find('.')));
        }
    return {keys.begin(), keys.end()};
}

void collect_unlisted(const ConfigNode& table, const std::string& path, std::span<const std::string_view> paths,
                      std::vector<Unknown>& out) {
    const std::vector<std::string> keys = keys_at(path, paths);
    if (keys.empty()) return;  // not a table: its reader says so
    for (const auto& [key, node] : *table.table()) {
        const std::string key_path = join_path(path, key);
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            out.push_back({node.get(), key_path, key, keys});
        else if (node->table() != nullptr)
            collect_unlisted(*node, key_path, paths, out);
    }
}

}  // namespace

Config Config::load(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw system_error("read", path.string(), EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) throw system_error("read", path.string(), errno);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (file.bad()) throw system_error("read", path.string(), EIO);
    return parse(text, path.string());
}

Config Config::parse(std::string_view text, std::string_view name) {
    const Origin origin{std::string(name), false};
    try {
        const toml::table table = toml::parse(text);
        auto root = tree_of(table, table.source(), origin);
        root->where = origin.name;
        root->known = true;
        return Config(std::move(root));
    } catch (const toml::parse_error& error) {
        const auto& position = error.source().begin;
        throw DataError(
            fmt::format("{}:{}:{}: not TOML: {}", name, position.line, position.column, error.description()));
    }
}

void Config::set(std::string_view assignment) {
    const Origin origin{fmt::format("--set {}", assignment), true};
    const toml::table parsed = parse_assignment(assignment);
    const toml::table* level = &parsed;
    ConfigNode* target = root_.get();
    std::string path;
    // A dotted key makes nested tables with one entry each; an inline table is the value itself.
    while (true) {
        if (level->size() != 1) fail_assignment(assignment, "there is no key");
        const auto entry = level->cbegin();
        const toml::key& key = entry->first;
        const toml::node& value = entry->second;
        path = join_path(path, key.str());
        auto& child = (*target->table())[std::string(key.str())];
        const toml::table* next = value.as_table();
        if (next == nullptr || next->is_inline()) {
            child = tree_of(value, key.source(), origin);
            return;
        }
        if (!child) {
            child = std::make_shared<ConfigNode>();
            child->value = ConfigNode::Table{};
            child->where = origin.name;
            child->from_command_line = true;
        } else if (child->table() == nullptr) {
            throw UsageError(fmt::format("{}: {} is {}, not a table", origin.name, path, describe(*child)));
        }
        target = child.get();
        level = next;
    }
}

Section Config::root() const {
    return {root_, "", root_->where};
}

void Config::reject_all_but(std::span<const std::string_view> paths) const {
    std::vector<Unknown> unknown;
    collect_unlisted(*root_, "", paths, unknown);
    reject(unknown);
}

void Config::reject_unknown() const {
    std::vector<Unknown> unknown;
    collect_unread(*root_, "", unknown);
    reject(unknown);
}

std::string Config::canonical_text() const {
    return flatten(*root_);
}

}  // namespace hmmlt
