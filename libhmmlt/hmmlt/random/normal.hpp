// Normal draws (Boost.Random's ziggurat).
#pragma once

#include "hmmlt/random/stream.hpp"

namespace hmmlt {

// N(0, 1)
double draw_standard_normal(Stream& rng);

// N(mean, sd^2), sd >= 0
double draw_normal(double mean, double sd, Stream& rng);

}  // namespace hmmlt
