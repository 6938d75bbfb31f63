// Any bytes are a score for four voices, or one printable sentence says why not.
#include "pipelines/chorales/score_file.hpp"
#include "pipelines/fuzz/score_checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hmmlt::chorales;
    check_reading([&] { return read_score({reinterpret_cast<const char*>(data), size}); });
    return 0;
}
