// What a chain leaves behind: records that the journal keeps during the run, and the tables made of them at its end.
#pragma once

#include <armadillo>
#include <filesystem>
#include <string>
#include <vector>

#include "hmmlt/dynamics/sequences.hpp"
#include "hmmlt/io/draws.hpp"
#include "hmmlt/io/journal.hpp"
#include "hmmlt/io/provenance.hpp"

namespace hmmlt {

// A record for Journal::append each.
std::string sweep_record(std::uint32_t sweep, const std::vector<double>& trace, const std::vector<double>& seconds);
std::string heldout_record(std::uint32_t sweep, const arma::vec& log_likelihood, const arma::vec& expected);
std::string draw_record(std::uint32_t sweep, const std::vector<DrawArray>& arrays);

// The mean of a matrix over sweeps, as sums that can be stored and continued.
class RunningMean {
  public:
    void add(const arma::umat& values);  // 0 or 1
    arma::mat mean() const;              // empty before the first
    bool empty() const { return n_ == 0; }

    std::string bytes() const;
    static RunningMean from_bytes(std::string_view bytes);

  private:
    arma::uvec sum_;
    std::uint64_t n_rows_ = 0;
    std::uint64_t n_ = 0;
};

struct ResultNames {
    std::vector<std::string> trace;   // columns
    std::vector<std::string> blocks;  // of the seconds
};

// The tables that the directory of a chain may hold: those below, and the legend of its data.
std::vector<std::string> result_tables();

// trace, timing, draws, and where there are any heldout and state_mean, as Parquet files in `directory`.
void write_results(const std::filesystem::path& directory, const JournalMark& journal, std::uint32_t chain,
                   const ResultNames& names, const Sequences& test, const Sequences& train, const RunningMean& mean,
                   const Provenance& provenance);

}  // namespace hmmlt
