// Which BLAS runs under Armadillo. Debian's OpenBLAS may not know a recent CPU and then picks a slow core, and its
// threads slow small products down; both change the bytes of a result, so provenance records them.
#pragma once

#include <string>

namespace hmmlt {

struct BlasInfo {
    std::string library;  // e.g. "OpenBLAS 0.3.21"
    std::string core;     // e.g. "Haswell"
    int threads = 1;

    bool operator==(const BlasInfo&) const = default;
};

BlasInfo blas_info();
void use_one_blas_thread();

// The OpenBLAS core that suits this CPU (its vector instructions, not its name), or the one this build pins
// (HMMLT_BLAS_CORE); empty where there is nothing to prefer. It takes effect only through the environment variable
// OPENBLAS_CORETYPE at the start of a process.
std::string preferred_blas_core();

}  // namespace hmmlt
