#pragma once

#include <ictus/mechanics/body/sensor.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>

namespace ictus::mechanics {

/// A section of a frame: its displacement and velocity, and the force and moment that the part of the member towards
/// its end puts on the part towards its start, in local axes [eq. frames-2, frames-3]. In space: axial force (positive
/// in tension), shear forces along y and z (N), torque and moments about y and z (N m). Of a grillage: shear force,
/// bending moment (positive where it sags) and torque. Forces are those of the element, whose moments vary evenly
/// between its ends.
class FrameSection final : public Sensor {
 public:
  /// `along` is in element lengths from the start of the member.
  FrameSection(const BeamFrame& frame, std::size_t member, double along);

  std::span<const std::string_view> quantities() const override;
  void read(const Motion& motion, std::span<double> values) const override;

 private:
  const BeamFrame& frame_;
  std::size_t member_, element_;
  double fraction_;  // of the element
};

}  // namespace ictus::mechanics
