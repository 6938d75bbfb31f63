// hmmlt-validate: all referees at full length, and the mutants that they must kill; writes the tables of validation/.
// Levels: 3e-4 for all Geweke scores together, 6e-4 for all calibration tests, 1e-6 per control: a right sampler fails
// with probability below 1e-3. Results do not depend on the number of threads.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/provenance.hpp"
#include "hmmlt/io/table_file.hpp"
#include "hmmlt/math/blas.hpp"
#include "posterior/designs.hpp"
#include "posterior/factorial_geweke.hpp"
#include "posterior/kept_results.hpp"
#include "posterior/mutants.hpp"
#include "posterior/sbc.hpp"

namespace {

using namespace hmmlt;
using namespace hmmlt::testing;

constexpr double geweke_level = 3e-4;
constexpr double sbc_level = 6e-4;
constexpr double n_trials_below_band = 24.0;     // samples of uniform ranks that fall out of the simulated band
constexpr double largest_autocorrelation = 0.1;  // of the draws of a simulation, on average
constexpr std::uint64_t mutant_seed = 11;
constexpr std::uint64_t sbc_seed = 101;
constexpr std::uint64_t band_seed = 100;

const char* const usage_text =
    "hmmlt-validate: referees and mutants of the sampler, at full length; writes their tables\n"
    "  --out DIR              where to write (validation)\n"
    "  --sweeps N             sweeps of each Geweke run (1000000), 47 designs x 3 seeds\n"
    "  --mutant-sweeps N      sweeps of each mutant (100000), times its effort\n"
    "  --simulations N        simulations of each calibrated model (500)\n"
    "  --threads N            threads (2)\n"
    "  --keep DIR             keep finished Geweke runs and calibrations there: the same build then goes on where it "
    "was\n"
    "  --quick                20000 sweeps, 20000 sweeps, 100 simulations: some minutes\n"
    "example: hmmlt-validate --out validation --threads 2\n";

struct Options {
    std::string out = "validation";
    std::string keep;  // empty: nothing is kept
    std::uint32_t sweeps = 1000000;
    std::uint32_t mutant_sweeps = 100000;
    std::uint32_t simulations = 500;
    std::uint32_t threads = 2;
};

Options parse(int argc, char** argv) {
    Options options;
    const std::map<std::string, std::pair<std::uint32_t*, std::uint32_t>> numbers{
        {"--sweeps", {&options.sweeps, 100}},
        {"--mutant-sweeps", {&options.mutant_sweeps, 100}},
        {"--simulations", {&options.simulations, 100}},
        {"--threads", {&options.threads, 1}}};
    const std::map<std::string, std::string*> folders{{"--out", &options.out}, {"--keep", &options.keep}};
    for (int i = 1; i < argc; ++i) {
        const std::string flag = argv[i];
        if (flag == "--help") {
            fmt::print("{}", usage_text);
            std::exit(0);
        }
        if (flag == "--quick") {
            options.sweeps = options.mutant_sweeps = 20000;
            options.simulations = 100;
            continue;
        }
        if (!folders.contains(flag) && !numbers.contains(flag)) throw UsageError(fmt::format("unknown flag {}", flag));
        if (++i == argc) throw UsageError(fmt::format("{} needs a value", flag));
        if (folders.contains(flag)) {
            *folders.at(flag) = argv[i];
            continue;
        }
        const auto [number, least] = numbers.at(flag);
        char* end = nullptr;
        const unsigned long value = std::strtoul(argv[i], &end, 10);
        if (*end != '\0' || argv[i][0] == '-' || value < least || value > 1000000000)
            throw UsageError(fmt::format("{}: expected a whole number from {} to 1e9, found {}", flag, least, argv[i]));
        *number = static_cast<std::uint32_t>(value);
    }
    return options;
}

// Runs task(0), ..., task(n - 1) on some threads; each returns its progress line. The first error is thrown again.
void run_tasks(std::size_t n, std::uint32_t n_threads, const std::function<std::string(std::size_t)>& task) {
    const auto started = std::chrono::steady_clock::now();
    std::atomic<std::size_t> next = 0;
    std::size_t n_done = 0;
    std::exception_ptr error;
    std::mutex mutex;
    const auto work = [&] {
        for (std::size_t i = next++; i < n; i = next++) {
            try {
                const std::string line = task(i);
                const std::lock_guard lock(mutex);
                ++n_done;
                const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;
                if (!line.empty()) fmt::print(stderr, "[{}/{}, {:.0f} s] {}\n", n_done, n, elapsed.count(), line);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!error) error = std::current_exception();
                next = n;
            }
        }
    };
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < n_threads; ++t) threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    if (error) std::rethrow_exception(error);
}

struct Report {
    std::string referees = "model,referee,statistic,bound,pass\n";
    std::size_t n_failures = 0;

    void add(const std::string& model, const std::string& referee, double statistic, double bound, bool pass) {
        referees += fmt::format("\"{}\",\"{}\",{:.6g},{:.6g},{:d}\n", model, referee, statistic, bound, pass);
        if (pass) return;
        ++n_failures;
        fmt::print("FAILED: {} on {}: {:.4g}, bound {:.4g}\n", referee, model, statistic, bound);
    }
};

