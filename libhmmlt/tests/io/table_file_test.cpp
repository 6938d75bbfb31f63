#include "hmmlt/io/table_file.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hmmlt/io/atomic_file.hpp"
#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"
#include "io/sample_tables.hpp"
#include "io/scratch_directory.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

Table small_sequences() {
    Table table("sequences");
    table.add_column("sequence", Ints{0, 1}).add_column("name", Texts{"a", "b"});
    return table;
}

// The complaint about a file of ours that was written by another version of the sequences schema.
std::string complaint_after(void (*change)(Schema&, Table&)) {
    const ScratchDirectory scratch;
    Schema schema = sequences_schema();
    Table table = small_sequences();
    change(schema, table);
    write_table(scratch / "f", schema, table, sample_provenance());
    const std::string message = failure<DataError>([&] { read_table(scratch / "f", sequences_schema()); });
    return message.substr(message.find("/f: ") + 1);
}

}  // namespace

TEST_CASE("table file: every sample comes back as it was") {
    const ScratchDirectory scratch;
    for (const Sample& sample : sample_tables()) {
        CAPTURE(sample.file);
        write_table(scratch / sample.file, *sample.schema, sample.table, sample_provenance());
        const TableFile back = read_table(scratch / sample.file, *sample.schema);
        CHECK(back.table == sample.table);
        CHECK_FALSE(back.foreign);
        CHECK(back.provenance_json == to_json(sample_provenance()));
        CHECK(back.content_sha256.size() == 64);
    }
    CHECK(scratch.names().size() == sample_tables().size());
}

TEST_CASE("table file: more rows than a row group holds") {
    const ScratchDirectory scratch;
    constexpr int n_rows = 300000;
    Ints sequence, symbol;
    std::vector<bool> valid;
    for (int row = 0; row < n_rows; ++row) {
        sequence.push_back(row / 7);
        symbol.push_back((row * 31) % 1009);
        valid.push_back(row % 5 != 0);
    }
    Table table("observations");
    table.add_column("sequence", sequence).add_column("t", sequence).add_column("symbol", symbol, valid);
    write_table(scratch / "f", observations_schema(), table, sample_provenance());
    CHECK(read_table(scratch / "f", observations_schema()).table == table);
}

TEST_CASE("table file: the same content gives the same bytes, whatever the order of columns") {
    const ScratchDirectory scratch;
    for (const Sample& sample : sample_tables()) {
        Table reversed(sample.table.name());
        for (auto column = sample.table.columns().rbegin(); column != sample.table.columns().rend(); ++column)
            reversed.add_column(column->name, column->values, column->valid);
        write_table(scratch / "a", *sample.schema, sample.table, sample_provenance());
        write_table(scratch / "b", *sample.schema, sample.table, sample_provenance());
        write_table(scratch / "c", *sample.schema, reversed, sample_provenance());
        CHECK(read_bytes(scratch / "a") == read_bytes(scratch / "b"));
        // columns that the schema does not name one by one have no order but the table's own
        if (sample.schema->columns.back().extent != Extent::others)
            CHECK(read_bytes(scratch / "a") == read_bytes(scratch / "c"));
    }
}

TEST_CASE("table file: other content or other provenance gives another hash") {
    const ScratchDirectory scratch;
    Provenance other = sample_provenance();
    other.seed = 1;
    write_table(scratch / "a", sequences_schema(), small_sequences(), sample_provenance());
    write_table(scratch / "b", sequences_schema(), small_sequences(), other);
    CHECK(read_table(scratch / "a", sequences_schema()).content_sha256 !=
          read_table(scratch / "b", sequences_schema()).content_sha256);
}

TEST_CASE("table file: what is not a Parquet file") {
    const ScratchDirectory scratch;
    const auto complaint = [&](const std::string& bytes) {
        write_bytes(scratch / "f", bytes);
        return failure<DataError>([&] { read_table(scratch / "f", sequences_schema()); });
    };
    const std::string where = (scratch / "f").string();
    CHECK(complaint("") == where + ": not a Parquet file");
    CHECK(complaint("sequence,name\n0,a\n") == where + ": not a Parquet file");
    CHECK(complaint("PAR1") == where + ": truncated: the end of the Parquet file is missing");
    CHECK(complaint("PAR1PAR1") == where + ": truncated: the end of the Parquet file is missing");
    CHECK(complaint("PAR1 and more").find("truncated") != std::string::npos);
    CHECK(complaint("PAR1????????PAR1").starts_with(where + ": damaged Parquet file: "));
    CHECK(failure<IoError>([&] { read_table(scratch / "no", sequences_schema()); }) ==
          "cannot read " + (scratch / "no").string() + ": No such file or directory");
    CHECK(failure<IoError>([&] { read_table(scratch.path(), sequences_schema()); }) ==
          "cannot read " + scratch.path().string() + ": Is a directory");
}

