"""check_equations finds what it is there to find."""

import tempfile
import unittest
from pathlib import Path

import check_equations


class CheckEquations(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path: str, text: str):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def problems(self) -> list[str]:
        return check_equations.check(self.root)[0]

    def test_accepts_citations_of_labels_that_stand(self):
        self.write("docs/theory/beam.md", "$$a = b$$ {#eq-beam-1}\n$$c = d$$ {#eq-beam-2}\n")
        self.write("docs/theory/exact-contact.md", "$$e$$ {#eq-exact-contact-10}\n")
        self.write("src/ictus/beam.cpp", "// [eq. beam-1] and [eq. beam-2, exact-contact-10]\n")
        self.assertEqual(self.problems(), [])

    def test_rejects_a_citation_of_no_label(self):
        self.write("docs/theory/beam.md", "$$a$$ {#eq-beam-1}\n")
        self.write("tests/unit/beam_test.cpp", "\n// [eq. beam-1, beam-3]\n")
        self.assertEqual(self.problems(),
                         ["tests/unit/beam_test.cpp:2: [eq. beam-3]: no such equation in docs/theory"])

    def test_rejects_a_malformed_citation(self):
        self.write("docs/theory/beam.md", "$$a$$ {#eq-beam-1}\n")
        for citation in ("[eq. 1]", "[eq beam 1]", "[eq. ]", "[eqs. beam-1-2]"):
            with self.subTest(citation):
                self.write("apps/main.cpp", f"// {citation}\n")
                self.assertNotEqual(self.problems(), [])

    def test_rejects_a_label_that_stands_twice(self):
        self.write("docs/theory/beam.md", "$$a$$ {#eq-beam-1}\n$$b$$ {#eq-beam-1}\n")
        self.assertEqual(self.problems(),
                         ["docs/theory/beam.md:2: label eq-beam-1: stands already at docs/theory/beam.md:1"])

    def test_rejects_a_label_of_another_page(self):
        self.write("docs/theory/beam.md", "$$a$$ {#eq-bars-1}\n")
        self.assertEqual(self.problems(), ["docs/theory/beam.md:1: label eq-bars-1: must be eq-beam-<number>"])


if __name__ == "__main__":
    unittest.main()
