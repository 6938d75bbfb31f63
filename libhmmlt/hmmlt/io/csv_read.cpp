// CSV text -> SourceTable: our own scan finds rows, names and mistakes with their lines; Arrow converts the values.
#include <arrow/api.h>
#include <arrow/csv/api.h>
#include <arrow/io/memory.h>
#include <arrow/util/utf8.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include "hmmlt/io/arrow_source.hpp"
#include "hmmlt/io/csv_scan.hpp"
#include "hmmlt/io/errors.hpp"
#include "hmmlt/io/hash.hpp"

namespace hmmlt {

namespace {

[[noreturn]] void fail(const std::string& file, const std::string& what) {
    throw DataError(fmt::format("{}: {}", file, what));
}

std::size_t line_at(std::string_view text, std::size_t offset) {
    std::size_t line = 1;
    for (std::size_t i = 0; i < offset; ++i)
        line += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    return line;
}

// Other files that people take for CSV.
void check_is_no_other_file(const std::string& file, std::string_view bytes) {
    using namespace std::string_view_literals;
    for (const auto& [beginning, what] : {
             std::pair("PK\x03\x04"sv, "found a spreadsheet or zip archive; save it as CSV"),
             std::pair("\x1f\x8b"sv, "found gzip-compressed data; unpack it first"),
             std::pair("PAR1"sv, "found a Parquet file; say --format parquet"),
             std::pair("\xff\xfe"sv, "found UTF-16; save it as UTF-8"),
             std::pair("\xfe\xff"sv, "found UTF-16; save it as UTF-8"),
         })
        if (bytes.starts_with(beginning)) fail(file, fmt::format("expected CSV text, {}", what));
}

void check_is_text(const std::string& file, std::string_view text) {
    if (const std::size_t offset = text.find('\0'); offset != std::string_view::npos)
        fail(file, fmt::format("line {}: expected text, found a NUL byte", line_at(text, offset)));
    arrow::util::InitializeUTF8();
    if (arrow::util::ValidateUTF8(text)) return;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
        if (!arrow::util::ValidateUTF8(text.substr(begin, end - begin)))
            fail(file,
                 fmt::format("line {}: expected UTF-8 text, found other bytes (to convert Latin-1: iconv -f latin1 "
                             "-t utf8)",
                             line_at(text, begin)));
        begin = end + 1;
    }
}

struct CsvText {
    std::string_view text;
    char delimiter = ',';
    bool has_header = false;
    std::vector<std::string> names;
    std::size_t data_begin = 0;
    std::vector<std::size_t> lines;  // of each row of data
    std::size_t longest_row = 0;
    bool has_line_breaks = false;  // inside quotes
};

std::vector<std::string> column_names(const std::string& file, const CsvFields& header, const CsvRow& row) {
    std::vector<std::string> names;
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < header.size(); ++i) {
        std::string name = header[i];
        std::replace_if(
            name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
        if (name.empty()) name = i == 0 ? "index" : fmt::format("column_{}", i);  // pandas and R leave it empty
        if (const auto [twin, is_new] = seen.emplace(name, i); !is_new)
            fail(file, fmt::format("line {}: two columns are called {} (columns {} and {}, counted from 0)", row.line,
                                   name, twin->second, i));
        names.push_back(std::move(name));
    }
    return names;
}

// Finds all rows and checks that they have the same number of fields.
CsvText scan(const std::string& file, std::string_view text, char delimiter, CsvOptions::Header header) {
    CsvText out;
    out.text = text;
    out.delimiter = delimiter;
    CsvRows rows(text, delimiter);
    CsvRow first;
    if (!rows.next(first)) fail(file, "the file is empty");
    using Header = CsvOptions::Header;
    out.has_header = header == Header::find_out ? has_header(text, delimiter) : header == Header::yes;
    CsvRow row = first;
    for (bool more = true; more; more = rows.next(row)) {
        if (!row.is_closed) fail(file, fmt::format("line {}: a quote is opened and never closed", row.line));
        if (row.n_fields != first.n_fields)
            fail(file, fmt::format("line {}: expected {} column{}, as in line {}, found {}", row.line, first.n_fields,
                                   first.n_fields == 1 ? "" : "s", first.line, row.n_fields));
        if (row.begin == first.begin && out.has_header) continue;
        if (out.lines.empty()) out.data_begin = row.begin;
        out.lines.push_back(row.line);
        out.longest_row = std::max(out.longest_row, row.end - row.begin);
        out.has_line_breaks = out.has_line_breaks || row.has_line_break;
    }
    if (out.lines.empty()) fail(file, fmt::format("line {} is a header, and there is no row below it", first.line));
    if (out.has_header) {
        out.names = column_names(file, csv_fields(text.substr(first.begin, first.end - first.begin), delimiter), first);
    } else {
        for (std::size_t i = 0; i < first.n_fields; ++i) out.names.push_back(fmt::format("column_{}", i));
    }
    return out;
}

std::shared_ptr<arrow::Table> convert_csv(const std::string& file, const CsvText& csv, const CsvOptions& options) {
    auto reading = arrow::csv::ReadOptions::Defaults();
    auto parsing = arrow::csv::ParseOptions::Defaults();
    auto converting = arrow::csv::ConvertOptions::Defaults();
    reading.use_threads = false;
    reading.column_names = csv.names;
    const std::size_t block_size =
        std::max(std::size_t{1} << 20, 2 * csv.longest_row + 2);  // a row must fit in a block
    if (block_size > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        fail(file, "expected rows below 1 GiB, found a longer one");
    reading.block_size = static_cast<std::int32_t>(block_size);
    parsing.delimiter = csv.delimiter;
    parsing.newlines_in_values = csv.has_line_breaks;
    converting.null_values = missing_words();
    converting.null_values.insert(converting.null_values.end(), options.missing.begin(), options.missing.end());
    converting.strings_can_be_null = true;
    for (const std::string& name : csv.names)
        if (options.keep_as_text && options.keep_as_text(name)) converting.column_types[name] = arrow::utf8();

    const std::string_view data = csv.text.substr(csv.data_begin);
    const auto input = std::make_shared<arrow::io::BufferReader>(std::make_shared<arrow::Buffer>(data));
    const arrow::io::IOContext context(arrow::system_memory_pool());
    const auto reader = arrow::csv::TableReader::Make(context, input, reading, parsing, converting);
    if (!reader.ok()) fail(file, reader.status().message());
    const auto table = (*reader)->Read();
    if (table.status().IsOutOfMemory()) throw std::bad_alloc();
    if (!table.ok()) fail(file, table.status().message());
    if (static_cast<std::size_t>((*table)->num_rows()) != csv.lines.size())
        fail(file,
             "its quotes are ambiguous: put a value that holds quotes, delimiters or line breaks in double quotes, "
             "and double the quotes inside it");
    return *table;
}

std::string_view delimiter_name(char delimiter) {
    switch (delimiter) {
        case ',':
            return "commas";
        case ';':
            return "semicolons";
        case '\t':
            return "tabs";
        case ' ':
            return "spaces";
        default:
            return "another character";
    }
}

std::string text_for(const CsvText& csv, std::size_t n_columns) {
    std::string text = "CSV";
    text += n_columns == 1 ? ", one column" : fmt::format(", separated by {}", delimiter_name(csv.delimiter));
    return text + (csv.has_header ? ", with a header" : ", without a header");
}

}  // namespace

const std::vector<std::string>& missing_words() {
    static const std::vector<std::string> words{"", "NA", "N/A", "NaN", "nan", "NAN", "null", "NULL", "<NA>", "#N/A"};
    return words;
}

SourceTable read_csv(std::string_view bytes, std::string file, const CsvOptions& options) {
    SourceTable source;
    source.file = std::move(file);
    source.sha256 = sha256_of_text(bytes);
    check_is_no_other_file(source.file, bytes);
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    check_is_text(source.file, bytes);
    const char delimiter = options.delimiter != '\0' ? options.delimiter : detect_delimiter(bytes);
    const std::string clean = may_have_padding(bytes, delimiter) ? without_padding(bytes, delimiter) : std::string();
    CsvText csv = scan(source.file, clean.empty() ? bytes : clean, delimiter, options.header);
    const auto table = convert_csv(source.file, csv, options);
    for (int i = 0; i < table->num_columns(); ++i)
        add_source_column(source, csv.names[static_cast<std::size_t>(i)], table->column(i));
    source.description = text_for(csv, csv.names.size());
    source.lines = std::move(csv.lines);
    return source;
}

}  // namespace hmmlt