// A whole sweep under the joint-distribution test, whatever its model.
struct JointTest {
    std::string name;
    std::vector<std::string> functionals;
    std::function<std::vector<GewekeScore>(const GewekeOptions&)> run;
};

std::vector<std::string> names_of(const std::vector<Functional>& functionals) {
    std::vector<std::string> names;
    for (const Functional& functional : functionals) names.push_back(functional.name);
    return names;
}

std::vector<JointTest> joint_tests() {
    std::vector<JointTest> tests;
    for (const GewekeDesign& design : all_designs()) {
        tests.push_back({design.name, names_of(functionals_of(design.model)),
                         [design](const GewekeOptions& options) { return geweke(design, options); }});
    }
    for (const FactorialDesign& design : factorial_designs())
        tests.push_back({design.name, factorial_functionals(),
                         [design](const GewekeOptions& options) { return factorial_geweke(design, options); }});
    return tests;
}

void validate_geweke(const Options& options, const KeptResults& kept, Report& report) {
    const std::vector<std::uint64_t> seeds{1, 2, 3};
    const std::vector<JointTest> tests = joint_tests();
    const std::size_t n_tasks = tests.size() * seeds.size();
    std::vector<std::vector<GewekeScore>> scores(n_tasks);
    std::size_t n_scores = 0;
    for (const JointTest& test : tests) n_scores += test.functionals.size() * seeds.size();
    const double bound = bound_of_z(geweke_level, n_scores);
    fmt::print(stderr, "geweke: {} scores, bound {:.2f} on |z|\n", n_scores, bound);
    run_tasks(n_tasks, options.threads, [&](std::size_t i) {
        const JointTest& test = tests[i / seeds.size()];
        const GewekeOptions of_run{.n_sweeps = options.sweeps, .seed = seeds[i % seeds.size()]};
        const std::string name = fmt::format("geweke {}, seed {}", test.name, of_run.seed);
        const std::vector<double> z = kept.get(fmt::format("{}, {} sweeps", name, of_run.n_sweeps), [&] {
            std::vector<double> numbers;
            for (const GewekeScore& score : test.run(of_run)) numbers.push_back(score.z);
            return numbers;
        });
        for (std::size_t f = 0; f < z.size(); ++f) scores[i].push_back({test.functionals[f], z[f]});
        return fmt::format("{}: {:.2f}", name, largest(scores[i]));
    });
    std::string table = "design,seed,functional,z\n";
    for (std::size_t i = 0; i < n_tasks; ++i) {
        const std::string& name = tests[i / seeds.size()].name;
        const std::uint64_t seed = seeds[i % seeds.size()];
        for (const GewekeScore& score : scores[i])
            table += fmt::format("\"{}\",{},\"{}\",{:.6g}\n", name, seed, score.functional, score.z);
        report.add(name, fmt::format("geweke, seed {}", seed), largest(scores[i]), bound, largest(scores[i]) <= bound);
    }
    write_text_atomically(options.out + "/geweke.csv", table);
}

// A bar would end a cell of a Markdown table.
std::string in_a_cell(std::string text) {
    for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2))
        text.insert(bar, 1, '\\');
    return text;
}

void validate_mutants(const Options& options, Report& report) {
    std::vector<Mutant> all = mutants();
    all.insert(all.end(), controls().begin(), controls().end());
    std::vector<Verdict> verdicts(all.size());
    run_tasks(all.size(), options.threads, [&](std::size_t i) {
        verdicts[i] = judge(all[i], {.n_sweeps = options.mutant_sweeps, .seed = mutant_seed});
        return fmt::format("{} {}: {:.3g} {}", i < mutants().size() ? "mutant" : "control", all[i].name,
                           verdicts[i].statistic, verdicts[i].killed ? "killed" : "lives");
    });
    std::string table = "mutant,referee,statistic,killed,bound,model,bug\n";
    std::string markdown = "| mutant | what is wrong | referee | statistic | bound | |\n|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& [model, statistic, bound, killed] = verdicts[i];
        if (i >= mutants().size()) {
            report.add(model, fmt::format("control: {}", all[i].name), statistic, bound, !killed);
            continue;
        }
        table += fmt::format("\"{}\",\"{}\",{:.6g},{:d},{:.6g},\"{}\",\"{}\"\n", all[i].name, all[i].referee, statistic,
                             killed, bound, model, all[i].bug);
        markdown += fmt::format("| {} | {} | {} | {:.3g} | {:.3g} | {} |\n", all[i].name, in_a_cell(all[i].bug),
                                all[i].referee, statistic, bound, killed ? "killed" : "**alive**");
        if (!killed) ++report.n_failures;
    }
    fmt::print("{}", markdown);
    write_text_atomically(options.out + "/mutants.csv", table);
    write_text_atomically(options.out + "/mutants.md", markdown);
}