TEST_CASE("table file: a file of ours that is not what was asked for") {
    CHECK(complaint_after([](Schema& schema, Table&) { schema.version = 2; }) ==
          "f: expected version 1 of the table sequences, found version 2: it was written by a newer hmmlt");
    CHECK(complaint_after([](Schema& schema, Table&) { schema.version = 0; }) ==
          "f: expected version 1 of the table sequences, found version 0: it was written by an older hmmlt; make it "
          "again");
    CHECK(complaint_after([](Schema& schema, Table& table) {
              schema = vocabulary_schema();
              table = Table("vocabulary");
              table.add_column("symbol", Ints{0}).add_column("label", Texts{"x"});
          }) == "f: expected the table sequences, found vocabulary");
    CHECK(complaint_after([](Schema& schema, Table& table) {
              schema.columns.pop_back();
              table = Table("sequences");
              table.add_column("sequence", Ints{0});
          }) == "f: column name is missing; the columns are: sequence");
    CHECK(complaint_after([](Schema& schema, Table& table) {
              schema.columns[0].type = ColumnType::int64;
              table = Table("sequences");
              table.add_column("sequence", std::vector<std::int64_t>{0}).add_column("name", Texts{"a"});
          }) == "f: column sequence: expected int32, found int64");
    CHECK(complaint_after([](Schema& schema, Table& table) {
              schema.columns[1].nullable = true;
              table = Table("sequences");
              table.add_column("sequence", Ints{0, 1}).add_column("name", Texts{"a", ""}, {true, false});
          }) == "f: column name: expected a value in every row, found null in row 1");
    CHECK(complaint_after([](Schema& schema, Table& table) {
              schema.columns.push_back(
                  {"colour", ColumnType::string, false, Presence::optional, Extent::single, "a later idea"});
              table.add_column("colour", Texts{"red", "blue"});
          }) == "f: a table sequences has no column colour");
}

TEST_CASE("table file: a table that does not fit is not written") {
    const ScratchDirectory scratch;
    CHECK(failure<DataError>([&] {
              write_table(scratch / "f", truth_schema(), small_sequences(), sample_provenance());
          }) == (scratch / "f").string() + ": expected the table truth, found sequences");
    CHECK(scratch.names().empty());
}

TEST_CASE("table file: one writer at a time, and a missing directory") {
    const ScratchDirectory scratch;
    const AtomicFile other(scratch / "f");
    CHECK(failure<IoError>([&] {
              write_table(scratch / "f", sequences_schema(), small_sequences(), sample_provenance());
          }) == "cannot write " + (scratch / "f").string() + ": another process is writing it");
    CHECK_THROWS_AS(write_table("/nowhere/f", sequences_schema(), small_sequences(), sample_provenance()), IoError);
}

TEST_CASE("table file: a file that cannot grow leaves the old one and no litter, wherever it stops") {
    const ScratchDirectory scratch;
    write_table(scratch / "f", sequences_schema(), small_sequences(), sample_provenance());
    const std::string old = read_bytes(scratch / "f");
    Table larger("sequences");
    larger.add_column("sequence", Ints{0, 1, 2}).add_column("name", Texts{"a", "b", "c"});
    write_table(scratch / "g", sequences_schema(), larger, sample_provenance());
    const std::string whole = read_bytes(scratch / "g");
    for (std::size_t room = 0; room < whole.size(); room += 97) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{room, room};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const std::string message =
                failure<IoError>([&] { write_table(scratch / "f", sequences_schema(), larger, sample_provenance()); });
            ::_exit(message == "cannot write " + (scratch / "f").string() + ": File too large" ? 0 : 1);
        }
        int status = -1;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(status == 0);
        CHECK(read_bytes(scratch / "f") == old);
        CHECK(scratch.names() == Texts{"f", "g"});
    }
}
