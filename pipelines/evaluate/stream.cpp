#include "pipelines/evaluate/stream.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "hmmlt/io/errors.hpp"
#include "hmmlt/math/log_space.hpp"
#include "hmmlt/sampler/prediction.hpp"
#include "pipelines/evaluate/evaluation.hpp"
#include "pipelines/evaluate/step_line.hpp"
#include "pipelines/stage/stage.hpp"

namespace hmmlt {

namespace {

// Lines of standard input; a signal ends the wait for one.
class Lines {
  public:
    Lines() {
        for (const int signal : {SIGINT, SIGTERM}) {
            struct sigaction action {};
            ::sigaction(signal, nullptr, &action);
            action.sa_flags &= ~SA_RESTART;
            ::sigaction(signal, &action, nullptr);
        }
    }
    ~Lines() { std::free(buffer_); }
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

    bool next() {
        errno = 0;
        const ssize_t size = ::getline(&buffer_, &capacity_, stdin);
        stop_if_interrupted();
        if (size < 0 && std::ferror(stdin) != 0) throw system_error("read", "standard input", errno);
        line_ = size < 0 ? std::string_view() : std::string_view(buffer_, static_cast<std::size_t>(size));
        ++number_;
        return size >= 0;
    }
    std::string_view line() const { return line_; }
    std::uint64_t number() const { return number_; }

  private:
    char* buffer_ = nullptr;
    std::size_t capacity_ = 0;
    std::string_view line_;
    std::uint64_t number_ = 0;
};

void put(const std::string& line) {
    if (std::fputs((line + "\n").c_str(), stdout) < 0 || std::fflush(stdout) != 0)
        throw system_error("write", "standard output", errno);
}

struct Loaded {
    std::vector<State> draws;
    arma::uvec state_numbers;  // of the one draw whose states are named
    arma::uword named = 0;     // the last draw of the first chain
    bool named_bits = false;
    LineFormat format;
    Legend legend;
};

Loaded load(const std::vector<ChainDirectory>& chains) {
    Loaded loaded;
    for (const ChainDirectory& directory : chains) {
        LoadedChain chain = load_chain(directory);
        if (std::holds_alternative<FactorialModel>(chain.model))
            throw DataError("--stream: the states of a factorial model cannot be filtered");
        if (durations_of(std::get<Model>(chain.model).dynamics) != nullptr)
            throw DataError(
                "--stream: a semi_markov state depends on how long it has lasted, however long that is; --predict does "
                "this for data that are there as a whole");
        if (loaded.draws.empty()) {
            loaded.format.shape = chain.trained_on;
            loaded.legend = chain.legend;
            loaded.named = chain.draws.size() - 1;
            loaded.named_bits = has_named_bits(chain.model);
            loaded.state_numbers = chain.draws.back().state_numbers;
        }
        for (StoredDraw& draw : chain.draws) loaded.draws.push_back(std::move(std::get<State>(draw.state)));
    }
    return loaded;
}

void read_labels(const std::filesystem::path& data, Loaded& loaded) {
    if (!std::filesystem::is_directory(data)) throw system_error("read", data.string(), ENOENT);
    std::map<std::string, std::string> tables;
    const Legend legend = read_legend(data, tables);
    if (!loaded.format.shape.n_symbols || legend.labels.empty()) return;
    const std::string where = (data / "vocabulary.parquet").string();
    if (legend.labels.size() != *loaded.format.shape.n_symbols)
        throw DataError(fmt::format("{}: expected {} symbols, as the chains were trained on, found {}", where,
                                    *loaded.format.shape.n_symbols, legend.labels.size()));
    check_same_meaning(loaded.legend, legend, where, "as the chains were trained on");
    for (std::size_t symbol = 0; symbol < legend.labels.size(); ++symbol)
        loaded.format.labels.emplace(legend.labels[symbol], static_cast<arma::sword>(symbol));
}

std::string place(const Lines& lines) {
    return fmt::format("standard input, line {}", lines.number());
}

Observations step_of(const Lines& lines, const Loaded& loaded) try {
    Observations step = parse_step(lines.line(), loaded.format);
    if (loaded.legend.scaling) apply(*loaded.legend.scaling, step.y);
    return step;
} catch (const DataError& error) {
    throw DataError(fmt::format("{}: {}", place(lines), error.what()));
}

// A sensor's slip must not end what follows it: a step that has no probability at all is told, has the density that it
// has, and counts as missing from then on.
double density_of(OnlineFilter& filter, Observations step, const Lines& lines) try {
    return filter.step(step);
} catch (const std::runtime_error&) {
    fmt::print(stderr, "hmmlt-evaluate: {}: no state of the draws can have given these values; taken as missing\n",
               place(lines));
    step.y.fill(arma::datum::nan);
    step.symbol.fill(no_symbol);
    filter.step(step);
    return minus_infinity;
}

std::string header(arma::uword n_bits) {
    std::string text = "sequence,t,log_density";
    if (n_bits == 0) return text + ",state,probability";
    for (arma::uword d = 0; d < n_bits; ++d) text += fmt::format(",filtered_{}", d);
    return text;
}

std::string answer(const OnlineFilter& filter, const Loaded& loaded, arma::uword n_bits) {
    std::string text;
    if (n_bits > 0) {
        for (const double p : filter.bits()) text += fmt::format(",{}", p);
        return text;
    }
    const arma::vec states = filter.states(loaded.named);
    const arma::uword best = states.index_max();
    return fmt::format(",{},{}", loaded.state_numbers(best), states(best));
}

}  // namespace

void stream(const std::vector<ChainDirectory>& chains, const std::optional<std::filesystem::path>& data) {
    Loaded loaded = load(chains);
    if (data) read_labels(*data, loaded);
    const arma::uword n_bits = loaded.named_bits ? bits(loaded.draws.front().locations).n_rows : 0;
    OnlineFilter filter(loaded.draws);
    loaded.draws.clear();
    put(header(n_bits));
    std::uint64_t sequence = 0;
    std::uint64_t t = 0;
    for (Lines lines; lines.next();) {
        if (is_blank(lines.line())) {
            if (t > 0) ++sequence;
            t = 0;
            filter.restart();
            continue;
        }
        const double log_density = density_of(filter, step_of(lines, loaded), lines);
        put(fmt::format("{},{},{}{}", sequence, t, log_density, answer(filter, loaded, n_bits)));
        ++t;
    }
}

}  // namespace hmmlt
