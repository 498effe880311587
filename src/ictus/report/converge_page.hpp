#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ictus::report {

/// One page of error over step on logarithmic axes: a panel per quantity with a fitted order for each curve and
/// triangles of the orders to compare with, and the numbers as tables. Needs no network and no other file. Takes
///   {"title": text, "source": text or null (may be missing),
///    "parameter": {"name": text, "unit": text} (missing: "time step" in "s"),
///    "norm": text saying how the error is measured (may be missing),
///    "quantities": [{"name": text ("left_tip velocity"),
///                    "orders": [number, ...] to draw triangles for (missing: the fitted orders to the half),
///                    "curves": [{"name": text, "steps": [number > 0, ...], "errors": [number ≥ 0 or null, ...]}]}]}
/// Orders are those of math::fit_power_law() over the points whose error is positive.
/// Throws base::InputError naming the key where the document is not of this form.
std::string converge_page(const nlohmann::json& convergence);

}  // namespace ictus::report
