#include "hmmlt/math/blas.hpp"

#include <doctest/doctest.h>

#include <set>

TEST_CASE("blas: says what runs, and runs on one thread when told to") {
    hmmlt::use_one_blas_thread();
    const hmmlt::BlasInfo info = hmmlt::blas_info();
    CHECK(info.library.starts_with("OpenBLAS "));
    CHECK_FALSE(info.core.empty());
    CHECK(info.threads == 1);
}

TEST_CASE("blas: the preferred core is one OpenBLAS knows") {
    const std::set<std::string> known{"", "Sandybridge", "Haswell", "SkylakeX"};
    CHECK(known.contains(hmmlt::preferred_blas_core()));
}
