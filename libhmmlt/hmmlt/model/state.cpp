#include "hmmlt/model/state.hpp"

#include "hmmlt/math/equality.hpp"

namespace hmmlt {

bool operator==(const State& a, const State& b) {
    return a.gamma == b.gamma && a.c == b.c && a.rho == b.rho && a.lambda == b.lambda &&
           same_values(a.log_beta, b.log_beta) && same_values(a.log_pi, b.log_pi) && a.locations == b.locations &&
           a.emission == b.emission && same_values(a.bit_logits, b.bit_logits) && same_values(a.z, b.z) &&
           a.durations == b.durations;
}

}  // namespace hmmlt
