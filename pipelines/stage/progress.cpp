// One line, rewritten in place where there is a terminal to rewrite it on.
#include "pipelines/stage/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace hmmlt {

namespace {

constexpr std::size_t smallest_bar = 5;
constexpr std::size_t largest_bar = 20;
constexpr auto terminal_interval = std::chrono::milliseconds(200);
constexpr auto line_interval = std::chrono::seconds(30);

std::size_t terminal_width() {
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

// Several stages on one terminal would draw their bars over each other: make asks for lines.
bool wants_lines() {
    const char* wish = std::getenv("HMMLT_PROGRESS");
    return wish != nullptr && std::string_view(wish) == "lines";
}

std::string bar(double fraction, std::size_t width) {
    const auto full = static_cast<std::size_t>(std::lround(fraction * static_cast<double>(width)));
    return fmt::format("[{:#<{}}{:.<{}}]", "", full, "", width - full);
}

}  // namespace

std::string duration_text(double seconds) {
    const auto whole = static_cast<long>(std::ceil(std::max(0.0, seconds)));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string number_text(double value) {
    const std::string text = fmt::format("{:.3g}", value);
    if (text.find('e') == std::string::npos) return text;
    const double size = std::abs(value);
    return fmt::format("{:.{}f}", value, size < 1 ? 2 - static_cast<int>(std::floor(std::log10(size))) : 0);
}

std::string count_text(std::uint64_t n, const std::string& noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

Progress::Progress(std::string what, std::string unit, std::uint64_t total, std::uint64_t done)
    : what_(std::move(what)),
      unit_(std::move(unit)),
      total_(total),
      first_(done),
      terminal_(::isatty(STDERR_FILENO) == 1 && !wants_lines()),
      started_(Clock::now()),
      shown_(started_) {}

Progress::~Progress() {
    if (bar_is_open_) fmt::print(stderr, "\n");
}

bool Progress::is_due(std::uint64_t done) const {
    if (terminal_ && done == total_) return true;
    return Clock::now() - shown_ >= (terminal_ ? Clock::duration(terminal_interval) : Clock::duration(line_interval));
}

void Progress::show(std::uint64_t done, const std::string& details) {
    shown_ = Clock::now();
    const double seconds = std::max(1e-9, std::chrono::duration<double>(shown_ - started_).count());
    const double rate = static_cast<double>(done - first_) / seconds;
    std::string text = fmt::format("{} {}/{}", unit_, done, total_);
    if (rate > 0) {
        text += fmt::format(", {}/s", number_text(rate));
        if (done < total_) text += ", " + duration_text(static_cast<double>(total_ - done) / rate) + " left";
    }
    if (!details.empty()) text += ", " + details;
    if (!terminal_) {
        fmt::print(stderr, "{}: {}\n", what_, text);
        return;
    }
    const double fraction = total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
    const std::size_t room = terminal_width() - 1;  // a line that wraps cannot be rewritten
    const std::size_t words = what_.size() + text.size() + 4;
    std::string line = words + smallest_bar > room
                           ? fmt::format("{} {}", what_, text)
                           : fmt::format("{} {} {}", what_, bar(fraction, std::min(room - words, largest_bar)), text);
    line.resize(std::min(line.size(), room));
    fmt::print(stderr, "\r\x1b[K{}", line);
    std::fflush(stderr);
    bar_is_open_ = true;
}

}  // namespace hmmlt
