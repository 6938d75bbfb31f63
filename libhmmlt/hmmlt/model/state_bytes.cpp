#include "hmmlt/model/state_bytes.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <stdexcept>

#include "hmmlt/math/bytes.hpp"

namespace hmmlt {

namespace {

constexpr std::string_view hmm_kind = "hmm";
constexpr std::string_view semi_markov_kind = "semi-markov";  // an hmm, then its durations
constexpr std::string_view factorial_kind = "factorial";
// Of each of them, with a last number: states without it are as they were before there was one.
constexpr std::string_view with_weight_precision = ", weight precision";

// put and get of each part stand together: what one writes the other reads.
void put(ByteWriter&, const NoLocationState&) {}
void get(ByteReader&, NoLocationState&) {}

void put(ByteWriter& out, const BinaryLocationState& state) {
    out.matrix(state.theta);
    out.matrix(state.mu);
}
void get(ByteReader& in, BinaryLocationState& state) {
    in.matrix(state.theta);
    in.matrix(state.mu);
}

void put(ByteWriter& out, const IndianBuffetState& state) {
    out.matrix(state.theta);
    out.matrix(state.log_mu);
    out.number(state.concentration);
}
void get(ByteReader& in, IndianBuffetState& state) {
    in.matrix(state.theta);
    in.matrix(state.log_mu);
    state.concentration = in.number<double>();
}

void put(ByteWriter& out, const CornerLocationState& state) {
    out.matrix(state.theta);
}
void get(ByteReader& in, CornerLocationState& state) {
    in.matrix(state.theta);
}

void put(ByteWriter& out, const EuclideanLocationState& state) {
    out.matrix(state.location);
    out.number(state.step_size.log_step_size);
    out.number(state.step_size.n_adaptations);
}
void get(ByteReader& in, EuclideanLocationState& state) {
    in.matrix(state.location);
    state.step_size.log_step_size = in.number<double>();
    state.step_size.n_adaptations = in.number<std::uint64_t>();
}

void put(ByteWriter& out, const LinearGaussianState& state) {
    out.matrix(state.weights);
    out.matrix(state.h);
}
void get(ByteReader& in, LinearGaussianState& state) {
    in.matrix(state.weights);
    in.matrix(state.h);
    state.weight_precision.reset();  // stands at the end of all, if at all
}

void put(ByteWriter& out, const CategoricalState& state) {
    out.matrix(state.log_theta);
}
void get(ByteReader& in, CategoricalState& state) {
    in.matrix(state.log_theta);
}

void put(ByteWriter& out, const GaussianState& state) {
    out.matrix(state.mean);
    out.matrix(state.h);
}
void get(ByteReader& in, GaussianState& state) {
    in.matrix(state.mean);
    in.matrix(state.h);
}

void put(ByteWriter&, const NoDurations&) {}
void get(ByteReader&, NoDurations&) {}

void put(ByteWriter& out, const PoissonDurationState& state) {
    out.matrix(state.omega);
}
void get(ByteReader& in, PoissonDurationState& state) {
    in.matrix(state.omega);
}

void put(ByteWriter& out, const NegativeBinomialDurationState& state) {
    out.matrix(state.r);
    out.matrix(state.log_p);
    out.matrix(state.log_1mp);
}
void get(ByteReader& in, NegativeBinomialDurationState& state) {
    in.matrix(state.r);
    in.matrix(state.log_p);
    in.matrix(state.log_1mp);
}

template <typename... Parts>
void put(ByteWriter& out, const std::variant<Parts...>& part) {
    out.number<std::uint64_t>(part.index());
    std::visit([&](const auto& value) { put(out, value); }, part);
}
template <typename... Parts>
void get(ByteReader& in, std::variant<Parts...>& part) {
    const auto index = in.number<std::uint64_t>();
    std::uint64_t i = 0;
    const auto try_part = [&]<typename Part>(Part empty) {
        if (i++ != index) return;
        get(in, empty);
        part = std::move(empty);
    };
    (try_part(Parts{}), ...);
    if (index >= sizeof...(Parts)) throw std::runtime_error("a part of the state is of a kind that is not known");
}

std::optional<double> weight_precision(const EmissionState& emission) {
    const auto* linear = std::get_if<LinearGaussianState>(&emission);
    return linear == nullptr ? std::nullopt : linear->weight_precision;
}
void get_weight_precision(ByteReader& in, EmissionState& emission) {
    auto* linear = std::get_if<LinearGaussianState>(&emission);
    if (linear == nullptr) throw std::runtime_error("a precision of weights belongs to an emission without weights");
    linear->weight_precision = in.number<double>();
}

void put_heading(ByteWriter& out, std::string_view kind, bool weight_precision) {
    out.number(state_bytes_version);
    out.text(std::string(kind).append(weight_precision ? with_weight_precision : ""));
}

struct Heading {
    std::string_view kind;
    bool weight_precision;
};
// Which of the kinds it is.
Heading get_heading(ByteReader& in, std::initializer_list<std::string_view> kinds) {
    if (in.number<std::uint64_t>() != state_bytes_version)
        throw std::runtime_error("the state was written by another version of hmmlt");
    std::string kind(in.text());
    const bool weight_precision = kind.ends_with(with_weight_precision);
    if (weight_precision) kind.resize(kind.size() - with_weight_precision.size());
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end()) throw std::runtime_error("the state is that of another kind of model");
    return {*found, weight_precision};
}

void expect_end(const ByteReader& in) {
    if (!in.at_end()) throw std::runtime_error("bytes are left over after the state");
}

}  // namespace

