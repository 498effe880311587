"""run_notebooks.py [--write] NOTEBOOK...: runs notebooks from top to bottom; the first cell that fails ends it. With --write
they keep what they drew and printed."""

import pathlib
import sys

import nbformat
from nbclient import NotebookClient


def main():
    write = "--write" in sys.argv
    for name in [argument for argument in sys.argv[1:] if argument != "--write"]:
        path = pathlib.Path(name)
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=300, kernel_name="python3",
                       resources={"metadata": {"path": str(path.parent)}}).execute()
        pictures = sum("image/png" in output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", []))
        if pictures == 0:
            raise SystemExit(f"{name} has drawn nothing")
        print(f"{name}: {pictures} pictures")
        if write:
            for cell in notebook.cells:
                cell.get("metadata", {}).pop("execution", None)
            nbformat.write(notebook, path)


if __name__ == "__main__":
    main()
