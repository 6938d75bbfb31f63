// The columns of a user's table that have no role yet, and the sentences about columns that are asked for in vain.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "hmmlt/io/source_table.hpp"

namespace hmmlt {

class FreeColumns {
  public:
    explicit FreeColumns(const SourceTable& source) : source_(source) {}

    std::vector<std::string> all() const;

    // Those without a role for which `test` holds, in the order of the file.
    template <typename Test>
    std::vector<std::string> which(Test test) const {
        std::vector<std::string> names;
        for (const Column& column : source_.table.columns())
            if (!taken_.contains(column.name) && test(column)) names.push_back(column.name);
        return names;
    }

    void take(const std::string& name) { taken_.insert(name); }

    // A column that a flag names. Throws UsageError if there is none, or if it has a role already; DataError if it
    // holds nothing that can be used.
    std::string take_wished(const std::string& flag, const std::string& name);

    // The only one of `found`. Throws DataError if there is another number of them.
    std::string take_the_one(const std::vector<std::string>& found, std::string_view role, std::string_view flag);

    std::string kind(const std::string& name) const;  // "text", "numbers", "times"
    bool is_label(const Column& column) const;        // text or whole numbers, so that it can name things
    void check_label(const std::string& name, std::string_view flag) const;  // DataError
    void check_numeric(const std::string& name) const;                       // DataError

  private:
    const SourceTable& source_;
    std::set<std::string> taken_;
};

}  // namespace hmmlt
