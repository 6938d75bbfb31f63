// One pass over the bytes per question. A quote counts where a field begins and nowhere else, as it does for Arrow.
#include "hmmlt/io/csv_scan.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace hmmlt {

namespace {

constexpr char quote = '"';

bool is_break(char c) {
    return c == '\n' || c == '\r';
}

// Where the spaces that begin at `position` end; a space that separates fields is no padding.
std::size_t behind_spaces(std::string_view text, std::size_t position, char delimiter) {
    while (delimiter != ' ' && position < text.size() && text[position] == ' ') ++position;
    return position;
}

// Where the quoted text that begins behind position - 1 ends: the offset of its closing quote.
std::size_t closing_quote(std::string_view text, std::size_t position) {
    while (true) {
        position = text.find(quote, position);
        if (position == std::string_view::npos || position + 1 >= text.size() || text[position + 1] != quote)
            return position;
        position += 2;
    }
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::optional<double> number_in(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error == std::errc::invalid_argument || end != text.data() + text.size()) return {};
    return number;
}

bool begins_with_date(std::string_view text) {
    constexpr std::string_view shape = "0000-00-00";
    if (text.size() < shape.size()) return false;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (shape[i] == '-' ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
    return true;
}

// The first rows of the text.
std::vector<CsvFields> sample(std::string_view text, char delimiter, std::size_t n_rows) {
    std::vector<CsvFields> out;
    CsvRows rows(text, delimiter);
    for (CsvRow row; out.size() < n_rows && rows.next(row);)
        out.push_back(csv_fields(text.substr(row.begin, row.end - row.begin), delimiter));
    return out;
}

// Do all rows have as many fields as the first, and more than one?
bool is_even(const std::vector<CsvFields>& rows) {
    return !rows.empty() && rows.front().size() > 1 &&
           std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return row.size() == rows.front().size(); });
}

// Names such as those pandas gives unnamed columns: 0, 1, 2, ... or 1, 2, 3, ...
bool count_up(const std::vector<double>& numbers) {
    if (numbers.size() < 2 || (numbers[0] != 0.0 && numbers[0] != 1.0)) return false;
    for (std::size_t i = 1; i < numbers.size(); ++i)
        if (numbers[i] != numbers[i - 1] + 1.0) return false;
    return true;
}

// Does the column hold its first cell again, and no number? Two files put together repeat their header, too.
bool is_repeated_among_texts(const std::vector<CsvFields>& rows, std::size_t column) {
    bool repeated = false;
    for (std::size_t row = 1; row < rows.size(); ++row) {
        if (column >= rows[row].size()) continue;
        if (number_in(rows[row][column])) return false;
        repeated = repeated || rows[row][column] == rows[0][column];
    }
    return repeated;
}

}  // namespace

bool CsvRows::next(CsvRow& row) {
    while (position_ < text_.size() && is_break(text_[position_])) pass_line_break();
    if (position_ >= text_.size()) return false;
    row = {.begin = position_, .line = line_};
    do {
        if (row.n_fields > 0) ++position_;  // the delimiter
        pass_field(row);
        ++row.n_fields;
    } while (position_ < text_.size() && text_[position_] == delimiter_);
    row.end = position_;
    if (position_ < text_.size()) pass_line_break();
    return true;
}

void CsvRows::pass_field(CsvRow& row) {
    const std::size_t start = behind_spaces(text_, position_, delimiter_);
    if (start < text_.size() && text_[start] == quote) {
        position_ = start + 1;
        pass_quoted(row);
    }
    while (position_ < text_.size() && text_[position_] != delimiter_ && !is_break(text_[position_])) ++position_;
}

void CsvRows::pass_quoted(CsvRow& row) {
    const std::size_t end = closing_quote(text_, position_);
    row.is_closed = row.is_closed && end != std::string_view::npos;
    const std::size_t stop = std::min(end, text_.size());
    while (position_ < stop) {
        if (is_break(text_[position_])) {
            row.has_line_break = true;
            pass_line_break();
        } else {
            ++position_;
        }
    }
    if (position_ < text_.size()) ++position_;
}

