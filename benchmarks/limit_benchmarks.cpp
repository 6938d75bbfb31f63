// The machine's own limits as benchmarks; counters fma and bytes say how much work one time is.
#include <fmt/format.h>

#include <boost/align/aligned_allocator.hpp>

#include "benchmarks/limits.hpp"
#include "benchmarks/measure.hpp"
#include "benchmarks/suites.hpp"

namespace hmmlt::bench {

namespace {

template <typename Real>
using Aligned = std::vector<Real, boost::alignment::aligned_allocator<Real, 64>>;

template <typename Real, int Rows>
void measure_bare_loop(benchmark::State& state, arma::uword n_steps, arma::uword n_states) {
    Aligned<Real> a(n_states * n_states);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<Real>(1 + i % 7) / static_cast<Real>(4 * n_states);
    const Aligned<Real> lik(n_states * n_steps, Real{0.5});
    Aligned<Real> f(n_states, Real{1} / static_cast<Real>(n_states));
    Aligned<Real> next(n_states);
    repeat(state, [&] {
        return seconds_of(
            [&] { run_bare_loop<Real, Rows>(a.data(), lik.data(), n_states, n_steps, f.data(), next.data()); });
    });
    state.counters["fma"] = static_cast<double>(n_states * n_states * n_steps);
}

}  // namespace

void add_bare_loops(arma::uword n_steps, arma::uword n_states) {
    const std::string shape = fmt::format("T={} J={}", n_steps, n_states);
    const auto one = [&](const char* name, auto measure) {
        add(name, shape, [=](benchmark::State& state) { measure(state, n_steps, n_states); });
    };
    one("limit/bare_float_1", measure_bare_loop<float, 1>);
    one("limit/bare_float_4", measure_bare_loop<float, 4>);
    one("limit/bare_double_1", measure_bare_loop<double, 1>);
    one("limit/bare_double_4", measure_bare_loop<double, 4>);
}

void add_bare_butterflies(arma::uword n_steps, arma::uword n_dims) {
    add("limit/bare_butterflies", fmt::format("T={} D={}", n_steps, n_dims), [=](benchmark::State& state) {
        Aligned<float> a;
        for (arma::uword d = 0; d < n_dims; ++d) a.insert(a.end(), {0.97f, 0.03f, 0.1f, 0.9f});
        const std::size_t n = std::size_t{1} << n_dims;
        const Aligned<float> lik(n, 0.5f);
        Aligned<float> f(n, 1.0f / static_cast<float>(n));
        repeat(state, [&] {
            return seconds_of([&] { run_bare_butterflies(a.data(), lik.data(), n_dims, n_steps, f.data()); });
        });
        state.counters["fma"] = static_cast<double>(2 * n_dims * n * n_steps);
    });
}

void add_sgemm(arma::uword n, arma::uword m) {
    add("limit/sgemm", fmt::format("{}x{} {}x{}", n, n, n, m), [=](benchmark::State& state) {
        const arma::fmat a(n, n, arma::fill::value(1.0f / static_cast<float>(n)));
        const arma::fmat b(n, m, arma::fill::ones);
        arma::fmat c(n, m);
        repeat(state, [&] { return seconds_of([&] { run_sgemm(a, b, c); }); });
        state.counters["fma"] = static_cast<double>(n * n * m);
    });
}

void add_batched_products(const Shape& shape) {
    add("limit/batched_sgemm", shape.text(), [=](benchmark::State& state) {
        const Sequences sequences = sequences_of(shape);
        const arma::uword n = shape.n_states;
        const arma::fmat a(n, n, arma::fill::value(1.0f / static_cast<float>(n)));
        const arma::fmat messages(n, sequences.count(), arma::fill::ones);
        const std::vector<arma::uword> n_active = active_sequences(sequences);
        arma::fmat product;
        repeat(state, [&] { return seconds_of([&] { run_batched_products(a, n_active, messages, product); }); });
        state.counters["fma"] = static_cast<double>(n * n * sequences.n_steps());
    });
}

void add_memory_bandwidth() {
    constexpr std::size_t n = std::size_t{8} << 20;
    add("limit/memory", "3 x 64 MiB", [](benchmark::State& state) {
        const std::vector<double> y(n, 1.0);
        const std::vector<double> z(n, 2.0);
        std::vector<double> x(n);
        repeat(state, [&] { return seconds_of([&] { run_triad(y, z, 0.5, x); }); });
        state.counters["bytes"] = static_cast<double>(3 * n * sizeof(double));
    });
}

}  // namespace hmmlt::bench
