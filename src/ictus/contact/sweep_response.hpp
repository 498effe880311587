#pragma once

#include <ictus/contact/elastic_layer.hpp>
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
};

struct SweepOptions {
  int max_sweeps = 30;
  int settling_sweeps = 15;  ///< after which nobody leaves
  double tolerance = 1e-8;   ///< of the change of a rate beyond its round-off, over the largest rate at the start
};

struct SweepReport {
  int sweeps = 0;
  bool settled = true;  ///< the last sweep over all constraints changed no rate beyond the tolerance
};

/// Impulses on many constraints that share unknowns, matrix-free in the momenta, by projected Gauss–Seidel sweeps
///   λ ← max(0, λ − (w·M⁻¹p + c)/W)                   [eq. exact-contact-15],
///   λ_t ← P(|·| ≤ μλ)(λ_t − J_t M⁻¹p/W_t)            [eq. exact-contact-20],
/// the first by the answer of the elastic layer [eq. exact-contact-6] where there is one.
/// A constraint that acts ahead takes part only while it would close in the step, g + h(w·M⁻¹p − λW) ≤ 0 at the present
/// p; one that has taken part after some sweeps stays, because frictional solves can cycle otherwise. Sweeps visit
/// constraints in their order. Allocates only when there are more of them than ever before.
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

  void load(const model::ConstraintSet& constraints, std::span<const int> taking_part,
            std::span<const double> inverse_mass, std::span<const double> p);
  int append(std::span<const model::RowEntry> row, std::span<const double> inverse_mass, std::span<const double> p);
  double rate(int begin, int end) const;
  double round_off(const Contact& contact, double h) const;
  void push(int begin, int end, double impulse);
  double inertia(int begin, int end) const;
  double update(std::size_t i, const ImpactLaw& law, double h, bool may_leave);
  double update_friction(std::size_t i, double limit);
  void release(std::size_t i);

  SweepOptions options_;
  std::vector<int> place_;       // number in the compact list plus one, by unknown; all zero between calls
  std::vector<int> unknown_;     // of the compact list
  std::vector<double> momenta_;  // of the compact list
  std::vector<Entry> entries_;
  std::vector<Contact> contacts_;
  std::vector<double> lambda_;
  std::vector<std::array<double, 2>> tangential_;
};

}  // namespace ictus::contact
