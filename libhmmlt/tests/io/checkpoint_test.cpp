// A checkpoint comes back as it was; damage falls back to the one before; differences are named.
#include "hmmlt/io/checkpoint.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

// A checkpoint whose journal is there.
Checkpoint checkpoint_at(const std::filesystem::path& directory, const JournalMark& before, std::uint32_t n_sweeps) {
    Journal journal(journal_path(directory), before);
    journal.append("sweep " + std::to_string(n_sweeps));
    Checkpoint checkpoint{sample_provenance(), n_sweeps, journal.sync(), std::string("state\0of", 8), "sums"};
    checkpoint.provenance.arguments = {{"chain", "3"}};
    return checkpoint;
}

void damage(const std::filesystem::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(40);
    file.put('!');
}

}  // namespace

TEST_CASE("checkpoint: none, one, the newest, and the one before where the newest is damaged") {
    const ScratchDirectory scratch;
    const std::filesystem::path directory = scratch / "chain";
    std::filesystem::create_directory(directory);
    CHECK_FALSE(find_checkpoint(directory).has_value());
    const Checkpoint first = checkpoint_at(directory, {}, 10);
    write_checkpoint(directory, first);
    CHECK(find_checkpoint(directory)->checkpoint == first);
    const Checkpoint second = checkpoint_at(directory, first.journal, 20);
    write_checkpoint(directory, second);
    CHECK(find_checkpoint(directory)->checkpoint == second);
    CHECK(find_checkpoint(directory)->notice.empty());

    damage(checkpoint_path(directory));
    const auto found = find_checkpoint(directory);
    CHECK(found->checkpoint == first);
    CHECK(found->notice.find("checkpoint.state: damaged") != std::string::npos);
    damage(previous_checkpoint_path(directory));
    CHECK(failure<DataError>([&] { find_checkpoint(directory); }).find("checkpoints are damaged") != std::string::npos);
}

TEST_CASE("checkpoint: killed between two renames, only the previous one is there") {
    const ScratchDirectory scratch;
    const std::filesystem::path directory = scratch / "chain";
    std::filesystem::create_directory(directory);
    const Checkpoint first = checkpoint_at(directory, {}, 10);
    write_checkpoint(directory, first);
    std::filesystem::rename(checkpoint_path(directory), previous_checkpoint_path(directory));
    CHECK(find_checkpoint(directory)->checkpoint == first);
}

TEST_CASE("checkpoint: any truncation is noticed") {
    const ScratchDirectory scratch;
    const std::filesystem::path directory = scratch / "chain";
    std::filesystem::create_directory(directory);
    write_checkpoint(directory, checkpoint_at(directory, {}, 10));
    const auto size = std::filesystem::file_size(checkpoint_path(directory));
    for (std::uintmax_t length = size; length-- > 0;) {
        std::filesystem::resize_file(checkpoint_path(directory), length);
        CHECK_THROWS_AS(find_checkpoint(directory), DataError);
    }
}

TEST_CASE("checkpoint: what differs between two runs") {
    Provenance before = sample_provenance();
    before.config = "run.burn_in = 10\nrun.sampler = \"single\"\n";
    CHECK(difference(before, before).empty());
    Provenance now = before;
    now.config = "run.burn_in = 11\nrun.sampler = \"single\"\n";
    CHECK(difference(before, now) == "run.burn_in was 10, is 11");
    now.config = "run.burn_in = 10\n";
    CHECK(difference(before, now) == "run.sampler was \"single\", is not there");
    now = before;
    now.seed = 7;
    CHECK(difference(before, now) == "seed was 18446744073709551615, is 7");
    now = before;
    now.inputs["weights"] = "22";
    CHECK(difference(before, now) == "input weights was 11aa, is 22");
    now = before;
    now.arguments["chain"] = "1";
    CHECK(difference(before, now) == "chain was not there, is 1");
    now = before;
    now.executable_sha256 = "33";
    CHECK(difference(before, now) == "the program was another build");
    now = before;
    now.blas.core = "Zen";
    CHECK(difference(before, now) == "the BLAS was OpenBLAS 0.3.21 (Haswell), is OpenBLAS 0.3.21 (Zen)");
}
