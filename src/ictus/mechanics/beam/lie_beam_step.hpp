#pragma once

#include <ictus/exec/executor.hpp>
#include <ictus/mechanics/beam/lie_beam_model.hpp>
#include <span>
#include <vector>

namespace ictus::mechanics {

/// The energies around the kick of a sweep, with M⁻¹ that of the configuration before the step, where it acts, and f
/// all forces and moments there: those of the elements and the loads.
struct LieBeamKick {
  double kinetic_in = 0;   ///< ½ p·M⁻¹p of the momenta that arrive (J)
  double kinetic_out = 0;  ///< of those that leave, impulses included (J)
  double power_in = 0;     ///< f·M⁻¹p of the momenta that arrive (W)
  double power_out = 0;    ///< of those that leave (W)
  double force_sq = 0;     ///< f·M⁻¹f (W/s)

  LieBeamKick& operator+=(const LieBeamKick& other);
};

/// What one sweep over a beam found.
struct LieBeamTotals {
  double kinetic = 0;                    ///< Σ w K(ξ) of the step (J)
  double strain = 0;                     ///< Σ Δs Φ(η) before the step (J)
  double potential = 0;                  ///< of gravity and dead loads before the step (J)
  math::Vector3<double> first_moment{};  ///< Σ w r before the step (m²): where loads along the beam act
  double element_turn_sq = 0;  ///< largest tan² φ/2, φ the turn between neighbouring sections before the step
  double step_turn_sq = 0;     ///< largest tan² φ/2, φ the turn of a section during the step
  int iterations = 0;          ///< Newton iterations of the slowest block
  bool converged = true;
  LieBeamKick kick;
  math::Wrench<double> start_support{};  ///< spin about the node and momentum that a clamped first node handed on
  math::Wrench<double> end_support{};

  LieBeamTotals& operator+=(const LieBeamTotals& other);
};

/// One step of one beam. q and p are read, q_next and p_next written; they must not overlap.
struct LieBeamJob {
  const LieBeamModel* model;
  double h;     ///< step (s)
  double kick;  ///< time during which the forces at q act; see LieBeamModel::kick_time
  const double* q;
  const double* p;
  const double* impulse;  ///< added to p, in its layout; null where there is none
  double* q_next;
  double* p_next;
};

/// Takes beams through one step of the discrete Euler–Lagrange equations in space [eq. lie-beam-23]:
///   p⁺ = p + kick (f_a − f_{a−1} + w q) + impulse,   solve the Legendre equation for ξ,   g⁺ = g τ(hξ),
/// then takes the spin about the new position. Linear and angular momentum are kept to round-off whatever ξ is. Works
/// through tiles of nodes whose intermediate results stay in the first cache; a tile's bits depend on its data alone.
class LieBeamStepper {
 public:
  /// Steps every job, and returns their totals in order. The span holds until the next call.
  std::span<const LieBeamTotals> step(const exec::Executor& exec, std::span<const LieBeamJob> jobs);

 private:
  struct Tile {
    std::size_t job;
    std::size_t first_block;
    std::size_t first_item;  ///< nodes of all tiles before it
  };
  void cut(std::span<const LieBeamJob> jobs);

  std::vector<Tile> tiles_;
  std::vector<LieBeamTotals> tile_totals_;
  std::vector<LieBeamTotals> totals_;
};

/// Strain energy, potential of gravity and dead loads, and the largest turn between neighbours, at a configuration.
struct LieBeamPotential {
  double strain = 0;
  double potential = 0;
  double element_turn_sq = 0;

  double total() const { return strain + potential; }
};
LieBeamPotential lie_beam_potential(const LieBeamModel& model, std::span<const double> q);

/// The smallest direction·x over the outlines of the nodes that can move, direction of length one; infinity where none
/// can.
double lie_beam_smallest(const LieBeamModel& model, const math::Vector3<double>& direction, std::span<const double> q);

}  // namespace ictus::mechanics
