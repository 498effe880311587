#pragma once

#include <ictus/dynamics/coupled/implicit_domain.hpp>
#include <ictus/math/pack.hpp>
#include <vector>

namespace ictus::dynamics {

/// An implicit domain between ties that act at every fine step: its velocities at the ties within its own step of
/// `ratio` fine ones [eq. coupling-4], and the forces that it feels at its ends. Those are Λ and what the ties owe it:
/// the trapezoid of Λ over a step is not what they gave to the explicit side in its fine steps, and the next step makes
/// up for the difference [eq. coupling-14]. Vectors over the ties have room for whole packs, and zeros there.
class LinkedDomain {
 public:
  /// `ties` with the room for whole packs.
  LinkedDomain(ImplicitDomain part, int ratio, std::size_t ties, std::size_t loads);

  const ImplicitDomain& part() const { return part_; }
  ImplicitDomain& part() { return part_; }
  int ratio() const { return ratio_; }

  /// What lasts from one step of the run to the next, by tie: L V_free, the forces owed and paid at its end, and those
  /// to be paid at the end of the next.
  static constexpr std::size_t kept = 3;
  void recall(std::span<const double> memory);
  void keep(std::span<double> memory) const;
  /// Sets what lasts at the start, where nothing is owed: V − ΔT/2 M̃⁻¹LᵀΛ at the ties.
  void start(std::span<const double> lambda, std::span<const double> p);

  /// Begins a step under forces Λ and loads at its start; `loads_ahead` are those at its end. Answers whether the
  /// operator of the domain was factored anew.
  bool open(const System& system, std::span<const double> lambda, std::span<const double> loads,
            std::span<const double> loads_ahead, model::State& state, std::span<const double> acceleration,
            std::span<double> factored);

  /// Adds the velocities at the ties, free of Λ, at the end of a fine step.
  void add_free_rates(int fine, std::span<double> out) const;
  /// Notes Λ at both ends of a fine step.
  void note(std::size_t first, const math::Pack& lambda, const math::Pack& lambda_before) {
    (math::Pack::load(lambda_sum_.data() + first) + math::Pack(0.5) * (lambda + lambda_before))
        .store(lambda_sum_.data() + first);
  }
  /// Of bodies that are not linear: takes from `out` what their own velocities at the ties exceed those of the tangent
  /// by.
  void take_beyond(const System& system, std::span<const double> lambda, const model::State& state,
                   std::span<double> out);

  /// Ends the step with forces Λ.
  ImplicitDomain::StepBalance close(const System& system, std::span<const double> lambda, std::span<const double> loads,
                                    model::State& state, std::span<double> acceleration);

  /// The impulse at a tie that the domain is still to get, between two of its steps (N s).
  double owed_impulse(std::size_t tie, double fine_step) const {
    return ratio_ * fine_step * (0.5 * owed_[tie] + owed_next_[tie]);
  }

 private:
  std::span<const double> felt(std::span<const double> lambda);
  void find_free_rates(std::span<const double> lambda, std::span<const double> p);

  ImplicitDomain part_;
  int ratio_;
  std::vector<double> free_before_, free_after_;  // L V_free at both ends of its step
  std::vector<double> lambda_before_;             // Λ at its start
  std::vector<double> felt_before_, felt_;        // Λ and what is owed, at its start and later
  std::vector<double> owed_, owed_next_;          // paid at its end, and at that of the next
  std::vector<double> lambda_sum_;                // Σ of the means of Λ over its fine steps
  std::vector<double> loads_before_;              // signals at its start
  std::vector<double> beyond_;                    // L V − L V_free − H Λ at its end, where bodies are not linear
};

}  // namespace ictus::dynamics
