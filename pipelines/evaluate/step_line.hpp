// A step of data as a line of text: values between commas, or one symbol.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "hmmlt/emission/observations.hpp"
#include "hmmlt/io/model_config.hpp"

namespace hmmlt {

// What a line means to a model. `labels` are those of a vocabulary, and come before numbers where both fit.
struct LineFormat {
    DataShape shape;  // n_channels or n_symbols
    std::map<std::string, arma::sword, std::less<>> labels;
};

// Blanks around values and a carriage return at the end do not count. A line that is empty then is no step.
bool is_blank(std::string_view line);

// A single step; nothing between commas, or NA, is a missing value. Throws DataError: "expected .., found ..".
Observations parse_step(std::string_view line, const LineFormat& format);

}  // namespace hmmlt
