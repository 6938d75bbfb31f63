// Asks the process about itself and writes canonical JSON (nlohmann::json keeps object keys sorted).
#include "hmmlt/io/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"

#ifndef HMMLT_ARCH_NAME
#define HMMLT_ARCH_NAME "unknown"
#endif

namespace hmmlt {

namespace {

using Json = nlohmann::json;

// -march as the build gave it, and what the compiler made of it: "native" means something else on each machine.
std::string instruction_set() {
    const std::string arch = HMMLT_ARCH_NAME;
    std::string text = arch.empty() ? "compiler default:" : fmt::format("-march={}:", arch);
#ifdef __SSE4_2__
    text += " sse4.2";
#endif
#ifdef __AVX__
    text += " avx";
#endif
#ifdef __AVX2__
    text += " avx2";
#endif
#ifdef __FMA__
    text += " fma";
#endif
#ifdef __AVX512F__
    text += " avx512f";
#endif
#ifdef __AVX512DQ__
    text += " avx512dq";
#endif
#ifdef __AVX512BW__
    text += " avx512bw";
#endif
#ifdef __AVX512VL__
    text += " avx512vl";
#endif
#ifdef __ARM_NEON
    text += " neon";
#endif
    return text.ends_with(':') ? text + " base" : text;
}

Json as_json(const Provenance& provenance) {
    Json json{
        {"config", provenance.config},
        {"seed", provenance.seed ? Json(std::to_string(*provenance.seed)) : Json(nullptr)},
        {"inputs", Json(provenance.inputs)},
        {"executable_sha256", provenance.executable_sha256},
        {"instruction_set", provenance.instruction_set},
        {"blas",
         {{"library", provenance.blas.library}, {"core", provenance.blas.core}, {"threads", provenance.blas.threads}}}};
    if (!provenance.arguments.empty()) json["arguments"] = Json(provenance.arguments);
    return json;
}

// A command line may hold any bytes; JSON may not.
std::string dump(const Json& json, int indent) {
    return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::uint64_t seed_from(const std::string& text) {
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc{} || end != text.data() + text.size())
        throw std::runtime_error("expected a whole number as seed, found " + text);
    return seed;
}

std::string utc(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

}  // namespace

Provenance provenance_of_this_process(std::string config, std::optional<std::uint64_t> seed,
                                      std::map<std::string, std::string> inputs) {
    return {std::move(config), seed, std::move(inputs), sha256_of_file("/proc/self/exe"), instruction_set(),
            blas_info(),       {}};
}

std::string to_json(const Provenance& provenance) {
    return dump(as_json(provenance), -1);
}

Provenance provenance_from_json(std::string_view text, const std::string& where) try {
    const Json json = Json::parse(text);
    Provenance provenance;
    provenance.config = json.at("config").get<std::string>();
    if (!json.at("seed").is_null()) provenance.seed = seed_from(json.at("seed").get<std::string>());
    json.at("inputs").get_to(provenance.inputs);
    provenance.executable_sha256 = json.at("executable_sha256").get<std::string>();
    provenance.instruction_set = json.at("instruction_set").get<std::string>();
    const Json& blas = json.at("blas");
    provenance.blas = {blas.at("library").get<std::string>(), blas.at("core").get<std::string>(),
                       blas.at("threads").get<int>()};
    if (json.contains("arguments")) json.at("arguments").get_to(provenance.arguments);
    return provenance;
} catch (const std::exception& error) {
    throw DataError(fmt::format("{}: damaged: its provenance cannot be read: {}", where, error.what()));
}

std::string mixed_instruction_sets(const std::vector<Provenance>& results, const std::vector<std::string>& names) {
    const auto computed_with = [](const Provenance& p) {
        return fmt::format("{} (BLAS core {})", p.instruction_set, p.blas.core);
    };
    for (std::size_t i = 1; i < results.size(); ++i) {
        const std::string first = computed_with(results[0]);
        const std::string other = computed_with(results[i]);
        if (first != other)
            return fmt::format(
                "{} was computed with {}, {} with {}: each is valid, but another machine need not give "
                "the same bytes; make ISA=portable does",
                names.at(0), first, names.at(i), other);
    }
    return {};
}

void write_provenance_beside(const std::filesystem::path& result, const Provenance& provenance, const RunRecord& run) {
    Json json = as_json(provenance);
    json["revision"] = run.revision;
    json["host"] = host_name();
    json["command"] = run.command;
    json["started"] = utc(run.started);
    json["finished"] = utc(run.finished);
    write_text_atomically(result.parent_path() / "provenance.json", dump(json, 2) + "\n");
}

}  // namespace hmmlt