void CsvRows::pass_line_break() {
    const bool is_pair = text_[position_] == '\r' && position_ + 1 < text_.size() && text_[position_ + 1] == '\n';
    position_ += is_pair ? 2 : 1;
    ++line_;
}

CsvFields csv_fields(std::string_view row, char delimiter) {
    CsvFields fields;
    std::size_t position = 0;
    while (true) {
        std::string field;
        const std::size_t start = behind_spaces(row, position, delimiter);
        if (start < row.size() && row[start] == quote) {
            const std::size_t end = std::min(closing_quote(row, start + 1), row.size());
            for (position = start + 1; position < end; ++position) {
                field += row[position];
                if (row[position] == quote) ++position;  // doubled
            }
            position = std::min(position + 1, row.size());
        }
        const std::size_t end = std::min(row.find(delimiter, position), row.size());
        field += row.substr(position, end - position);
        fields.emplace_back(trimmed(field));
        if (end == row.size()) return fields;
        position = end + 1;
    }
}

char detect_delimiter(std::string_view text) {
    constexpr std::size_t n_rows = 100;
    char best = ',';
    std::size_t most_fields = 1;
    for (const char delimiter : {'\t', ';', ','}) {
        const std::vector<CsvFields> rows = sample(text, delimiter, n_rows);
        if (is_even(rows)) return delimiter;
        if (rows.empty() || rows.front().size() <= most_fields) continue;
        best = delimiter;
        most_fields = rows.front().size();
    }
    const std::vector<CsvFields> words = sample(text, ' ', n_rows);
    const bool is_table =
        is_even(words) && words.size() > 1 &&
        std::all_of(words[1].begin(), words[1].end(), [](const auto& word) { return number_in(word); });
    return most_fields == 1 && is_table ? ' ' : best;
}

bool has_header(std::string_view text, char delimiter) {
    constexpr std::size_t n_rows = 1000;
    return looks_like_header(sample(text, delimiter, n_rows));
}

bool looks_like_header(const std::vector<CsvFields>& rows) {
    std::vector<double> numbers;
    bool all_numbers = true;
    const CsvFields& first = rows.front();
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (begins_with_date(first[i])) return false;
        const std::optional<double> number = number_in(first[i]);
        all_numbers = all_numbers && number.has_value();
        if (number) {
            numbers.push_back(*number);
            continue;
        }
        if (!first[i].empty() && is_repeated_among_texts(rows, i)) return false;
    }
    return numbers.empty() ? std::any_of(first.begin(), first.end(), [](const auto& name) { return !name.empty(); })
                           : !all_numbers && count_up(numbers);
}

bool may_have_padding(std::string_view text, char delimiter) {
    if (delimiter == ' ') return false;
    const auto is_edge = [delimiter](char c) { return c == delimiter || is_break(c); };
    for (std::size_t i = text.find(' '); i != std::string_view::npos; i = text.find(' ', i + 1))
        if (i == 0 || i + 1 == text.size() || is_edge(text[i - 1]) || is_edge(text[i + 1])) return true;
    return false;
}

std::string without_padding(std::string_view text, char delimiter) {
    std::string out;
    out.reserve(text.size());
    std::size_t position = 0;
    while (position < text.size()) {
        std::size_t start = behind_spaces(text, position, delimiter);
        position = start;
        if (position < text.size() && text[position] == quote) {
            const std::size_t end = closing_quote(text, position + 1);
            position = end == std::string_view::npos ? text.size() : end + 1;
            out += text.substr(start, position - start);
            start = position;
        }
        while (position < text.size() && text[position] != delimiter && !is_break(text[position])) ++position;
        std::string_view rest = text.substr(start, position - start);
        while (rest.ends_with(' ')) rest.remove_suffix(1);
        out += rest;
        if (position < text.size()) out += text[position++];
    }
    return out;
}

}  // namespace hmmlt
