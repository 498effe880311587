"""run_clang_tidy finds what it is there to find, also in sources read together."""

import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import run_clang_tidy

CLEAN = "namespace { int twice(int x) { return 2 * x; } }\nint four() { return twice(2); }\n"
BAD = "class bad_name {};\n"
CLASH = "namespace { int twice(int x) { return x + x; } }\nint six() { return twice(3); }\n"


class RunClangTidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        cache = mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        cache.start()
        self.addCleanup(cache.stop)
        self.reader = run_clang_tidy.Reader(self.folder)

    def entry(self, name: str, text: str) -> dict:
        source = self.folder / "src" / "ictus" / name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text, encoding="utf-8")
        return {"directory": str(self.folder), "file": str(source), "command": f"c++ -std=c++20 -c {source}"}

    def test_remembers_what_it_found_clean_until_it_changes(self):
        group = [self.entry("clean.cpp", CLEAN)]
        self.assertFalse(self.reader.mark(group).exists())
        self.assertEqual(self.reader.read(group)[0], "")
        self.assertTrue(self.reader.mark(group).exists())
        self.entry("clean.cpp", CLEAN + "\n")
        self.assertFalse(self.reader.mark(group).exists())

    def test_reports_a_finding_and_does_not_remember_it(self):
        group = [self.entry("clean.cpp", CLEAN), self.entry("bad.cpp", BAD)]
        self.assertIn("readability-identifier-naming", self.reader.read(group)[0])
        self.assertFalse(self.reader.mark(group).exists())

    def test_groups_sources_without_names_in_common(self):
        names = {"a.cpp": "int twice(int x) {", "b.cpp": "constexpr double twice = 2.0;", "c.cpp": "struct Pair {"}
        entries = [self.entry(name, f"namespace {{\n\n{line}\n\n}}  // namespace\n") for name, line in names.items()]
        files = [[Path(entry["file"]).name for entry in group] for group in run_clang_tidy.groups_of(entries)]
        self.assertEqual(files, [["a.cpp", "c.cpp"], ["b.cpp"]])

    def test_reads_apart_what_clashes(self):
        group = [self.entry("clean.cpp", CLEAN), self.entry("clash.cpp", CLASH)]
        self.assertEqual(self.reader.read(group)[0], "")
        self.assertIn("bad_name", self.reader.read([*group, self.entry("bad.cpp", BAD)])[0])

    def test_reports_a_source_that_does_not_compile(self):
        self.assertIn("clang-diagnostic-error", self.reader.read([self.entry("broken.cpp", "int x = ;\n")])[0])


if __name__ == "__main__":
    unittest.main()