// The table of docs/validation.md that is too long for CSV.
const Schema ranks_schema{
    .name = "sbc",
    .version = 1,
    .columns = {{"model", ColumnType::string, false, Presence::required, Extent::single, "calibrated model"},
                {"functional", ColumnType::string, false, Presence::required, Extent::single, "what is ranked"},
                {"simulation", ColumnType::int32, false, Presence::required, Extent::single, "number, from 0"},
                {"rank", ColumnType::int32, false, Presence::required, Extent::single, "draws below the truth"},
                {"n_draws", ColumnType::int32, false, Presence::required, Extent::single, "draws it is ranked among"}}};

struct Ranks {
    std::vector<std::string> model, functional;
    std::vector<std::int32_t> simulation, rank;

    void add(const std::string& of_model, const std::string& of_functional, std::size_t of_simulation,
             std::uint32_t found) {
        model.push_back(of_model);
        functional.push_back(of_functional);
        simulation.push_back(static_cast<std::int32_t>(of_simulation));
        rank.push_back(static_cast<std::int32_t>(found));
    }

    Table table() const {
        const std::vector<std::int32_t> n_draws(rank.size(), static_cast<std::int32_t>(n_sbc_draws));
        Table out("sbc");
        out.add_column("model", model).add_column("functional", functional).add_column("simulation", simulation);
        return out.add_column("rank", rank).add_column("n_draws", n_draws);
    }
};

// All simulations of a model: for each its ranks, then its autocorrelations.
std::vector<double> calibrate(const SbcModel& model, std::uint64_t seed, const Options& options) {
    std::vector<SbcSimulation> simulations(options.simulations);
    run_tasks(simulations.size(), options.threads, [&](std::size_t i) -> std::string {
        simulations[i] = simulate(model, seed, static_cast<std::uint32_t>(i));
        return i % 100 == 99 ? fmt::format("sbc {}", model.name) : "";
    });
    std::vector<double> numbers;
    for (const SbcSimulation& simulation : simulations) {
        numbers.insert(numbers.end(), simulation.ranks.begin(), simulation.ranks.end());
        numbers.insert(numbers.end(), simulation.autocorrelation.begin(), simulation.autocorrelation.end());
    }
    return numbers;
}

void validate_sbc(const Options& options, const KeptResults& kept, Report& report) {
    const EcdfBand band(options.simulations, n_sbc_draws);
    std::size_t n_tests = 0;
    for (const SbcModel& model : sbc_models()) n_tests += 2 * sbc_functionals(model.model).size();
    const double level_of_one = sbc_level / static_cast<double>(n_tests);
    const auto n_band_trials = static_cast<std::uint32_t>(std::ceil(n_trials_below_band / level_of_one));
    fmt::print(stderr, "sbc: the band at level {:.2g} from {} simulated samples\n", level_of_one, n_band_trials);
    const double bound = band.bound(level_of_one, n_band_trials, band_seed);

    Ranks table;
    for (std::size_t m = 0; m < sbc_models().size(); ++m) {
        const SbcModel& model = sbc_models()[m];
        const std::string name =
            fmt::format("sbc {}, seed {}, {} simulations", model.name, sbc_seed + m, options.simulations);
        const std::vector<double> numbers = kept.get(name, [&] { return calibrate(model, sbc_seed + m, options); });
        const std::vector<Functional> functionals = sbc_functionals(model.model);
        double worst = 0.0;
        for (std::size_t f = 0; f < functionals.size(); ++f) {
            std::vector<std::uint32_t> ranks;
            double autocorrelation = 0.0;
            for (std::size_t first = f; first < numbers.size(); first += 2 * functionals.size()) {
                const auto rank = static_cast<std::uint32_t>(numbers[first]);
                table.add(model.name, functionals[f].name, ranks.size(), rank);
                ranks.push_back(rank);
                autocorrelation += numbers[first + functionals.size()] / options.simulations;
            }
            worst = std::max(worst, autocorrelation);
            const double smallest = band.smallest_pointwise_p(ranks);
            const double p = chi_square_of_ranks(ranks, n_sbc_draws);
            report.add(model.name, "sbc ecdf: " + functionals[f].name, smallest, bound, smallest >= bound);
            report.add(model.name, "sbc chi-square: " + functionals[f].name, p, level_of_one, p >= level_of_one);
        }
        report.add(model.name, "sbc autocorrelation", worst, largest_autocorrelation, worst <= largest_autocorrelation);
    }
    write_table(
        options.out + "/sbc.parquet", ranks_schema, table.table(),
        provenance_of_this_process(fmt::format("validate.simulations = {}\n", options.simulations), sbc_seed, {}));
}

int validate(const Options& options) {
    use_one_blas_thread();
    make_directories(options.out);
    const KeptResults kept(options.keep, provenance_of_this_process("", {}, {}).executable_sha256);
    Report report;
    validate_mutants(options, report);
    validate_sbc(options, kept, report);
    validate_geweke(options, kept, report);
    write_text_atomically(options.out + "/referees.csv", report.referees);
    fmt::print("{}\n", report.n_failures == 0 ? "all referees pass, all mutants are killed"
                                              : fmt::format("{} FAILURES", report.n_failures));
    return report.n_failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return validate(parse(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "hmmlt-validate: {}\n", error.what());
        return hmmlt::exit_code_for(error);
    }
}
