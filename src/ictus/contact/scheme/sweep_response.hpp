#pragma once

#include <array>
#include <cmath>
#include <ictus/contact/law/elastic_layer.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::contact {

/// What a response must know of a constraint besides its row.
struct ImpactLaw {
  double offset = 0;    ///< c in w·M⁻¹p⁺ + c ≥ 0 (m/s)
  double friction = 0;  ///< μ
  /// Where it has a stiffness, the impulse is that of the layer instead, whose gap is `gap` and was `gap_before` a step
  /// ago.
  ElasticLayer layer = {};
  double gap = 0;
  double gap_before = 0;
  /// Takes part only while it would close in the step [eq. exact-contact-17]: laws whose offset knows nothing of the
  /// gap.
  bool only_closing = false;
  /// Impulses from which the sweeps begin (N s).
  double guess = 0;
  std::array<double, 2> tangential_guess{0.0, 0.0};
  /// c_T: a contact that sticks ends with J_t M⁻¹p⁺ + c_T = 0 (m/s).
  std::array<double, 2> tangential_offset{0.0, 0.0};
};

struct SweepOptions {
  int max_sweeps = 300;
  int settling_sweeps = 15;  ///< after which nobody leaves
  double tolerance = 1e-5;   ///< of the change of a rate beyond its round-off, over the largest rate that would close
};

struct SweepReport {
  int sweeps = 0;
  bool settled = true;  ///< the last sweep over all constraints changed no rate beyond the tolerance
  double error = 0;     ///< what it changed, over the largest rate that would close
};

/// Impulses on many constraints that share unknowns, matrix-free in the momenta, by projected Gauss–Seidel sweeps
///   λ ← max(0, λ − (w·M⁻¹p + c)/W)                   [eq. exact-contact-15],
///   λ_t ← P(|·| ≤ μλ)(λ_t − (J_t M⁻¹p + c_T)/W_t)    [eq. exact-contact-20],
/// the first by the answer of the elastic layer [eq. exact-contact-6] where there is one.
/// accelerated by conjugate directions: with d the direction so far and G(z) the state after a sweep from z,
///   z ← G(z) + β d, d ← β d + G(z) − z, β = |G(z) − z|²/|the one before|²   [eq. exact-contact-31],
/// from d = 0 again where β > 1. Constraints that share no unknown that moves, directly or through others, are islands:
/// each is swept until it has settled and no longer. Where a law takes part only while it would close, g + h(w·M⁻¹p −
/// λW) ≤ 0 at the present p, one that has taken part after some sweeps stays, because frictional solves can cycle
/// otherwise. Sweeps visit constraints in their order. Allocates only when there are more of them than ever before.
class SweepResponse {
 public:
  explicit SweepResponse(const SweepOptions& options = {}) : options_(options) {}

  /// `taking_part` lists the constraints, `laws` is one for each of them; step h. Adds the impulses to p.
  SweepReport apply(const model::ConstraintSet& constraints, std::span<const int> taking_part,
                    std::span<const ImpactLaw> laws, std::span<const double> inverse_mass, double h,
                    std::span<double> p);

  /// Normal and tangential impulses, in the order of `taking_part`.
  std::span<const double> lambda() const { return lambda_; }
  std::span<const std::array<double, 2>> tangential() const { return tangential_; }
  /// Whether a contact that pushes has a tangential impulse below what friction allows: it sticks.
  bool sticks(std::size_t i, double friction) const {
    return std::hypot(tangential_[i][0], tangential_[i][1]) < sticking_share * friction * lambda_[i];
  }

 private:
  struct Entry {
    int unknown;     // number in the compact list
    double weight;   // w
    double inverse;  // w/m
  };
  struct Contact {
    int begin, end;   // entries of the normal row
    int tangents[3];  // begin, middle, end of the entries of both tangents; equal: none
    double gap, inertia, tangential_inertia;
    bool ahead, engaged;
  };
  /// Projections end on the cone of friction up to rounding.
  static constexpr double sticking_share = 1 - 1e-9;
  using Triple = std::array<double, 3>;  // impulses along the normal and both tangents
  /// Ranges of by_island_ and unknowns_by_island_.
  struct Island {
    std::size_t begin, end, first_unknown, last_unknown;
  };

  void load(const model::ConstraintSet& constraints, std::span<const int> taking_part,
            std::span<const double> inverse_mass, std::span<const double> p);
  int append(std::span<const model::RowEntry> row, std::span<const double> inverse_mass, std::span<const double> p);
  double rate(int begin, int end) const;
  double round_off(const Contact& contact, double h) const;
  void push(int begin, int end, double impulse);
  void push_all(std::size_t i, double sign);
  double inertia(int begin, int end) const;
  void begin_with_guesses(std::span<const ImpactLaw> laws);
  void find_islands();
  int root(int unknown);
  std::span<const int> members(const Island& island) const {
    return std::span(by_island_).subspan(island.begin, island.end - island.begin);
  }
  SweepReport settle(const Island& island, std::span<const ImpactLaw> laws, double h, double scale, double bound);
  double sweep(const Island& island, std::span<const ImpactLaw> laws, double h, bool may_leave, bool all);
  double update(std::size_t i, const ImpactLaw& law, double h, bool may_leave);
  double update_friction(std::size_t i, const ImpactLaw& law);
  void release(std::size_t i);
  Triple impulses(std::size_t i) const { return {lambda_[i], tangential_[i][0], tangential_[i][1]}; }
  void note(const Island& island);
  void accelerate(const Island& island);
  void rebuild();

  SweepOptions options_;
  std::vector<int> place_;       // number in the compact list plus one, by unknown; all zero between calls
  std::vector<int> unknown_;     // of the compact list
  std::vector<double> free_;     // momenta of the compact list without impulses
  std::vector<double> momenta_;  // of the compact list
  std::vector<Entry> entries_;
  std::vector<Contact> contacts_;
  std::vector<Island> islands_;
  std::vector<int> by_island_;           // numbers of contacts, island by island
  std::vector<int> unknowns_by_island_;  // numbers in the compact list; those that are held are in none
  std::vector<int> parent_;              // of each of the compact list, in its island's tree
  std::vector<int> island_of_;           // of each contact, then of each of the compact list; buffers
  std::vector<int> number_of_root_;
  std::vector<double> lambda_;
  std::vector<std::array<double, 2>> tangential_;
  // Acceleration: impulses and momenta before a sweep, the direction d, and |change|² of the sweep before.
  std::vector<Triple> impulses_before_, direction_;
  std::vector<double> momenta_before_, momenta_direction_;
  double change_sq_ = 0;
};

}  // namespace ictus::contact
