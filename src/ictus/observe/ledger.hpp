#pragma once

#include <array>
#include <cstdint>
#include <ictus/dynamics/observer.hpp>
#include <ictus/observe/archive.hpp>
#include <ictus/observe/compensated_sum.hpp>
#include <optional>

namespace ictus::observe {

struct LedgerOptions {
  /// Steps between evaluations; none: Ledger::default_interval.
  std::optional<int> every;
  /// |residual| over its scale, see Ledger, that stops the run.
  std::optional<double> residual_limit;
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
  double residual = 0;           ///< E − external work + losses − E₀ (J)
  double trapezoid = 0;          ///< kinetic + trapezoid potential (J); 0 where bodies are not nodal
  mechanics::Momentum momentum;  ///< about the origin
  double linear_change = 0;      ///< largest component of p − p₀ − Σ external impulses (N s)
  double angular_change = 0;     ///< the same of the angular momentum (N m s)
};

/// The account of energy and momentum:
///   kinetic + strain + potential + other stores − external work + losses = initial energy + residual.
/// Sums of the steps' reports are taken every step; energies and momenta are evaluated every few steps and whenever a
/// reading is asked for. Residuals are compared with |E₀|, and with the largest energy met so far where E₀ is
/// negligible beside it: bodies that begin at rest and unstrained have no energy, or that of round-off. Throws
/// base::NumericalFailure when an energy is not finite or the residual exceeds its limit.
class Ledger final : public dynamics::Observer {
 public:
  explicit Ledger(const LedgerOptions& options = {}) : options_(options) {}

  /// Steps between evaluations where nobody asks for another number: every step of a small system, which runs in
  /// moments; so few of a large one that the ledger costs a few per cent of the steps.
  static std::int64_t default_interval(std::size_t unknowns);

  /// What must be remembered: a value, so that a copy is a way back.
  struct Account {
    StepSums sums;
    double initial_energy = 0;
    double initial_trapezoid = 0;
    mechanics::Momentum initial_momentum;
    double momentum_scale = 0;  ///< Σ|p_i| at t = 0 (N s)
    double length_scale = 0;    ///< largest distance of a moving point from the origin at t = 0 (m)
    double largest_energy = 0;  ///< met so far: Σ |stored|, Σ |losses|, |external work| (J)
    double max_energy_change = 0;
    double max_trapezoid_change = 0;
    double max_residual = 0;
    double max_linear_change = 0;
    double max_angular_change = 0;

    void exchange(Archive& archive);
  };

  void begin(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;
  void observe(const dynamics::Snapshot& snapshot, const dynamics::StepReport& report) override;

  /// The reading at this state, taken now if there is none yet; it counts for the maxima.
  const Reading& reading(const dynamics::Snapshot& snapshot);
  /// A reading that leaves no trace, so that looking at a run at an odd moment does not change its summary.
  Reading peek(const dynamics::Snapshot& snapshot) const;
  /// The last reading that counted.
  const Reading& last() const { return last_; }

  const Account& account() const { return account_; }
  /// Goes back, or goes on, from an account taken earlier.
  void restore(const Account& account);

  // Figures of the summary; none where the scale they refer to is zero, or negligible.
  std::optional<double> max_relative_error() const;
  std::optional<double> max_relative_residual() const;
  std::optional<double> max_trapezoid_error() const;
  std::optional<double> max_linear_drift() const;
  std::optional<double> max_angular_drift() const;
  // The same of one reading.
  std::optional<double> relative_residual(const Reading& reading) const;
  std::optional<double> linear_drift(const Reading& reading) const;
  std::optional<double> angular_drift(const Reading& reading) const;

 private:
  bool due(const dynamics::Snapshot& snapshot) const;
  void count(const Reading& reading);
  double relevant(double initial) const;

  LedgerOptions options_;
  Account account_;
  Reading last_;
};

}  // namespace ictus::observe
