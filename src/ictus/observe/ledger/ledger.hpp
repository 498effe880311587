#pragma once

#include <array>
#include <cstdint>
#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <ictus/observe/ledger/compensated_sum.hpp>
#include <optional>

namespace ictus::observe {

struct LedgerOptions {
  /// Steps between evaluations; none: Ledger::default_interval.
  std::optional<int> every = std::nullopt;
  /// |error| and |residual| over the scale, see Ledger, that stop the run.
  std::optional<double> error_limit = std::nullopt;
  std::optional<double> residual_limit = std::nullopt;
  /// Along a beam the energy is a flux through its sections, compared with that through the first; no error stops it.
  bool is_flux = false;
};

/// What the reports of all steps add up to.
struct StepSums {
  std::array<CompensatedSum, model::Lost::size> lost;  ///< indexed by model::Loss (J)
  CompensatedSum external_work;                        ///< J
  std::array<CompensatedSum, 3> external_impulse;      ///< N s
  std::array<CompensatedSum, 3> external_moment;       ///< N m s, about the origin
  CompensatedSum total_impulse;                        ///< normal impulses (N s)
  std::int64_t closings = 0;
  std::int64_t fallbacks = 0;
  double fallback_error = 0;                 ///< largest of what was accepted unconverged
  std::optional<double> first_impulse_time;  ///< s
  std::optional<double> last_impulse_time;   ///< s
  double max_penetration = 0;                ///< m

  void add(const dynamics::StepReport& report);
  void exchange(Archive& archive);
};

/// Energies and momenta at one instant, held against the account.
struct Reading {
  std::int64_t step = -1;
  double time = 0;               ///< s
  model::Stored stored;          ///< J
  model::Lost lost;              ///< since the start (J)
  double total = 0;              ///< E = Σ stored (J)
  double error = 0;              ///< E − external work + losses that are not the scheme's own − E₀ (J)
  double residual = 0;           ///< E − external work + all losses − E₀ (J)
  double trapezoid = 0;          ///< kinetic + trapezoid potential (J); 0 where bodies are not nodal
  double excess = 0;             ///< of T + V at the time of q over what the account leaves (J); 0 likewise
  mechanics::Momentum momentum;  ///< about the origin
  double linear_change = 0;      ///< largest component of p − p₀ − Σ external impulses (N s)
  double angular_change = 0;     ///< the same of the angular momentum about the middle of the bodies (N m s)
};

/// The account of energy and momentum:
///   kinetic + strain + potential + other stores − external work + losses = initial energy + residual.
/// Each entry comes from a mechanism of its own, none is what others leave. Three of the losses are the scheme's own:
/// `quadrature`, by which stored energy and the work of the forces differ, `control`, which steers it, and `joint`,
/// which joints that turn take and give back. Without them the same sum gives the *error*, the energy that the scheme
/// made or lost of itself, and a sum of `interface` below zero is left out likewise: ties made that. The residual is
/// what even they do not explain. Both are reported over a scale that depends neither on an origin nor on a datum: the
/// largest kinetic + strain energy met, with what bank and layers hold, and the range of the potential energy.
///
/// Sums of the steps' reports are taken every step; energies and momenta are evaluated every few steps and whenever a
/// reading is asked for. Throws base::NumericalFailure when an energy is not finite, when error or residual exceed
/// their limits, when energy grows by more than the limit of errors since the scheme has started without work from
/// outside or motors, whatever the name it is booked under, and when the energy T + V at one instant exceeds what the
/// account leaves by more than the scale (or `excess_factor` times a limit of errors above a tenth): the discrete
/// energy of linear bodies is kept by steps that are too long, too, with kinetic energy and strain growing against each
/// other.
class Ledger final : public dynamics::Observer {
 public:
  /// By how much of the scale, and of the limit of errors, the energy at one instant may exceed what the account
  /// leaves: at steps near the critical one the two differ by themselves.
  static constexpr double excess_limit = 1, excess_factor = 10;

  explicit Ledger(const LedgerOptions& options = {}) : options_(options) {}

  /// Steps between evaluations where nobody asks for another number: every step of a small system, which runs in
  /// moments; so few of a large one that the ledger costs a few per cent of the steps.
  static std::int64_t default_interval(std::size_t dofs);

  /// What must be remembered: a value, so that a copy is a way back.
  struct Account {
    StepSums sums;
    double initial_energy = 0;
    double free_energy = 0;  ///< stored energy less work from outside, once the scheme has started (J)
    double initial_trapezoid = 0;
    mechanics::Momentum initial_momentum;
    math::Vec3 middle = math::Vec3::Zero();  ///< of the points of moving bodies at t = 0 (m)
    double length_scale = 0;                 ///< largest distance of one of them from it at t = 0 (m)
    double momentum_scale = 0;               ///< largest Σ|p_i| or impulse from outside met (N s)
    double max_in_motion = 0;                ///< largest kinetic + strain + bank + layer energy met (J)
    double potential_min = 0, potential_max = 0;
    double largest_entry = 0;  ///< largest |entry| of the account met: what round-off is a fraction of (J)
    double max_energy_change = 0;
    double max_trapezoid_change = 0;
    double max_error = 0;
    double max_residual = 0;
    double max_excess = 0;
    double max_linear_change = 0;
    double max_angular_change = 0;

    void exchange(Archive& archive);
  };

  void begin(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  std::int64_t patience(const dynamics::Snapshot& snapshot) const override;

  /// The reading at this state, taken now if there is none yet; it counts for the maxima.
  const Reading& reading(const dynamics::Snapshot& snapshot);
  /// A reading that leaves no trace, so that looking at a run at an odd moment does not change its summary.
  Reading peek(const dynamics::Snapshot& snapshot) const;
  /// The last reading that counted.
  const Reading& last() const { return last_; }

  const Account& account() const { return account_; }
  /// Goes back, or goes on, from an account taken earlier.
  void restore(const Account& account);

  /// Whether all bodies are nodal and move by one step, for which the plain trapezoid energy is defined.
  static bool knows_trapezoid(const dynamics::Snapshot& snapshot);

  /// What errors and residuals are compared with (J): zero only where there is no energy at all.
  double scale() const;

  // Figures of the summary: the largest met, over scale(), or over the scales of momentum. Zero where these are zero.
  double max_relative_error() const;
  double max_relative_residual() const;
  double max_relative_change() const;
  double max_relative_excess() const;
  double max_trapezoid_error() const;
  double max_linear_drift() const;
  double max_angular_drift() const;
  // The same of one reading.
  double relative_error(const Reading& reading) const;
  double relative_residual(const Reading& reading) const;
  double linear_drift(const Reading& reading) const;
  double angular_drift(const Reading& reading) const;

 private:
  std::int64_t interval(const dynamics::Snapshot& snapshot) const;
  void grow_scales(const Reading& reading, double momentum_scale);
  double rounding_energy(const dynamics::Snapshot& snapshot) const;
  void require_limits(const Reading& reading, const dynamics::Snapshot& snapshot) const;
  void count(const Reading& reading);

  LedgerOptions options_;
  Account account_;
  Reading last_;
};

}  // namespace ictus::observe
