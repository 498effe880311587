#pragma once

#include <algorithm>
#include <ictus/contact/detect/box_grid.hpp>
#include <limits>

namespace ictus::contact {

/// The range by component of many vectors of R³, taken eight at a time: 24 doubles, of which each has its component
/// whatever the width of the registers.
class ComponentRange {
 public:
  static constexpr std::size_t vectors = 8, width = 3 * vectors;

  ComponentRange() {
    std::fill_n(low_, width, std::numeric_limits<double>::infinity());
    std::fill_n(high_, width, -std::numeric_limits<double>::infinity());
  }

  /// Of the components value(0) … value(n − 1) of at most eight vectors, one after the other.
  template <class Value>
  void include(std::size_t n, Value&& value) {
    if (n == width) {
      for (std::size_t j = 0; j < width; ++j) take(j, value(j));
    } else {
      for (std::size_t j = 0; j < n; ++j) take(j, value(j));
    }
  }

  Box box() const {
    Box box = Box::nothing();
    for (std::size_t j = 0; j < width; j += 3) box.include(Box{math::Vec3::Map(low_ + j), math::Vec3::Map(high_ + j)});
    return box;
  }

 private:
  void take(std::size_t j, double value) {
    low_[j] = value < low_[j] ? value : low_[j];
    high_[j] = value > high_[j] ? value : high_[j];
  }

  double low_[width], high_[width];
};

}  // namespace ictus::contact
