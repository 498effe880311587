"""check_layers finds what it is there to find."""

import tempfile
import unittest
from pathlib import Path

import check_layers

PAGE = """
| module | holds | may include |
| --- | --- | --- |
| base | errors | – |
| exec | loops | base |
| contact | contact | base, exec |
| dynamics | steps | base, exec, contact |
"""
CMAKE = """# ictus_module(ghost) in a comment is no module
ictus_module(base)
ictus_module(exec USES base LINKS OpenMP::OpenMP_CXX)
ictus_module(contact
             USES base exec
             LINKS Eigen3::Eigen)
"""


class CheckLayers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("docs/architecture.md", PAGE)
        self.write("src/ictus/CMakeLists.txt", CMAKE)
        self.write("src/ictus/base/error.hpp", "namespace ictus::base {}\n")
        self.write("src/ictus/exec/loop.hpp", "#include <omp.h>\n#include <ictus/base/error.hpp>\n#pragma omp parallel\n")

    def write(self, path: str, text: str):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def problems(self) -> list[str]:
        return check_layers.check(self.root)[0]

    def assert_one_problem(self, *fragments: str):
        problems = self.problems()
        self.assertEqual(len(problems), 1, problems)
        for fragment in fragments:
            self.assertIn(fragment, problems[0])

    def test_accepts_a_tree_that_follows_the_table(self):
        self.write("src/ictus/contact/law/a.hpp", "namespace ictus::contact {}\n")
        self.write("src/ictus/contact/law/a.cpp",
                   "// OpenMP: #pragma omp and <<< in a comment\n#include <ictus/contact/law/a.hpp>\n\n#include <vector>\n"
                   "#include <ictus/exec/loop.hpp>\nnamespace ictus::contact {\nauto s = \"cudaMalloc\";\n}\n")
        self.write("src/ictus/contact/law/b.cpp", "#include <ictus/contact/law/a.hpp>\n\nnamespace ictus::contact {}\n")
        self.assertEqual(self.problems(), [])

    def test_rejects_an_include_the_table_does_not_allow(self):
        self.write("src/ictus/contact/a.hpp", "#include <vector>\n#include <ictus/dynamics/step.hpp>\n")
        self.assert_one_problem("src/ictus/contact/a.hpp:2", "<ictus/dynamics/step.hpp>", "does not allow")

    def test_rejects_an_include_that_cmake_does_not_use(self):
        self.write("src/ictus/CMakeLists.txt", CMAKE.replace("USES base exec", "USES exec"))
        self.write("src/ictus/contact/a.hpp", "#include <ictus/base/error.hpp>\n")
        self.assert_one_problem("src/ictus/contact/a.hpp:1", "does not USE base")

    def test_rejects_uses_that_the_table_does_not_allow(self):
        self.write("src/ictus/CMakeLists.txt", CMAKE.replace("USES base exec", "USES base dynamics"))
        self.assert_one_problem("src/ictus/CMakeLists.txt:4", "contact USES dynamics")

    def test_rejects_a_folder_without_a_row_and_one_without_a_line(self):
        self.write("src/ictus/utils/a.hpp", "\n")
        self.assert_one_problem("src/ictus/utils", "row in docs/architecture.md")
        (self.root / "src/ictus/utils").rename(self.root / "src/ictus/dynamics")
        self.assert_one_problem("src/ictus/dynamics", "ictus_module() line")

    def test_rejects_a_cmake_module_without_a_row(self):
        self.write("src/ictus/CMakeLists.txt", CMAKE + "ictus_module(utils)\n")
        self.assert_one_problem("module utils has no row")

    def test_rejects_another_namespace(self):
        self.write("src/ictus/contact/a.hpp", "namespace ictus::dynamics {}\n")
        self.assert_one_problem("src/ictus/contact/a.hpp:1", "namespace ictus::dynamics")

    def test_rejects_an_include_in_quotes(self):
        self.write("src/ictus/contact/b.hpp", '#include "a.hpp"\n')
        self.assert_one_problem("src/ictus/contact/b.hpp:1", '"a.hpp"')

    def test_rejects_a_source_that_does_not_include_its_own_header_first(self):
        self.write("src/ictus/contact/law/a.hpp", "\n")
        for text, fragment in (("int a;\n", "does not include <ictus/contact/law/a.hpp>"),
                               ("#include <vector>\n\n#include <ictus/contact/law/a.hpp>\n", "first include must be"),
                               ("#include <ictus/contact/law/a.hpp>\n#include <vector>\n", "empty line")):
            with self.subTest(text):
                self.write("src/ictus/contact/law/a.cpp", text)
                self.assert_one_problem("src/ictus/contact/law/a.cpp", fragment)

    def test_rejects_a_source_without_a_header_that_does_not_include_its_module_first(self):
        self.write("src/ictus/contact/law/b.cpp", "#include <vector>\n")
        self.assert_one_problem("src/ictus/contact/law/b.cpp:1", "first include must be a header of contact")

    def test_rejects_parallel_libraries_outside_exec(self):
        for code in ("#pragma omp parallel for", "#include <omp.h>", "int n = omp_get_max_threads();",
                     "#include <mpi.h>", "MPI_Barrier(comm);", "#include <cuda_runtime.h>", "cudaMalloc(&p, n);",
                     "__global__ void k();", "#ifdef _OPENMP"):
            with self.subTest(code):
                self.write("src/ictus/contact/a.cpp", f"\n{code}\n")
                self.assertTrue(any("a.cpp:2" in p and "only exec may" in p for p in self.problems()))

    def test_rejects_parallel_libraries_in_the_program(self):
        self.write("apps/ictus/main.cpp", "#include <omp.h>\n")
        self.assert_one_problem("apps/ictus/main.cpp:1", "only exec may")

    def test_rejects_parallel_targets_outside_exec(self):
        self.write("src/ictus/CMakeLists.txt", CMAKE.replace("Eigen3::Eigen", "OpenMP::OpenMP_CXX"))
        self.assert_one_problem("contact links OpenMP::OpenMP_CXX")

    def test_a_page_without_the_table_stops_it(self):
        self.write("docs/architecture.md", "No table.\n")
        with self.assertRaises(SystemExit):
            self.problems()


if __name__ == "__main__":
    unittest.main()
