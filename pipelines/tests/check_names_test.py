"""tools/check_names.py: which names of sources that are compiled together it finds twice, and which it may leave alone."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_names

SOURCE = """#include <vector>
namespace hmmlt {

namespace {

using Weights = std::vector<double>;  // { in a comment
namespace fs = std::filesystem;
constexpr double SIZE = 3.0, other = '{';
const std::vector<double> SOME{1.0, 2.0};
struct KIND {
    int inner;
    void method() { for (;;) {} }
};
enum class COLOUR { red };

template <typename T>
[[noreturn]] void FAIL(const T& what = "}") { throw what; }

std::vector<double> SUM_OF(const std::vector<double>& x,
                           double start) {
    const double local = start;
    return {local};
}

}  // namespace

void shared(double) {}

namespace {

double late() { return 0.0; }

}  // namespace

}  // namespace hmmlt
"""
NAMES = ["SIZE", "SOME", "KIND", "COLOUR", "FAIL", "SUM_OF"]


class CheckNames(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        self.units = []
        self.unit("one", "a.cpp", SOURCE)

    def unit(self, target, source, text, is_compiled=True):
        (self.build / source).write_text(text)
        unit = self.build / f"CMakeFiles/{target}.dir/Unity/unity_{source}_cxx.cxx"
        unit.parent.mkdir(parents=True, exist_ok=True)
        unit.write_text(f'#include "{self.build / source}"\n')
        if is_compiled:
            self.units.append({"file": str(unit)})
        (self.build / "compile_commands.json").write_text(json.dumps(self.units))

    def check(self):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = check_names.main([str(self.build)])
        return status, out.getvalue()

    def test_what_a_source_keeps_to_itself(self):
        found = [name for name in map(check_names.name_of, check_names.statements_of(SOURCE)) if name]
        self.assertEqual(found, [*NAMES, "late"])

    def test_a_name_of_two_sources_of_a_target(self):
        for name in NAMES:
            self.unit("one", "b.cpp", f"namespace {{\n\nint {name}(int) {{ return 0; }}\n\n}}\n")
            status, said = self.check()
            self.assertEqual(status, 1)
            self.assertIn(f"one: {name} stands in an unnamed namespace of a.cpp b.cpp\n", said)

    def test_what_may_be_named_twice(self):
        self.unit("one", "b.cpp", "namespace {\n\nusing Weights = std::vector<double>;\nint inner, local, method;\n\n}\n")
        self.unit("two", "c.cpp", SOURCE)  # another target
        self.unit("one", "gone.cpp", SOURCE, is_compiled=False)
        (self.build / "gone.cpp").unlink()
        self.assertEqual(self.check(), (0, ""))

    def test_a_build_that_compiles_each_source_alone(self):
        self.units = []
        (self.build / "compile_commands.json").write_text("[]")
        status, said = self.check()
        self.assertEqual(status, 1)
        self.assertIn("expected a build whose sources are compiled together, found none", said)


if __name__ == "__main__":
    unittest.main()
