#pragma once

#include <cstddef>
#include <ictus/dynamics/beam/lie_beam_contact.hpp>
#include <ictus/dynamics/beam/lie_beam_interval.hpp>
#include <ictus/mechanics/beam/lie_beam_step.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Tries sub-steps of one beam from one state, with impulses on the nodes that touch a plane [eq. lie-beam-28]:
/// - elastic contacts (e = 1) get θ times their mirror impulses, with the one θ near 1 that keeps the discrete energy
/// of
///   the interval, losses apart;
/// - inelastic ones what leaves −e times the velocity of the instant;
/// - held ones what leaves the node on the plane, if that pushes.
/// Friction takes sliding away up to μ times the normal impulse.
class LieBeamTrial {
 public:
  struct Result {
    double h = 0;
    mechanics::LieBeamTotals totals;
    double energy = 0;  ///< discrete energy of the interval (J)
    double theta = 1;
    bool keeps_energy = false;  ///< there are elastic impacts, and θ in [½, 2] makes them keep the energy; else θ = 1
    double unsettled = 0;       ///< largest error of an impulse that the rounds did not settle, over the impulse
  };

  /// What the impulses of a contact did to the energy at the node (J): work along the normal and across it.
  struct Work {
    double normal = 0;
    double friction = 0;
  };

  /// q, p and the interval before must stay as they are while sub-steps are tried.
  void begin(const mechanics::LieBeamModel& model, std::span<const BeamObstacle> obstacles, std::span<const double> q,
             std::span<const double> p, const BeamInterval& before, double gap_tolerance);

  /// A node on a plane, with the velocity of its touching point that the law of the plane asks for: that of the instant
  /// where it is inelastic, that on arrival where θ corrects it. Coming in slower than `slowest` (m/s) is none.
  void touch(std::size_t node, std::size_t obstacle, bool held, double slowest);
  const std::vector<BeamContact>& contacts() const { return contacts_; }
  /// That of a node with an obstacle; null where they do not touch.
  BeamContact* contact_of(std::size_t node, std::size_t obstacle);

  /// Guesses the impulse that holds a contact from the gap to which a sub-step of length h, just tried, led.
  void lift(BeamContact& contact, double h) const { contact.normal = wanted(contact, h); }

  /// Finds the impulses of a sub-step of length h; q_next() and p_next() are where it leads.
  Result run(double h);

  double gap_next(std::size_t node, std::size_t obstacle) const;
  std::vector<double>& q_next() { return q_next_; }
  std::vector<double>& p_next() { return p_next_; }

  double energy_before() const { return energy_before_; }
  /// Springs back fully: e = 1 and not held.
  bool is_elastic(const BeamContact& contact) const;
  /// ½ Δp·(v⁺ + v⁻) of the velocities at the instant, in a sub-step of length h.
  Work work(const BeamContact& contact, double h) const;
  /// E + losses − E before: what impacts did to the energy of the interval that nothing explains.
  double miss(const Result& result) const;

 private:
  Result with_theta(double h, double theta);
  double rub(double kick);
  double held_error(double h, bool correct);
  double wanted(const BeamContact& contact, double h) const;
  math::Wrench<double> momentum_after(std::size_t node, double kick) const;
  math::Wrench<double> impulse_on(std::size_t node) const;
  math::Vector3<double> impulse_of(const BeamContact& contact) const;

  const mechanics::LieBeamModel* model_ = nullptr;
  std::span<const BeamObstacle> obstacles_;
  std::span<const double> q_, p_;
  BeamInterval before_;
  double energy_before_ = 0;
  double gap_tolerance_ = 0;
  std::vector<BeamContact> contacts_;
  std::vector<std::size_t> first_on_node_;  ///< number of the first contact of each node, or none
  bool shared_nodes_ = false;               ///< a node touches more than one plane
  std::vector<double> q_next_, p_next_, impulse_;
  std::vector<double> force_;  ///< at q, once a node touches; in the layout of momenta
  bool force_known_ = false;
  mechanics::LieBeamStepper stepper_;
  exec::Executor here_{1};
};

}  // namespace ictus::dynamics
