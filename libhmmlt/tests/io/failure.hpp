// The error a call ends with, so that a test can compare its whole message and its kind.
#pragma once

#include <exception>
#include <string>

namespace hmmlt::testing {

// The message of the `Kind` that `call` throws; "nothing was thrown" or "another error: ..." otherwise.
template <typename Kind, typename Call>
std::string failure(Call&& call) {
    try {
        call();
    } catch (const Kind& error) {
        return error.what();
    } catch (const std::exception& error) {
        return std::string("another error: ") + error.what();
    }
    return "nothing was thrown";
}

}  // namespace hmmlt::testing
