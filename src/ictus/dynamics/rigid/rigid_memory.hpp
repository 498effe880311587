#pragma once

#include <ictus/contact/detect/rigid_detector.hpp>
#include <optional>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// What a contact that carried an impulse, or stayed closed without one, leaves to the step after.
struct RememberedContact {
  int owner = 0, other = 0, feature = 0;  ///< of its contact::RigidTouch
  geometry::Vec impulse;                  ///< N s, on the second body
  double reference = 0;                   ///< gap at which it is held while it lasts (m)
  bool rests = false;                     ///< it was not a bounce
  bool stuck = false;
  geometry::Vec slip;        ///< how far the bodies have slipped since it sticks (m)
  geometry::Vec moment;      ///< N m s, on the second body, beside that of the impulse
  geometry::Vec on_a, on_b;  ///< its point in the axes of its two bodies; on_a in space where that is a plane (m)
};

/// Contacts as numbers in State::memory.
class RigidMemory {
 public:
  static void append(const RememberedContact& contact, std::vector<double>& values);

  explicit RigidMemory(std::span<const double> values) : values_(values) {}

  struct Found {
    bool pair_pushed = false;                  ///< some contact of the two bodies carried an impulse
    std::optional<RememberedContact> contact;  ///< that of the same features
  };
  /// To be asked in the order in which contacts are found and were appended: by owner and other.
  Found find(const contact::RigidTouch& touch);

 private:
  static constexpr std::size_t stride = 21;

  std::span<const double> values_;
  std::size_t cursor_ = 0;
};

}  // namespace ictus::dynamics
