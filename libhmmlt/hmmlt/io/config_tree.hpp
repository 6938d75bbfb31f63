// Private to io/: a parsed TOML document as plain values that remember where they stand and who asked for them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hmmlt {

struct ConfigNode {
    struct Time {
        std::string text;  // TOML's dates and times; no key of ours is one
    };
    using Array = std::vector<std::shared_ptr<ConfigNode>>;
    using Table = std::map<std::string, std::shared_ptr<ConfigNode>>;

    std::variant<bool, std::int64_t, double, std::string, Time, Array, Table> value;
    std::string where;  // "model.toml:12" or "--set model.n_states=200"
    std::int64_t line = 0;
    bool from_command_line = false;
    bool known = false;           // has been read
    std::set<std::string> asked;  // of a table: the keys somebody looked for

    Table* table() { return std::get_if<Table>(&value); }
    const Table* table() const { return std::get_if<Table>(&value); }
};

// `the string "600"`, `the integer 5`, `a table`, ...
std::string describe(const ConfigNode& node);

// `a.b = 1` lines, the keys of each table sorted by their bytes, that parse to the same tree.
std::string flatten(const ConfigNode& root);

std::string join_path(std::string_view path, std::string_view key);

// Throws UsageError for a value set on the command line, DataError for one from a file.
[[noreturn]] void fail_at(const ConfigNode& node, std::string_view path, std::string_view what);

}  // namespace hmmlt
