#pragma once

#include <ictus/report/report_data.hpp>
#include <string>

namespace ictus::report {

/// A page of text, tables and plots, for studies that have no page of their own. Needs no network and no other file.
/// Takes
///   {"eyebrow": what kind of page it is, "title": text,
///    "sections": [{"id": word, "heading": text, "blocks": [block, ...]}]}
/// where a block is one of
///   {"type": "text", "text"}
///   {"type": "table", "caption", "columns": [{"heading", "unit" (may be missing), "numeric": true or false}],
///    "groups": [{"heading" (may be missing), "rows": [[cell, ...]]}]}, a cell being text or
///    {"text", "href": relative path (may be missing), "mark": "good" or "bad" (may be missing)}
///   {"type": "plot", "title", "note" (may be missing), "x" and "y": {"name", "unit", "log": true or false},
///    "curves": [{"name", "x": [number, ...], "y": [number or null, ...], "mark": "line", "dashed", "points" or
///    "both"}]}
/// Numbers may be packed(). bench/page.py makes the same pages from the same template.
std::string sheet_page(Document sheet);

}  // namespace ictus::report
