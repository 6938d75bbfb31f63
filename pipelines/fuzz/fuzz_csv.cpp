// libFuzzer entry: any bytes as the CSV file of hmmlt-import. They become a data set or an hmmlt::Error; all else is a
// bug. Links hmmlt_import.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "pipelines/import/meaning.hpp"
#include "pipelines/import/summary.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hmmlt;
    const Wishes wishes;
    CsvOptions options;
    options.keep_as_text = [&wishes](std::string_view name) { return is_read_as_text(name, wishes); };
    try {
        const SourceTable source =
            read_csv(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.csv", options);
        const Roles roles = find_roles(source, wishes);
        const ImportedData data_set = make_data_set(source, roles);
        summary(source, roles, data_set);
        auto [train, test] = split(data_set, {.fraction = 0.5, .names = {}, .seed = 1});
        if (train.observations.y.is_empty()) return 0;
        std::vector<std::string> notes;
        const Scaling scaling = scaling_of(train, notes);
        standardise(train, scaling);
        if (train.observations.y.has_inf()) std::abort();
        standardise(test, scaling);
    } catch (const Error&) {
    }
    return 0;
}
