// Results that are kept are those that were computed, bit by bit, and nobody else's.
#include "posterior/kept_results.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "io/scratch_directory.hpp"

using hmmlt::testing::KeptResults;
using Numbers = std::vector<double>;

TEST_CASE("kept results: computed once for each name and executable, with all their bits") {
    const hmmlt::testing::ScratchDirectory scratch;
    const Numbers numbers{1.0 / 3.0, -5e-324, std::numeric_limits<double>::infinity(), 0.0};
    int n_computed = 0;
    const auto compute = [&] {
        ++n_computed;
        return numbers;
    };
    const KeptResults kept(scratch / "kept", "abc");
    CHECK(kept.get("one", compute) == numbers);
    CHECK(KeptResults(scratch / "kept", "abc").get("one", compute) == numbers);
    CHECK(n_computed == 1);
    CHECK(kept.get("none", [] { return Numbers{}; }).empty());
    kept.get("two", compute);
    KeptResults(scratch / "kept", "abd").get("one", compute);
    CHECK(n_computed == 3);
    const KeptResults nowhere("", "abc");
    nowhere.get("one", compute);
    nowhere.get("one", compute);
    CHECK(n_computed == 5);
}

TEST_CASE("kept results: a file that was cut short or changed is computed anew") {
    const hmmlt::testing::ScratchDirectory scratch;
    const KeptResults kept(scratch / "kept", "abc");
    const Numbers numbers{0.1, 0.2};
    kept.get("one", [&] { return numbers; });
    const std::filesystem::path file = std::filesystem::directory_iterator(scratch / "kept")->path();
    std::ifstream in(file);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    for (const std::string& text :
         {std::string(), whole.substr(0, whole.size() / 2), whole + "0x1p+0\n", whole + "nonsense\n",
          "2 numbers of two by abc\n" + whole.substr(whole.find('\n') + 1)}) {
        CAPTURE(text);
        std::ofstream(file) << text;
        int n_computed = 0;
        CHECK(kept.get("one", [&] {
            ++n_computed;
            return numbers;
        }) == numbers);
        CHECK(n_computed == 1);
    }
}
