// CLI11 behind our own small interface: its messages become UsageError.
#include "pipelines/stage/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>

#include "hmmlt/io/errors.hpp"

namespace hmmlt {

struct CommandLine::Implementation {
    CLI::App app;
};

namespace {

// CLI11 would read "1e3" and " 7" as something; a number here is a whole number in its range and nothing else.
template <typename Integer>
CLI::Option* add_integer(CLI::App& app, const std::string& flag, Integer& target, Integer min, Integer max,
                         const std::string& range, const std::string& help) {
    return app
        .add_option_function<std::string>(
            flag,
            [=, &target](const std::string& text) {
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target);
                if (error != std::errc{} || end != text.data() + text.size() || target < min || target > max)
                    throw CLI::ValidationError(
                        fmt::format("{}: expected a whole number from {}, found {}", flag, range, text), "");
            },
            help)
        ->type_name("N");
}

CLI::Option* add_seed(CLI::App& app, const std::string& flag, std::uint64_t& target, const std::string& help) {
    return add_integer<std::uint64_t>(app, flag, target, 0, UINT64_MAX, "0 to 2^64 - 1", help);
}

CLI::Option* add_integer(CLI::App& app, const std::string& flag, std::int64_t& target, WholeNumbers range,
                         const std::string& help) {
    return add_integer(app, flag, target, range.min, range.max, fmt::format("{} to {}", range.min, range.max), help);
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
    add_seed(implementation_->app, flag, target, help)->required();
}

void CommandLine::required_integer(const std::string& flag, std::int64_t& target, WholeNumbers range,
                                   const std::string& help) {
    add_integer(implementation_->app, flag, target, range, help)->required();
}

void CommandLine::path(const std::string& flag, std::filesystem::path& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("PATH");
}

void CommandLine::text(const std::string& flag, std::string& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("TEXT");
}

void CommandLine::choice(const std::string& flag, std::string& target, const std::vector<std::string>& values,
                         const std::string& help) {
    const std::string names = fmt::format("{}", fmt::join(values, "|"));
    implementation_->app
        .add_option_function<std::string>(
            flag,
            [=, &target](const std::string& text) {
                if (std::find(values.begin(), values.end(), text) == values.end())
                    throw CLI::ValidationError(fmt::format("{}: expected {}, found {}", flag, names, text), "");
                target = text;
            },
            help)
        ->type_name(names);
}

void CommandLine::integer(const std::string& flag, std::int64_t& target, WholeNumbers range, const std::string& help) {
    add_integer(implementation_->app, flag, target, range, help);
}

void CommandLine::seed(const std::string& flag, std::uint64_t& target, const std::string& help) {
    add_seed(implementation_->app, flag, target, help);
}

void CommandLine::yes(const std::string& flag, bool& target, const std::string& help) {
    implementation_->app.add_flag(flag, target, help);
}

void CommandLine::paths(const std::string& flag, std::vector<std::filesystem::path>& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("PATH")->required();
}

void CommandLine::repeated_text(const std::string& flag, std::vector<std::string>& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("KEY=VALUE")->allow_extra_args(false);
}

void CommandLine::texts(const std::string& flag, std::vector<std::string>& target, const std::string& help) {
    implementation_->app.add_option(flag, target, help)->type_name("TEXT");
}

void CommandLine::fraction(const std::string& flag, double& target, const std::string& help) {
    implementation_->app
        .add_option_function<std::string>(
            flag,
            [=, &target](const std::string& text) {
                const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), target);
                if (error != std::errc{} || end != text.data() + text.size() || !(target > 0.0 && target < 1.0))
                    throw CLI::ValidationError(
                        fmt::format("{}: expected a number above 0 and below 1, found {}", flag, text), "");
            },
            help)
        ->type_name("FRACTION");
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
