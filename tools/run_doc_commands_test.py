import subprocess
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).with_name("run_doc_commands.py")


def run(text: str) -> subprocess.CompletedProcess:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        page.write_text(text, encoding="utf-8")
        return subprocess.run([TOOL, page], capture_output=True, text=True, check=False)


class RunDocCommands(unittest.TestCase):
    def test_blocks_share_a_folder(self):
        self.assertEqual(run("```sh\necho 1 > a\n```\ntext\n```sh\ntest -f a\n```\n").returncode, 0)

    def test_a_failing_line_fails(self):
        result = run("```sh\nfalse\ntrue\n```\n")
        self.assertEqual(result.returncode, 1)
        self.assertIn("this block fails", result.stderr)

    def test_other_blocks_are_not_run(self):
        self.assertEqual(run("```sh\ntrue\n```\n```text\nfalse\n```\n").returncode, 0)

    def test_a_page_without_commands_is_a_mistake(self):
        self.assertEqual(run("nothing\n").returncode, 1)


if __name__ == "__main__":
    unittest.main()
