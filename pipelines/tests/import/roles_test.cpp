#include "pipelines/import/roles.hpp"

#include <doctest/doctest.h>

#include "hmmlt/io/errors.hpp"
#include "io/failure.hpp"

using namespace hmmlt;
using namespace hmmlt::testing;

namespace {

using Names = std::vector<std::string>;

SourceTable csv(std::string_view text, const Wishes& wishes = {}) {
    CsvOptions options;
    options.keep_as_text = [&](std::string_view name) { return is_read_as_text(name, wishes); };
    return read_csv(text, "f", options);
}

Roles roles_of(std::string_view text, const Wishes& wishes = {}) {
    return find_roles(csv(text, wishes), wishes);
}

template <typename Kind = DataError>
std::string complaint(std::string_view text, const Wishes& wishes = {}) {
    return failure<Kind>([&] { roles_of(text, wishes); });
}

Wishes wish(std::string Wishes::*field, std::string value) {
    Wishes wishes;
    wishes.*field = std::move(value);
    return wishes;
}

}  // namespace

TEST_CASE("roles: wide, the sequence and the time by name, text left out") {
    const Roles roles = roles_of("Subject,time,a,b,comment\ns1,0,1.5,2,x\ns1,1,2.5,3,y\n");
    CHECK(roles.layout == Layout::wide);
    CHECK((roles.sequence == "Subject" && roles.time == "time" && roles.symbol.empty()));
    CHECK(roles.channels == Names{"a", "b"});
    CHECK(roles.ignored == Names{"comment (text)"});
    CHECK(roles.notes.empty());
}

TEST_CASE("roles: without names that tell, all numbers are channels and the rows are in order") {
    const Roles roles = roles_of("a,b\n1.5,2\n2.5,3\n");
    CHECK((roles.sequence.empty() && roles.time.empty()));
    CHECK(roles.channels == Names{"a", "b"});
}

TEST_CASE("roles: a time by its type") {
    CHECK(roles_of("when,a\n2024-01-01,1.5\n2024-01-02,2.5\n").time == "when");
    CHECK(roles_of("when,t,a\n2024-01-01,0,1.5\n2024-01-02,1,2.5\n").time == "t");
    CHECK(roles_of("when,t,a\n2024-01-01,0,1.5\n2024-01-02,1,2.5\n").ignored == Names{"when (times)"});
    CHECK(complaint("x,y,a\n2024-01-01,2024-01-01,1\n2024-01-02,2024-01-02,2\n") ==
          "f: expected one column of times, found x and y; say which with --time");
}

TEST_CASE("roles: row numbers order rows unless there is a time") {
    CHECK(roles_of(",a\n0,1.5\n1,2.5\n").time == "index");
    const Roles roles = roles_of(",time,a\n0,0.5,1.5\n1,1.5,2.5\n");
    CHECK(roles.time == "time");
    CHECK(roles.ignored == Names{"index (row numbers)"});
}

TEST_CASE("roles: an id that differs in each row tells no sequences apart") {
    const Roles roles = roles_of("id,a\n1,1.5\n2,2.5\n");
    CHECK(roles.sequence.empty());
    CHECK(roles.ignored == Names{"id (another value in each row)"});
}

TEST_CASE("roles: symbols") {
    CHECK(roles_of("the\ncat\nthe\n").symbol == "column_0");
    CHECK(roles_of("w\nthe\ncat\n").symbol == "w");
    CHECK(roles_of("token,tag\nthe,D\ncat,N\n").symbol == "token");
    CHECK(roles_of("token\n1\n2\n").symbol == "token");
    CHECK(roles_of("n\n1\n2\n").symbol.empty());
    CHECK(roles_of("n\n1\n2\n").notes ==
          Names{"n holds whole numbers, taken as a real channel; if they are symbols, say --symbol n"});
    const Roles wished = roles_of("n,x\n1,2.5\n2,3.5\n", wish(&Wishes::symbol, "n"));
    CHECK((wished.symbol == "n" && wished.channels.empty()));
    CHECK(wished.ignored == Names{"x (numbers)"});
    CHECK(complaint("a,b\nx,y\nz,w\n") ==
          "f: expected one column of numbers or symbols, found a and b; say which with --columns or --symbol");
    CHECK(complaint("when\n2024-01-01\n2024-01-02\n") ==
          "f: expected a column of numbers or symbols, found none; say which with --columns or --symbol; the columns "
          "are: when");
}

