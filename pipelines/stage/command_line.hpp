// Flags of a stage. CLI11 stays behind this header: its own headers cost seconds of every compilation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace hmmlt {

// --help or --version was asked for and answered; the stage has nothing more to do.
struct HelpShown : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct WholeNumbers {
    std::int64_t min;
    std::int64_t max;
};

class CommandLine {
  public:
    // `example` is a complete command line, shown at the end of --help.
    CommandLine(std::string name, std::string purpose, std::string example);
    ~CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    // Each binds a flag to a variable that holds its default; `required` flags have none. `paths` takes one or more.
    void required_path(const std::string& flag, std::filesystem::path& target, const std::string& help);
    void required_seed(const std::string& flag, std::uint64_t& target, const std::string& help);
    void required_integer(const std::string& flag, std::int64_t& target, WholeNumbers range, const std::string& help);
    void path(const std::string& flag, std::filesystem::path& target, const std::string& help);
    void text(const std::string& flag, std::string& target, const std::string& help);
    void choice(const std::string& flag, std::string& target, const std::vector<std::string>& values,
                const std::string& help);
    void integer(const std::string& flag, std::int64_t& target, WholeNumbers range, const std::string& help);
    void seed(const std::string& flag, std::uint64_t& target, const std::string& help);
    void yes(const std::string& flag, bool& target, const std::string& help);  // a flag without a value
    void repeated_text(const std::string& flag, std::vector<std::string>& target, const std::string& help);
    void paths(const std::string& flag, std::vector<std::filesystem::path>& target, const std::string& help);

    void texts(const std::string& flag, std::vector<std::string>& target, const std::string& help);  // one or more
    void fraction(const std::string& flag, double& target, const std::string& help);  // above 0 and below 1

    // Throws UsageError naming the flag, or HelpShown.
    void parse(int argc, char** argv);

  private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace hmmlt
