#pragma once

#include <cstddef>
#include <ictus/mechanics/lie_beam_step.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// A plane that the centreline of a beam cannot cross: gap(r) = normal·r − offset ≥ 0, and the law of contact.
struct BeamObstacle {
  math::Vector3<double> normal;  ///< unit, out of the obstacle
  double offset = 0;             ///< m
  double restitution = 1;        ///< e in [0, 1]
  double friction = 0;           ///< Coulomb μ

  double gap(const math::Vector3<double>& r) const { return dot(normal, r) - offset; }
};

/// What a beam must remember of its last interval besides (q, p).
struct BeamInterval {
  double h = 0;          ///< its length (s); zero before the first
  double kinetic = 0;    ///< Σ w K(ξ) in it (J)
  double strain = 0;     ///< Σ Δs Φ(η) at its beginning (J)
  double potential = 0;  ///< of gravity and dead loads at its beginning (J)
};

/// A node on a plane at the beginning of a sub-step.
struct BeamContact {
  std::size_t node;
  std::size_t obstacle;
  double incoming;                   ///< normal momentum on arrival (N s), not positive
  bool held;                         ///< kept on the plane instead of being sent back
  double normal = 0;                 ///< impulse found (N s)
  math::Vector3<double> friction{};  ///< impulse found (N s)
};

/// Tries sub-steps of one beam from one state, with impulses on the nodes that touch a plane [eq. lie-beam-28]:
/// - elastic contacts (e = 1) get θ times their mirror impulses −2 p·n, with the one θ near 1 that keeps the discrete
///   energy of the interval, losses apart;
/// - inelastic ones −(1 + e) p·n;
/// - held ones what leaves the node on the plane, if that pushes.
/// Friction takes tangential momentum away up to μ times the normal impulse.
class LieBeamTrial {
 public:
  struct Result {
    double h = 0;
    mechanics::LieBeamTotals totals;
    double energy = 0;  ///< discrete energy of the interval (J)
    double theta = 1;
    bool keeps_energy = false;  ///< there are elastic impacts, and θ in [½, 2] makes them keep the energy; else θ = 1
  };

  /// q, p and the interval before must stay as they are while sub-steps are tried.
  void begin(const mechanics::LieBeamModel& model, std::span<const BeamObstacle> obstacles, std::span<const double> q,
             std::span<const double> p, const BeamInterval& before, double gap_tolerance);

  std::vector<BeamContact>& contacts() { return contacts_; }

  /// Finds the impulses of a sub-step of length h; q_next() and p_next() are where it leads.
  Result run(double h);

  double gap_next(std::size_t node, std::size_t obstacle) const;
  std::vector<double>& q_next() { return q_next_; }
  std::vector<double>& p_next() { return p_next_; }

  double energy_before() const { return energy_before_; }
  /// Springs back fully: e = 1 and not held.
  bool is_elastic(const BeamContact& contact) const;
  double mass(std::size_t node) const { return model_->weight(node) * model_->section.mass; }
  /// ½ (1 − e²) m v² of the normal velocity, all of it where the node is held.
  double lost_to_restitution(const BeamContact& contact) const;
  double lost_to_friction(const BeamContact& contact) const;
  /// E + losses − E before: what impacts did to the energy that nothing explains.
  double miss(const Result& result) const;

 private:
  Result with_theta(double h, double theta);
  bool adjust_impulses(double h);

  const mechanics::LieBeamModel* model_ = nullptr;
  std::span<const BeamObstacle> obstacles_;
  std::span<const double> q_, p_;
  BeamInterval before_;
  double energy_before_ = 0;
  double gap_tolerance_ = 0;
  std::vector<BeamContact> contacts_;
  std::vector<double> q_next_, p_next_, impulse_;
  mechanics::LieBeamStepper stepper_;
};

}  // namespace ictus::dynamics
