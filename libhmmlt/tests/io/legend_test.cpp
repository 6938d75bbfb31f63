#include "hmmlt/io/legend.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/table_file.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

const Legend weather{{"rain", "wind"}, {}, Scaling{{1.0, -2.0}, {0.5, 4.0}}};

void write_files(const std::filesystem::path& directory, const Legend& legend) {
    std::filesystem::create_directories(directory);
    for (const auto& [schema, table] : legend_tables(legend))
        write_table(directory / (schema->name + ".parquet"), *schema, table, sample_provenance());
}

std::string complaint_about_legend(const Legend& expected, const Legend& found) {
    return failure<DataError>([&] { check_same_meaning(expected, found, "f", "as before"); });
}

}  // namespace

TEST_CASE("legend: comes back as it was written") {
    const ScratchDirectory scratch;
    write_files(scratch / "a", weather);
    std::map<std::string, std::string> inputs;
    const Legend found = read_legend(scratch / "a", inputs);
    CHECK(found.channels == weather.channels);
    CHECK(found.labels.empty());
    CHECK(arma::approx_equal(found.scaling->mean, weather.scaling->mean, "absdiff", 0.0));
    CHECK(arma::approx_equal(found.scaling->sd, weather.scaling->sd, "absdiff", 0.0));
    CHECK(inputs.size() == 2);
    CHECK(inputs.at("scaling").size() == 64);
    write_files(scratch / "b", {{}, {"do", "re"}, {}});
    CHECK(read_legend(scratch / "b", inputs).labels == std::vector<std::string>{"do", "re"});
    CHECK_FALSE(read_legend(scratch / "nothing", inputs).scaling);
}

TEST_CASE("legend: values are scaled channel by channel, and missing ones stay missing") {
    arma::mat y{{2.0, NAN}, {2.0, -2.0}};
    apply(*weather.scaling, y);
    CHECK(y(0, 0) == 2.0);
    CHECK(std::isnan(y(0, 1)));
    CHECK(y(1, 0) == 1.0);
    CHECK(y(1, 1) == 0.0);
}

TEST_CASE("legend: what means something else is named") {
    CHECK(complaint_about_legend(weather, weather) == "nothing was thrown");
    Legend other = weather;
    other.channels = {"rain", "sun"};
    CHECK(complaint_about_legend(weather, other) == "f: expected y_1 to be wind, as before, found sun");
    other.channels.clear();
    CHECK(complaint_about_legend(weather, other) == "nothing was thrown");  // nobody said
    other.channels = {"rain"};
    CHECK(complaint_about_legend(weather, other) == "f: expected y_1 to be wind, as before, found nothing");
    other = weather;
    other.scaling = Scaling{{1.0, -2.0}, {0.5, 5.0}};
    CHECK(complaint_about_legend(weather, other) ==
          "f: expected y_1 less -2 and divided by 4, as before, found it less -2 and divided by 5; hmmlt-import --like "
          "scales alike");
    other.scaling.reset();
    CHECK(complaint_about_legend(weather, other)
              .starts_with("f: expected y_0 less 1 and divided by 0.5, as before, found it as it was measured"));
    CHECK(complaint_about_legend(other, weather)
              .starts_with("f: expected y_0 as it was measured, as before, found it less 1"));
    CHECK(complaint_about_legend({{}, {"do", "re"}, {}}, {{}, {"re", "do"}, {}}) ==
          "f: expected symbol 0 to be do, as before, found re");
}

TEST_CASE("legend: tables that cannot be one") {
    const ScratchDirectory scratch;
    const auto reading = [&](const std::string& name) {
        return failure<DataError>([&] {
            std::map<std::string, std::string> inputs;
            read_legend(scratch / name, inputs);
        });
    };
    write_files(scratch / "flat", {{}, {}, Scaling{{0.0}, {0.0}}});
    CHECK(reading("flat").ends_with("scaling.parquet: row 0: expected a finite mean and an sd above 0, found 0 and 0"));
    Table channels("channels");
    channels.add_column("channel", Ints{0, 2}).add_column("name", Texts{"a", "b"});
    std::filesystem::create_directories(scratch / "gap");
    write_table(scratch / "gap/channels.parquet", channels_schema(), channels, sample_provenance());
    CHECK(reading("gap").ends_with("channels.parquet: row 1: expected each channel from 0 to 1 once, found 2"));
}
