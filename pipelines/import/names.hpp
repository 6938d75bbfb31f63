// What the name of a column tells about it.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hmmlt {

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return std::find(names.begin(), names.end(), lower) != names.end();
}

inline bool names_sequences(std::string_view name) {
    return is_one_of(name, {"sequence", "sequence_id", "seq", "seq_id", "series_id", "id", "subject", "subject_id",
                            "session", "session_id", "trial", "trial_id", "recording", "recording_id"});
}

inline bool names_time(std::string_view name) {
    return is_one_of(name, {"t", "time", "timestamp", "datetime", "date", "step", "time_step", "timestep", "frame"});
}

// The numbers of rows that pandas and R write; they order rows, but a time does so first.
inline bool names_row_numbers(std::string_view name) {
    return is_one_of(name, {"index", "unnamed: 0", "__index_level_0__"});
}

inline bool names_symbols(std::string_view name) {
    return is_one_of(name, {"symbol", "token", "word"});
}

inline bool names_variables(std::string_view name) {
    return is_one_of(name, {"variable", "channel", "feature", "sensor", "signal"});
}

inline bool names_values(std::string_view name) {
    return is_one_of(name, {"value", "measurement", "reading"});
}

}  // namespace hmmlt
