#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace ictus::solve {

/// A root of f between a and b where f changes sign: regula falsi with Illinois' halving and a bisection whenever the
/// bracket has not shrunk by half in three evaluations. Ends at |f| ≤ tolerance or when the bracket cannot shrink.
/// f is evaluated last at the value returned.
template <class F>
double bracketed_root(F&& f, double a, double fa, double b, double fb, double tolerance) {
  double x = b, fx = fb;
  double width_before = std::abs(b - a);
  for (int i = 1; i <= 200; ++i) {
    double next = (a * fb - b * fa) / (fb - fa);
    if (i % 3 == 0) {
      if (std::abs(b - a) > 0.5 * width_before) next = 0.5 * (a + b);
      width_before = std::abs(b - a);
    }
    if (!(next > std::min(a, b)) || !(next < std::max(a, b))) next = 0.5 * (a + b);
    x = next;
    fx = f(x);
    if (std::abs(fx) <= tolerance) return x;
    if (std::abs(b - a) <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(a), std::abs(b))) return x;
    if ((fx > 0) == (fb > 0)) {
      fa *= 0.5;  // a stays: Illinois
    } else {
      a = b;
      fa = fb;
    }
    b = x;
    fb = fx;
  }
  return x;
}

}  // namespace ictus::solve
