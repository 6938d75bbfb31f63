// libFuzzer entry: any bytes as a line for hmmlt-evaluate --stream. They become a step of the right size or a
// DataError; all else is a bug.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "pipelines/evaluate/step_line.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hmmlt;
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    LineFormat channels;
    channels.shape.n_channels = 3;
    LineFormat symbols;
    symbols.shape.n_symbols = 5;
    symbols.labels = {{"a,b", 2}};
    is_blank(line);
    try {
        const arma::mat y = parse_step(line, channels).y;
        if (y.n_elem != 3 || y.has_inf()) std::abort();
    } catch (const DataError&) {
    }
    try {
        const arma::sword symbol = parse_step(line, symbols).symbol.at(0);
        if (symbol < no_symbol || symbol >= 5) std::abort();
    } catch (const DataError&) {
    }
    return 0;
}
