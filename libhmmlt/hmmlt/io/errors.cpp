// Words for errno, and exit codes for exceptions.
#include "hmmlt/io/errors.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace hmmlt {

IoError system_error(std::string_view action, std::string_view path, int error_number) {
    return IoError(fmt::format("cannot {} {}: {}", action, path, std::generic_category().message(error_number)));
}

int exit_code_for(const std::exception& error) noexcept {
    const auto* ours = dynamic_cast<const Error*>(&error);
    if (ours != nullptr) return ours->exit_code();
    return dynamic_cast<const std::filesystem::filesystem_error*>(&error) != nullptr ? exit_code::io
                                                                                     : exit_code::internal;
}

}  // namespace hmmlt
