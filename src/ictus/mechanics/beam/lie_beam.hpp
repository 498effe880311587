#pragma once

#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <vector>

namespace ictus::mechanics {

/// A geometrically exact beam: a line of rigid cross-sections, each a pose in SE(3). Its dofs are laid out as
/// LieBeamLayout says. Where velocities of dofs are asked for, they have the layout of momenta: the angular
/// velocity and the velocity of a node, in space.
class LieBeam final : public Body {
 public:
  LieBeam(std::string name, LieBeamProperties properties, std::size_t first_dof);
  ~LieBeam() override;

  const LieBeamModel& model() const { return properties_.model; }

  const LieBeam* lie_beam() const override { return this; }
  Range dofs() const override { return dofs_; }
  /// Every node is a point, as thick as the outline of its section.
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// Those of lie_beam_output.hpp.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  /// This body's part of an array over the dofs.
  std::span<const double> part(std::span<const double> x) const { return x.subspan(dofs_.begin, dofs_.size); }
  std::span<double> part(std::span<double> x) const { return x.subspan(dofs_.begin, dofs_.size); }

 private:
  LieBeamProperties properties_;
  Range dofs_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
