#include "hmmlt/io/schema.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hmmlt;

TEST_CASE("schema: members of a family") {
    CHECK(family_index("y", "y_0") == 0u);
    CHECK(family_index("y", "y_12") == 12u);
    CHECK(family_member("y", 12) == "y_12");
    for (const char* name : {"y", "y_", "y_01", "y_-1", "y_+1", "y_1x", "x_1", "yy_1", "y_99999999999999999999999"})
        CHECK_FALSE(family_index("y", name).has_value());
}

TEST_CASE("schema: a column finds its spec") {
    REQUIRE(find_spec(observations_schema(), "y_7") != nullptr);
    CHECK(find_spec(observations_schema(), "y_7")->name == "y");
    CHECK(find_spec(observations_schema(), "symbol")->type == ColumnType::int32);
    CHECK(find_spec(observations_schema(), "y") == nullptr);
    CHECK(find_spec(observations_schema(), "symbol_0") == nullptr);
    CHECK(find_spec(trace_schema(), "sweep")->type == ColumnType::int32);
    CHECK(find_spec(trace_schema(), "lambda")->extent == Extent::others);
}

TEST_CASE("schema: every declaration is complete and unambiguous") {
    std::set<std::string> names;
    for (const Schema* schema : all_schemas()) {
        CAPTURE(schema->name);
        CHECK(names.insert(schema->name).second);
        CHECK(schema->version >= 1);
        std::set<std::string> columns;
        for (const ColumnSpec& spec : schema->columns) {
            CAPTURE(spec.name);
            CHECK(columns.insert(spec.name).second);
            CHECK_FALSE(spec.meaning.empty());
        }
    }
    CHECK(names == std::set<std::string>{"channels", "diagnostics", "draws", "evaluation", "heldout", "observations",
                                         "predictions", "scaling", "sequences", "state_mean", "timing", "trace",
                                         "truth", "vocabulary", "weights"});
}

TEST_CASE("schema: names of types") {
    CHECK(type_name(ColumnType::int32) == "int32");
    CHECK(type_name(ColumnType::string) == "string");
}