TEST_CASE("roles: the long layout by names, by wish, and what it lacks") {
    const Roles roles = roles_of("id,time,variable,value,unit\na,0,x,1.5,m\na,0,y,2,s\n");
    CHECK(roles.layout == Layout::tall);
    CHECK((roles.sequence == "id" && roles.time == "time" && roles.variable == "variable" && roles.value == "value"));
    CHECK(roles.ignored == Names{"unit (text)"});
    Wishes wishes;
    wishes.variable = "what";
    wishes.value = "much";
    CHECK(roles_of("t,what,much\n0,x,1\n1,x,2\n", wishes).layout == Layout::tall);
    CHECK(roles_of("t,channel,value\n0,1,1.5\n1,1,2.5\n", wish(&Wishes::layout, "wide")).channels ==
          Names{"channel", "value"});
    CHECK(complaint("variable,value\nx,1\ny,2\n") ==
          "f: expected a column of times, found none; say which with --time; the columns are: variable, value");
    CHECK(complaint("t,a,b\n0,1,2\n", wish(&Wishes::layout, "long")) ==
          "f: expected a column of variables, found none; say which with --variable; the columns are: t, a, b");
    CHECK(complaint("t,variable,value\n0,x,low\n1,x,high\n").starts_with("f: line 2, column value: expected a number"));
    CHECK(complaint("t,variable,value\n0,1.5,1\n1,2.5,2\n") ==
          "f: column variable (--variable): expected text or whole numbers, found numbers");
    wishes.layout = "wide";
    CHECK(complaint<UsageError>("t,what,much\n0,x,1\n", wishes) == "--variable and --value belong to the long layout");
    wishes.layout = "long";
    wishes.symbol = std::string("t");
    CHECK(complaint<UsageError>("t,what,much\n0,x,1\n", wishes) ==
          "--symbol belongs to the wide layout: one row per step, one column of symbols");
}

TEST_CASE("roles: wishes win over names") {
    CHECK(roles_of("id,time,a\n1,0,2\n1,1,3\n", wish(&Wishes::sequence, "none")).sequence.empty());
    const Roles untimed = roles_of("time,a\n0,2.5\n1,3\n", wish(&Wishes::time, "none"));
    CHECK(untimed.channels == Names{"time", "a"});
    CHECK(roles_of("time,a\n0,2.5\n1,3\n", wish(&Wishes::time, "a")).channels == Names{"time"});
    Wishes wishes;
    wishes.columns = {"b", "id"};
    const Roles chosen = roles_of("id,a,b,c\n1,2,3,x\n2,3,4,y\n", wishes);
    CHECK(chosen.channels == Names{"b", "id"});
    CHECK(chosen.ignored == Names{"2 columns not in --columns"});
}

TEST_CASE("roles: wishes that cannot be granted") {
    CHECK(complaint<UsageError>("alpha,b\n1,2\n", wish(&Wishes::time, "alpah")) ==
          "--time: f has no column alpah; did you mean alpha?; its columns are: alpha, b");
    CHECK(complaint("a,b\n1,\n2,\n", wish(&Wishes::sequence, "b")) ==
          "f: column b (--sequence) cannot be used: no value");
    Wishes wishes;
    wishes.columns = {"a", "a"};
    CHECK(complaint<UsageError>("a,b\n1,2\n", wishes) == "--columns: the column a is asked for twice");
    wishes.columns = {"s"};
    CHECK(complaint("s,b\nx,2\n", wishes) ==
          "f: line 2, column s: expected a number, found \"x\" (if that means missing, name it with --missing)");
    wishes.columns = {"when"};
    CHECK(complaint("when,a\n2024-01-01,1\n", wishes) == "f: column when: expected numbers, found times");
}

TEST_CASE("roles: numbers that are none") {
    CHECK(complaint("a,b\n1,2\n2,err\n3,4\n") ==
          "f: line 3, column b: expected a number, found \"err\" (if that means missing, name it with --missing)");
    CHECK(complaint("a;b\n1,5;1\n2,5;2\n") ==
          "f: line 2, column a: expected a number, found \"1,5\" (write numbers with a decimal point)");
    CHECK(complaint("date,a\n31/05/2024,1\n01/06/2024,2\n") ==
          "f: line 2, column date: expected a number or an ISO 8601 time such as 2024-05-31T13:00:00, found "
          "\"31/05/2024\" (--time none: the rows are in order)");
    CHECK(complaint("subject,session,a\n1,1,2\n1,1,3\n") ==
          "f: expected one column of sequences, found subject and session; say which with --sequence");
}
