// CLI11 behind our own small interface: its messages become UsageError.
#include "pipelines/stage/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

struct CommandLine::Implementation {
    CLI::App app;
};

namespace {

// CLI11 would read "-1" and "1e3" as something; a seed is a whole number from 0 to 2^64 - 1 and nothing else.
bool parse_seed(const std::string& text, std::uint64_t& seed) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

CommandLine::CommandLine(std::string name, std::string purpose, std::string example)
    : implementation_(std::make_unique<Implementation>()) {
    CLI::App& app = implementation_->app;
    app.name(std::move(name));
    app.description(std::move(purpose));
    app.footer("\nExample:\n  " + std::move(example) + "\n");
    app.set_version_flag("--version", "hmmlt " HMMLT_VERSION);
}

CommandLine::~CommandLine() = default;

void CommandLine::required_path(const std::string& flag, std::filesystem::path& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->required()->type_name("PATH");
}

void CommandLine::required_seed(const std::string& flag, std::uint64_t& target, const std::string& help) {
    implementation_->app
        .add_option_function<std::string>(
            flag,
            [flag, &target](const std::string& text) {
                if (!parse_seed(text, target))
                    throw CLI::ValidationError(
                        fmt::format("{}: expected a whole number from 0 to 2^64 - 1, found {}", flag, text), "");
            },
            help)
        ->required()
        ->type_name("N");
}

void CommandLine::repeated_text(const std::string& flag, std::vector<std::string>& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("KEY=VALUE")->allow_extra_args(false);
}

void CommandLine::parse(int argc, char** argv) {
    CLI::App& app = implementation_->app;
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        app.exit(success, std::cout, std::cout);
        throw HelpShown("help shown");
    } catch (const CLI::ParseError& error) {
        std::string what = error.what();
        while (!what.empty() && (what.back() == ' ' || what.back() == ':')) what.pop_back();
        throw UsageError(what + " (try --help)");
    }
}

}  // namespace hmmlt
