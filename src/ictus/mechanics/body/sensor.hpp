#pragma once

#include <ictus/mechanics/body/body.hpp>

namespace ictus::mechanics {

/// Reads quantities of one place of a body from the motion.
class Sensor {
 public:
  virtual ~Sensor() = default;
  /// Their names, "displacement_x" say.
  virtual std::span<const std::string_view> quantities() const = 0;
  /// Their values, as many as names.
  virtual void read(const Motion& motion, std::span<double> values) const = 0;
};

}  // namespace ictus::mechanics
