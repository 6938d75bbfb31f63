#include "hmmlt/io/checkpoint.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"
#include "hmmlt/math/bytes.hpp"

namespace hmmlt {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "hmmlt checkpoint 1\n";
constexpr std::size_t hash_digits = 64;

using Texts = std::map<std::string, std::string>;

void put(ByteWriter& out, const Texts& texts) {
    out.number<std::uint64_t>(texts.size());
    for (const auto& [name, value] : texts) {
        out.text(name);
        out.text(value);
    }
}

Texts get_map(ByteReader& in) {
    Texts texts;
    const auto n = in.number<std::uint64_t>();
    for (std::uint64_t i = 0; i < n; ++i) {
        std::string name = in.text();
        texts[std::move(name)] = in.text();
    }
    return texts;
}

void put(ByteWriter& out, const Provenance& provenance) {
    out.text(provenance.config);
    out.number<std::uint8_t>(provenance.seed.has_value() ? 1 : 0);
    out.number(provenance.seed.value_or(0));
    put(out, provenance.inputs);
    out.text(provenance.executable_sha256);
    out.text(provenance.instruction_set);
    out.text(provenance.blas.library);
    out.text(provenance.blas.core);
    out.number<std::int64_t>(provenance.blas.threads);
    put(out, provenance.arguments);
}

Provenance get_provenance(ByteReader& in) {
    Provenance provenance;
    provenance.config = in.text();
    const bool has_seed = in.number<std::uint8_t>() != 0;
    const auto seed = in.number<std::uint64_t>();
    if (has_seed) provenance.seed = seed;
    provenance.inputs = get_map(in);
    provenance.executable_sha256 = in.text();
    provenance.instruction_set = in.text();
    provenance.blas.library = in.text();
    provenance.blas.core = in.text();
    provenance.blas.threads = static_cast<int>(in.number<std::int64_t>());
    provenance.arguments = get_map(in);
    return provenance;
}

// Nothing if the file is not a whole checkpoint; IoError if it cannot be read at all.
std::optional<Checkpoint> read_checkpoint(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw system_error("read", path.string(), errno);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.size() < magic.size() + hash_digits || !bytes.starts_with(magic)) return {};
    const std::string_view content = std::string_view(bytes).substr(0, bytes.size() - hash_digits);
    if (sha256_of_text(content) != std::string_view(bytes).substr(content.size())) return {};
    try {
        ByteReader in(content.substr(magic.size()));
        Checkpoint checkpoint;
        checkpoint.provenance = get_provenance(in);
        checkpoint.n_sweeps = in.number<std::uint32_t>();
        checkpoint.journal.n_bytes = in.number<std::uint64_t>();
        checkpoint.journal.hash = in.text();
        checkpoint.state = in.text();
        checkpoint.accumulated = in.text();
        return checkpoint;
    } catch (const std::runtime_error&) {
        return {};
    }
}

bool journal_is_whole(const fs::path& directory, const JournalMark& mark) {
    if (!fs::exists(journal_path(directory))) return false;
    try {
        read_journal(journal_path(directory), mark, [](std::string_view) {});
        return true;
    } catch (const DataError&) {
        return false;
    }
}

Texts by_key(const std::string& config) {
    Texts values;
    std::istringstream lines(config);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find(" = ");
        if (equals != std::string::npos) values[line.substr(0, equals)] = line.substr(equals + 3);
    }
    return values;
}

// The first key, in order, whose values differ.
std::string first_difference(const Texts& before, const Texts& now) {
    constexpr std::string_view absent = "not there";
    const auto value = [&](const auto& values, const std::string& key) {
        const auto found = values.find(key);
        return found == values.end() ? std::string(absent) : found->second;
    };
    Texts all = before;
    all.insert(now.begin(), now.end());
    for (const auto& [key, any] : all)
        if (value(before, key) != value(now, key))
            return fmt::format("{} was {}, is {}", key, value(before, key), value(now, key));
    return "";
}

}  // namespace

fs::path checkpoint_path(const fs::path& directory) {
    return directory / "checkpoint.state";
}

fs::path previous_checkpoint_path(const fs::path& directory) {
    return directory / "checkpoint.previous";
}

fs::path journal_path(const fs::path& directory) {
    return directory / "checkpoint.journal";
}

void write_checkpoint(const fs::path& directory, const Checkpoint& checkpoint) {
    ByteWriter out;
    put(out, checkpoint.provenance);
    out.number(checkpoint.n_sweeps);
    out.number(checkpoint.journal.n_bytes);
    out.text(checkpoint.journal.hash);
    out.text(checkpoint.state);
    out.text(checkpoint.accumulated);
    const std::string content = std::string(magic) + out.bytes();
    AtomicFile file(checkpoint_path(directory));
    file.write(content);
    file.write(sha256_of_text(content));
    // killed after this rename, the run goes on from the previous one
    std::error_code error;
    if (fs::exists(checkpoint_path(directory)))
        fs::rename(checkpoint_path(directory), previous_checkpoint_path(directory), error);
    if (error) throw system_error("replace", previous_checkpoint_path(directory).string(), error.value());
    file.commit();
}

std::optional<FoundCheckpoint> find_checkpoint(const fs::path& directory) {
    std::string notice;
    bool any = false;
    for (const fs::path& path : {checkpoint_path(directory), previous_checkpoint_path(directory)}) {
        if (!fs::exists(path)) continue;
        any = true;
        const std::optional<Checkpoint> found = read_checkpoint(path);
        if (found && journal_is_whole(directory, found->journal)) return FoundCheckpoint{*found, notice};
        notice = fmt::format("{}: damaged; the checkpoint before it stands in", path.string());
    }
    if (any)
        throw DataError(
            fmt::format("{}: its checkpoints are damaged, so the chain cannot go on; --restart different "
                        "begins it anew",
                        directory.string()));
    return {};
}

std::string difference(const Provenance& before, const Provenance& now) {
    if (before.config != now.config) return first_difference(by_key(before.config), by_key(now.config));
    if (before.seed != now.seed)
        return fmt::format("seed was {}, is {}", before.seed.value_or(0), now.seed.value_or(0));
    if (before.inputs != now.inputs) return "input " + first_difference(before.inputs, now.inputs);
    if (before.arguments != now.arguments) return first_difference(before.arguments, now.arguments);
    if (before.executable_sha256 != now.executable_sha256) return "the program was another build";
    if (before.instruction_set != now.instruction_set)
        return fmt::format("the instruction set was {}, is {}", before.instruction_set, now.instruction_set);
    if (before.blas != now.blas)
        return fmt::format("the BLAS was {} ({}), is {} ({})", before.blas.library, before.blas.core, now.blas.library,
                           now.blas.core);
    return "";
}

}  // namespace hmmlt
