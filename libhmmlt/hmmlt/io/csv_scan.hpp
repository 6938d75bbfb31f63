// The shape of CSV text: where its rows are, what separates fields, whether there is a header. Values are read
// elsewhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hmmlt {

struct CsvRow {
    std::size_t begin = 0;  // offset of the first byte
    std::size_t end = 0;    // offset behind the last one, line break left out
    std::size_t line = 0;   // where it begins, from 1
    std::size_t n_fields = 0;
    bool has_line_break = false;  // inside quotes
    bool is_closed = true;        // false: a quote that nothing closes
};

// Row after row; empty lines are passed over. A field may stand in double quotes, wherein a quote is doubled; lines end
// with LF, CRLF or CR.
class CsvRows {
  public:
    CsvRows(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}
    bool next(CsvRow& row);  // false at the end

  private:
    void pass_field(CsvRow& row);
    void pass_quoted(CsvRow& row);
    void pass_line_break();

    std::string_view text_;
    char delimiter_;
    std::size_t position_ = 0;
    std::size_t line_ = 1;
};

using CsvFields = std::vector<std::string>;

// The fields of one row, without their quotes and the spaces around them.
CsvFields csv_fields(std::string_view row, char delimiter);

// Tab, semicolon or comma: the first of them that gives the first hundred rows the same number of fields, more than
// one; or a space, if the second row then holds numbers only. If none does, the one of the three that gives the first
// row most fields, and a comma if it has but one.
char detect_delimiter(std::string_view text);

// Is the first of these rows a header? Not if it holds a number or a date, or a text that its column repeats below. But
// numbers that count 0, 1, 2, ... or 1, 2, 3, ... beside a cell that is none are names.
bool looks_like_header(const std::vector<CsvFields>& rows);
bool has_header(std::string_view text, char delimiter);  // by the first thousand rows; there is at least one

// Are there spaces beside a delimiter or at an end of a line? `without_padding` removes those outside quotes.
bool may_have_padding(std::string_view text, char delimiter);
std::string without_padding(std::string_view text, char delimiter);

}  // namespace hmmlt
