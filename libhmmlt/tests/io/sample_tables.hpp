// One small table per schema, with the values that files tend to get wrong: nulls, NaN, -0.0, extremes, empty and
// non-ASCII strings. read_back.py knows the same values.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "hmmlt/io/provenance.hpp"
#include "hmmlt/io/schema.hpp"
#include "hmmlt/io/table.hpp"

namespace hmmlt::testing {

using Ints = std::vector<std::int32_t>;
using Reals = std::vector<double>;
using Texts = std::vector<std::string>;

struct Sample {
    std::string file;
    const Schema* schema;
    Table table;
};

inline Provenance sample_provenance() {
    return {"model.n_states = 3\n",
            18446744073709551615u,
            {{"observations", "00ff"}, {"weights", "11aa"}},
            "22bb",
            "-march=x86-64-v3: avx2 fma",
            {"OpenBLAS 0.3.21", "Haswell", 1},
            {}};
}

inline std::vector<Sample> sample_tables() {
    using Limits = std::numeric_limits<double>;
    std::vector<Sample> samples;

    Table vectors("observations");
    vectors.add_column("sequence", Ints{0, 0, 1, 1})
        .add_column("t", Ints{0, 1, 0, 1})
        .add_column("y_0", Reals{0.1, -0.0, Limits::max(), Limits::denorm_min()}, {true, true, true, true})
        .add_column("y_1", Reals{1.5, 0.0, Limits::infinity(), Limits::quiet_NaN()}, {true, false, true, true});
    samples.push_back({"observations", &observations_schema(), std::move(vectors)});

    Table symbols("observations");
    symbols.add_column("sequence", Ints{0, 0, 0})
        .add_column("t", Ints{0, 1, 2})
        .add_column("symbol", Ints{0, 0, std::numeric_limits<std::int32_t>::max()}, {true, false, true});
    samples.push_back({"symbols", &observations_schema(), std::move(symbols)});

    Table sequences("sequences");
    sequences.add_column("sequence", Ints{0, 1, 2}).add_column("name", Texts{"", "Bach, \"BWV 1\"", "Müller 音"});
    samples.push_back({"sequences", &sequences_schema(), std::move(sequences)});

    Table truth("truth");
    truth.add_column("sequence", Ints{0, 0}).add_column("t", Ints{0, 1});
    for (int d = 0; d < 11; ++d) truth.add_column("theta_" + std::to_string(d), Ints{d % 2, 1});  // theta_10 after _9
    truth.add_column("z", Ints{4, 2});
    samples.push_back({"truth", &truth_schema(), std::move(truth)});

    Table weights("weights");
    weights.add_column("feature", Ints{0, 1})
        .add_column("w_0", Reals{0.25, -3.0})
        .add_column("w_1", Reals{1e-300, 7.0});
    samples.push_back({"weights", &weights_schema(), std::move(weights)});

    Table vocabulary("vocabulary");
    vocabulary.add_column("symbol", Ints{0, 1})
        .add_column("label", Texts{"60,55,52,48", "rest"})
        .add_column("name", Texts{"C4 G3 E3 C3", ""}, {true, false});
    samples.push_back({"vocabulary", &vocabulary_schema(), std::move(vocabulary)});

    Table trace("trace");
    trace.add_column("chain", Ints{3, 3})
        .add_column("sweep", Ints{1, 2})
        .add_column("log_joint", Reals{-1.5, 2.5})
        .add_column("h_10", Reals{0.5, 0.25})
        .add_column("F1", Reals{0.0, 0.75}, {false, true});
    samples.push_back({"trace", &trace_schema(), std::move(trace)});

    Table timing("timing");
    timing.add_column("sweep", Ints{1, 1})
        .add_column("block", Texts{"states", "rates"})
        .add_column("seconds", Reals{0.5, 1e-6});
    samples.push_back({"timing", &timing_schema(), std::move(timing)});

    Table heldout("heldout");
    heldout.add_column("chain", Ints{0}).add_column("sweep", Ints{50}).add_column("sequence", Ints{2});
    heldout.add_column("log_likelihood", Reals{-8.25}).add_column("log_likelihood_expected", Reals{-7.5});
    heldout.add_column("n", Ints{400});
    samples.push_back({"heldout", &heldout_schema(), std::move(heldout)});

    Table draws("draws");
    draws.add_column("chain", Ints{0, 0}).add_column("sweep", Ints{500, 500});
    draws.add_column("variable", Texts{"transition", "start"}).add_column("i", Ints{4, 0}).add_column("j", Ints{7, 2});
    draws.add_column("value", Reals{0.25, 1e-30});
    samples.push_back({"draws", &draws_schema(), std::move(draws)});

    Table state_mean("state_mean");
    state_mean.add_column("sequence", Ints{0, 1}).add_column("t", Ints{0, 0}).add_column("p_0", Reals{0.125, 1.0});
    samples.push_back({"state_mean", &state_mean_schema(), std::move(state_mean)});
    Table channels("channels");
    channels.add_column("channel", Ints{0, 1}).add_column("name", Texts{"température", "x, y"});
    samples.push_back({"channels", &channels_schema(), std::move(channels)});
    Table scaling("scaling");
    scaling.add_column("channel", Ints{0, 1}).add_column("mean", Reals{-0.5, 1e12}).add_column("sd", Reals{1e-3, 1.0});
    samples.push_back({"scaling", &scaling_schema(), std::move(scaling)});

    Table evaluation("evaluation");
    evaluation.add_column("sequence", Ints{-1, 0}).add_column("n", Ints{400, 0});
    evaluation.add_column("measure", Texts{"log_predictive", "f1"}).add_column("value", Reals{-3300.5, 1.0});
    samples.push_back({"evaluation", &evaluation_schema(), std::move(evaluation)});

    Table predictions("predictions");
    predictions.add_column("sequence", Ints{0, 0}).add_column("t", Ints{0, 1});
    predictions.add_column("log_density", Reals{-8.5, 0.25}).add_column("filtered_0", Reals{1.0, 1e-300});
    predictions.add_column("smoothed_0", Reals{0.5, 0.0}).add_column("state", Ints{17, 3});
    samples.push_back({"predictions", &predictions_schema(), std::move(predictions)});

    Table diagnostics("diagnostics");
    diagnostics.add_column("name", Texts{"lambda", "F1"})
        .add_column("n_chains", Ints{4, 4})
        .add_column("n_draws", Ints{1000, 3});
    for (const char* name : {"mean", "sd", "q5", "q95", "rhat", "ess_bulk", "ess_tail", "ess_per_second"})
        diagnostics.add_column(name, Reals{1.25, 0.0}, {true, false});
    samples.push_back({"diagnostics", &diagnostics_schema(), std::move(diagnostics)});

    Table empty("sequences");
    empty.add_column("sequence", Ints{}).add_column("name", Texts{});
    samples.push_back({"empty", &sequences_schema(), std::move(empty)});
    return samples;
}

// One row more than a row group holds, with nulls on both sides of the border: row i has t = i, y_0 = i / 8 and
// y_1 = -i / 8, null where i is a multiple of 3.
inline Table long_table() {
    constexpr std::int32_t n_rows = 131073;
    Ints sequence(n_rows, 0), t;
    Reals y_0, y_1;
    std::vector<bool> valid;
    for (std::int32_t row = 0; row < n_rows; ++row) {
        t.push_back(row);
        y_0.push_back(row / 8.0);
        y_1.push_back(-row / 8.0);
        valid.push_back(row % 3 != 0);
    }
    Table table("observations");
    table.add_column("sequence", std::move(sequence)).add_column("t", std::move(t)).add_column("y_0", std::move(y_0));
    table.add_column("y_1", std::move(y_1), std::move(valid));
    return table;
}

}  // namespace hmmlt::testing
