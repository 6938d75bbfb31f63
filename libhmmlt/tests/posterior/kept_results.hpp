// Numbers that took long to compute, kept in a folder, so that a validation that was interrupted goes on where it was.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hmmlt::testing {

class KeptResults {
  public:
    // What another executable computed lies under another name and is never read; whoever exchanges the libraries that
    // it loads, BLAS above all, empties the folder. An empty name: nothing is kept.
    KeptResults(std::filesystem::path folder, std::string executable_sha256);

    // The numbers of `name`, which says all that determines them: as kept, or computed now and then kept.
    std::vector<double> get(const std::string& name, const std::function<std::vector<double>()>& compute) const;

  private:
    std::filesystem::path folder_;
    std::string executable_sha256_;
};

}  // namespace hmmlt::testing
