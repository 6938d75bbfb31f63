// While it lives, results too small to be normal numbers are zero. Messages of a filter decay through that range at
// every step, and each operation on such a number costs an x86 CPU about a hundred ordinary ones.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace hmmlt {

// Of this thread only. On other CPUs denormals are slow, or not: nothing is changed there.
class FlushDenormals {
  public:
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;

#if defined(__SSE2__)
    FlushDenormals() : before_(_mm_getcsr()) {
        _mm_setcsr(before_ | flush_results | inputs_are_zero);
    }
    ~FlushDenormals() {
        _mm_setcsr(before_);
    }

  private:
    static constexpr unsigned flush_results = 0x8000;
    static constexpr unsigned inputs_are_zero = 0x0040;
    unsigned before_;
#else
    FlushDenormals() {}
    ~FlushDenormals() {}
#endif
};

}  // namespace hmmlt
