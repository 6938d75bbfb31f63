// log Gamma(k + a) - log Gamma(k) without the cancellation that differences of lgamma suffer.
#pragma once

namespace hmmlt {

// log [Gamma(k + a) / Gamma(k)], k >= 1 (a whole number below 50, anything above), a >= 0. Relative error below 1e-12
// for a up to 1e6 and k up to 1e300, as long as a / k is a normal double.            docs/model.md (29), (30)
double log_gamma_ratio(double k, double a);

}  // namespace hmmlt
