// Strict configuration: TOML in, typed values out. Every key must be asked for by somebody, every value must be in its
// range, and every complaint names file, line, key, what was expected and what was found.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "hmmlt/io/config_section.hpp"

namespace hmmlt {

class Config {
  public:
    static Config load(const std::filesystem::path& path);              // IoError, DataError
    static Config parse(std::string_view text, std::string_view name);  // `name` stands in messages for the file

    // "model.n_states=200": the value is TOML, or a bare word, which is a string. A table replaces the whole table.
    void set(std::string_view assignment);  // UsageError

    Section root() const;
    Section section(std::string_view key) const { return root().section(key); }

    // Call before anything is read, with the path of every key that may stand in such a file ("model.emission.kind"):
    // throws for the first one that is none of them. A misspelt key would else be complained of as a missing one.
    void reject_all_but(std::span<const std::string_view> paths) const;

    // Call when everything has been read: throws for the first key nobody asked for, with the nearest known one.
    void reject_unknown() const;

    // The configuration in force, --set included: one `key = value` per line, each table's keys sorted, itself TOML.
    std::string canonical_text() const;

  private:
    explicit Config(std::shared_ptr<ConfigNode> root) : root_(std::move(root)) {}

    std::shared_ptr<ConfigNode> root_;
};

// Text as TOML writes it, in quotes: for stages whose provenance keeps flags instead of a file.
std::string toml_string(std::string_view text);

}  // namespace hmmlt
