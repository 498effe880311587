#pragma once

#include <ictus/mechanics/beam/lie_beam_layout.hpp>
#include <ictus/mechanics/beam_in_space/lie_beam_space.hpp>
#include <ictus/mechanics/body/body.hpp>
#include <vector>

namespace ictus::mechanics {

/// What is known of a beam that is integrated along its length.
struct LieBeamSheetProperties {
  LieBeamHistory history;
  std::size_t elements = 0;
  std::vector<math::Pose<double>> first;   ///< poses of the section s = 0 at the times 0, Δt, …
  std::vector<math::Pose<double>> second;  ///< poses of the section s = Δs at the same times
};

/// A beam seen along its length: the configuration is the history of one section, and what takes the place of time is
/// the arc length s. Dofs are laid out as those of a LieBeam, with instants in the place of nodes: q holds the
/// poses, p the stress of the element that starts at the section, as force and moment about the section's position, in
/// space. Its momentum is the map J_N [eq. lie-beam-33], rates are those along the beam.
class LieBeamSheet final : public Body {
 public:
  LieBeamSheet(std::string name, LieBeamSheetProperties properties, std::size_t first_dof);
  ~LieBeamSheet() override;

  const LieBeamHistory& history() const { return properties_.history; }
  std::size_t elements() const { return properties_.elements; }
  std::size_t times() const { return properties_.first.size(); }

  const LieBeamSheet* lie_beam_sheet() const override { return this; }
  Range dofs() const override { return dofs_; }
  /// Nothing touches it.
  const model::Surface& surface() const override { return *surface_; }
  void initialise(std::span<double> q, std::span<double> p) const override;
  Momentum momentum(std::span<const double> q, std::span<const double> p) const override;
  double momentum_scale(std::span<const double> p) const override;
  /// Position and quaternion of the section, force and moment in its axes, at the instant nearest a fraction of the
  /// duration.
  std::span<const std::string_view> probe_quantities() const override;
  void probe(double fraction, const Motion& motion, std::span<double> values) const override;
  /// The way of the section through space, with its axes, the stress and the time.
  Picture draw(std::span<const double> q, std::span<const double> v) const override;

  /// The slice at s = 0.
  LieBeamSlice first() const { return first_slice(history(), properties_.first, properties_.second); }
  /// The slice that q and p hold, with its strains, which follow from both but are kept elsewhere.
  LieBeamSlice slice(std::span<const double> q, std::span<const double> p,
                     std::span<const math::Twist<double>> strains) const;
  void write(const LieBeamSlice& slice, std::span<double> q, std::span<double> p) const;

  /// This body's part of an array over the dofs.
  std::span<const double> part(std::span<const double> x) const { return x.subspan(dofs_.begin, dofs_.size); }
  std::span<double> part(std::span<double> x) const { return x.subspan(dofs_.begin, dofs_.size); }

 private:
  math::Wrench<double> resultants(std::size_t j, std::span<const double> q, std::span<const double> v) const;

  LieBeamSheetProperties properties_;
  Range dofs_;
  std::unique_ptr<const model::Surface> surface_;
};

}  // namespace ictus::mechanics
