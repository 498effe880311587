#pragma once

#include <cstddef>

namespace ictus::model {

/// One entry of a sparse row ∂g/∂q.
struct RowEntry {
  int unknown;         ///< index into State::q and State::p
  double weight;       ///< ∂g/∂q of that unknown
  bool turns = false;  ///< its momentum is angular, about an axis of a rigid body

  std::size_t index() const { return static_cast<std::size_t>(unknown); }
};

}  // namespace ictus::model
