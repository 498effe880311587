#pragma once

#include <cstddef>

namespace ictus::model {

/// One entry of a sparse row ∂g/∂q.
struct RowEntry {
  /// What the dof is: a coordinate of a point, one of three that follow each other; the turning of a rigid body
  /// about one of its axes, likewise; or by how far something is along a guide, or along a momentum of a system with
  /// coordinates of its own, by itself.
  enum class Kind : unsigned char { coordinate, turning, guided };

  int dof = 0;  ///< index into State::q and State::p
  Kind kind = Kind::coordinate;
  double weight = 0;  ///< ∂g/∂q of that dof

  RowEntry() = default;
  RowEntry(int k, double w, Kind of = Kind::coordinate) : dof(k), kind(of), weight(w) {}

  std::size_t index() const { return static_cast<std::size_t>(dof); }
};

}  // namespace ictus::model
