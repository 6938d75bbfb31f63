// log Gamma(k + a) - log Gamma(k) without the cancellation that differences of lgamma suffer.
#pragma once

namespace hmmlt {

// log [Gamma(k + a) / Gamma(k)], k >= 1 (a whole number below 50, anything above), a >= 0. For a up to
// 1e6 and k up to 1e300 the error is below 1e-12, relative where the value is above 1e-3 a, absolute in units of a near
// its zeros (k = 1 and a = 0 or 1), as long as a / k is a normal double.             docs/model.md (29), (30)
double log_gamma_ratio(double k, double a);

}  // namespace hmmlt