std::string to_bytes(const State& state) {
    ByteWriter out;
    const bool semi_markov = has_durations(state.durations);
    const std::optional<double> precision = weight_precision(state.emission);
    put_heading(out, semi_markov ? semi_markov_kind : hmm_kind, precision.has_value());
    for (const double value : {state.gamma, state.c, state.rho, state.lambda}) out.number(value);
    out.matrix(state.log_beta);
    out.matrix(state.log_pi);
    put(out, state.locations);
    put(out, state.emission);
    out.matrix(state.bit_logits);
    out.matrix(state.z);
    if (semi_markov) put(out, state.durations);
    if (precision) out.number(*precision);
    return out.bytes();
}

void from_bytes(std::string_view bytes, State& state) {
    ByteReader in(bytes);
    const Heading heading = get_heading(in, {hmm_kind, semi_markov_kind});
    for (double* value : {&state.gamma, &state.c, &state.rho, &state.lambda}) *value = in.number<double>();
    in.matrix(state.log_beta);
    in.matrix(state.log_pi);
    get(in, state.locations);
    get(in, state.emission);
    in.matrix(state.bit_logits);
    in.matrix(state.z);
    state.durations = NoDurations{};
    if (heading.kind == semi_markov_kind) get(in, state.durations);
    if (heading.weight_precision) get_weight_precision(in, state.emission);
    expect_end(in);
}

std::string to_bytes(const FactorialState& state) {
    ByteWriter out;
    const std::optional<double> precision = state.emission.weight_precision;
    put_heading(out, factorial_kind, precision.has_value());
    out.number<std::uint64_t>(state.chains.size());
    for (const BinaryChainState& chain : state.chains) {
        out.number(chain.gamma);
        out.number(chain.c);
        out.matrix(chain.log_beta);
        out.matrix(chain.log_pi);
    }
    out.matrix(state.theta);
    put(out, state.emission);
    if (precision) out.number(*precision);
    return out.bytes();
}

void from_bytes(std::string_view bytes, FactorialState& state) {
    ByteReader in(bytes);
    const Heading heading = get_heading(in, {factorial_kind});
    const auto n_chains = in.number<std::uint64_t>();
    state.chains.clear();
    for (std::uint64_t i = 0; i < n_chains; ++i) {
        BinaryChainState chain;
        chain.gamma = in.number<double>();
        chain.c = in.number<double>();
        in.matrix(chain.log_beta);
        in.matrix(chain.log_pi);
        state.chains.push_back(std::move(chain));
    }
    in.matrix(state.theta);
    get(in, state.emission);
    if (heading.weight_precision) state.emission.weight_precision = in.number<double>();
    expect_end(in);
}

}  // namespace hmmlt
