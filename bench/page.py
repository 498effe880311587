"""Pages of text, tables and plots from the template of the report: the documents of src/ictus/report/sheet_page.hpp."""

import html
import json
import os
from pathlib import Path

TEMPLATE = Path(__file__).resolve().parent.parent / "report" / "dist" / "page.html"


def text(words):
    return {"type": "text", "text": words}


def table(caption, headings, groups):
    """`headings` are (heading, numeric) pairs; `groups` are (heading, rows) pairs, rows lists of cells."""
    return {"type": "table", "caption": caption,
            "columns": [{"heading": heading, "numeric": numeric} for heading, numeric in headings],
            "groups": [{"heading": heading, "rows": rows} if heading else {"rows": rows} for heading, rows in groups]}


def plot(title, x, y, curves, note=None):
    """`x` and `y` are (name, unit, logarithmic); `curves` are (name, xs, ys, mark)."""
    axis = lambda a: {"name": a[0], "unit": a[1], "log": a[2]}
    block = {"type": "plot", "title": title, "x": axis(x), "y": axis(y),
             "curves": [{"name": name, "x": xs, "y": ys, "mark": mark} for name, xs, ys, mark in curves]}
    return block | ({"note": note} if note else {})


def section(name, heading, *blocks):
    return {"id": name, "heading": heading, "blocks": list(blocks)}


def write(path, eyebrow, title, sections):
    document = {"kind": "sheet", "eyebrow": eyebrow, "title": title, "sections": sections}
    data = json.dumps(document, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
    page = TEMPLATE.read_text(encoding="utf-8").replace("{{connect}}", "'none'", 1)
    page = page.replace("{{title}}", html.escape(f"{title} · {eyebrow}"), 1).replace("{{document}}", data, 1)
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_suffix(".new")
    aside.write_text(page, encoding="utf-8")
    os.replace(aside, path)
