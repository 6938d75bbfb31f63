// Asks OpenBLAS what it is.
#include "hmmlt/math/blas.hpp"

extern "C" {
char* openblas_get_corename();
char* openblas_get_config();
int openblas_get_num_threads();
void openblas_set_num_threads(int);
}

namespace hmmlt {

namespace {

// "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ..." -> "OpenBLAS 0.3.21"
std::string first_two_words(const std::string& text) {
    const auto first = text.find(' ');
    return first == std::string::npos ? text : text.substr(0, text.find(' ', first + 1));
}

}  // namespace

BlasInfo blas_info() {
    return {first_two_words(openblas_get_config()), openblas_get_corename(), openblas_get_num_threads()};
}

void use_one_blas_thread() {
    openblas_set_num_threads(1);
}

std::string preferred_blas_core() {
    const std::string pinned = HMMLT_BLAS_CORE;
    if (!pinned.empty()) return pinned;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return "SkylakeX";
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
    if (__builtin_cpu_supports("avx")) return "Sandybridge";
#endif
    return "";
}

}  // namespace hmmlt
