// Beta draws, also where the parameters are so small that x or 1 - x underflows.
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

struct LogBetaDraw {
    double log_x;
    double log_1mx;  // log(1 - x)
};

// X ~ Beta(a, b), as the pair log X, log(1 - X): both are accurate, whichever is close to 0.
LogBetaDraw draw_log_beta(double a, double b, Stream& rng);

// X ~ Beta(a, b) itself; 0 or 1 where X is closer to them than a double can say.
double draw_beta(double a, double b, Stream& rng);

}  // namespace hmmlt
