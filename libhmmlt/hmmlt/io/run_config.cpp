#include "hmmlt/io/run_config.hpp"

#include <string>

namespace hmmlt {

RunSettings read_run(const Config& config, const AnyModel& model) {
    const bool factorial = std::holds_alternative<FactorialModel>(model);
    const bool has_durations = !factorial && durations_of(std::get<Model>(model).dynamics) != nullptr;
    const Section section = config.section("run");
    const IntegerRange from_one{.min = 1, .max = 1000000000};
    const auto number = [&](const char* key, IntegerRange range, std::uint32_t fallback) {
        return static_cast<std::uint32_t>(section.integer(key, range, fallback));
    };
    RunSettings run;
    run.sampler = sampler_named(section.text("sampler", {"single", "blocked"}, has_durations ? "blocked" : "single"));
    if (has_durations && run.sampler == Sampler::single)
        section.fail("sampler",
                     R"(expected "blocked" with model.dynamics = "semi_markov", found "single", which would )"
                     "have to count jumps that always fail");
    run.start = start_named(section.text("start", {std::begin(start_names), std::end(start_names)}, "time_blocks"));
    run.burn_in = number("burn_in", {.min = 0, .max = 1000000000}, run.burn_in);
    run.record_every = number("record_every", from_one, run.record_every);
    run.draws_every = number("draws_every", from_one, run.draws_every);
    run.heldout_every = number("heldout_every", from_one, factorial ? run.draws_every : run.record_every);
    run.splits_and_merges = number("splits_and_merges", {.min = 0, .max = 1000000}, run.splits_and_merges);
    run.state_marginals = section.boolean("state_marginals", false);
    run.precision = precision_named(section.text("precision", {"float", "double"}, "float"));
    return run;
}

}  // namespace hmmlt
