#pragma once

namespace ictus::solve {

/// max(a, b), but NaN where either is NaN: a residual must not lose one (std::max does).
constexpr double propagating_max(double a, double b) { return a >= b ? a : (b > a ? b : a + b); }

}  // namespace ictus::solve
