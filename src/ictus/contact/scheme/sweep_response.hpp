#pragma once

#include <array>
#include <cmath>
#include <ictus/contact/law/elastic_layer.hpp>
#include <ictus/math/pack_gather.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/solve/cone/cone_solver.hpp>
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

/// Impulses on many constraints that share dofs, matrix-free in the momenta, by projected Gauss–Seidel sweeps
///   λ ← max(0, λ − (w·M⁻¹p + c)/W)                   [eq. exact-contact-15],
///   λ_t ← P(|·| ≤ μλ)(λ_t − (J_t M⁻¹p + c_T)/W_t)    [eq. exact-contact-20],
/// the first by the answer of the elastic layer [eq. exact-contact-6] where there is one,
/// accelerated, where each sweep leaves much of the change of the one before, by conjugate directions: with d the
/// direction so far and G(z) the state after a sweep from z,
///   z ← G(z) + β d, d ← β d + G(z) − z, β = |G(z) − z|²/|the one before|²   [eq. exact-contact-31],
/// from d = 0 again where β > 1. Constraints that share no dof that moves, directly or through others, are islands:
/// each is swept until it has settled and no longer, and where few of an island still change they are swept by
/// themselves, in islands of their own, until a sweep over all finds nothing to change. Where a law takes part only
/// while it would close, g + h(w·M⁻¹p − λW) ≤ 0 at the present p, one that has taken part after some sweeps stays,
/// because frictional solves can cycle otherwise. Sweeps visit constraints in their order. An island of some hundred
/// constraints on which they stall, as on the links of a taut chain, each of which feels all others through the joints,
/// is assembled with its W = J M⁻¹ Jᵀ and solved as a cone problem. Allocates only for that, and when there are more
/// constraints than ever before.
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
    const double limit = sticking_share * friction * lambda_[i];
    return tangential_[i][0] * tangential_[i][0] + tangential_[i][1] * tangential_[i][1] < limit * limit;
  }

 private:
  /// Up to three dofs that follow each other, as those of a point, lie side by side in a block; what is held has no
  /// inverse mass.
  struct Block {
    math::Quad velocity{}, inverse_mass{};
  };
  using Directions = std::array<math::Quad, 3>;  // weights along the normal and both tangents
  using Triple = std::array<double, 3>;          // impulses along these
  /// A point that is pushed along the directions of its contact, each times the weight.
  struct Point {
    int block;
    double weight;
  };
  /// What a contact has to do with any other block.
  struct Part {
    Directions weight{};
    int block;
  };
  struct Contact {
    Directions directions{};
    int first_point, last_point, first_part, last_part;
    double gap, inertia, tangential_inertia;
    double inverse_inertia, inverse_tangential_inertia;
    std::array<double, 2> coupling;  // w·M⁻¹J_t: what a normal impulse does to the slip
    double offset, friction;         // of its law
    std::array<double, 2> tangential_offset;
    Triple impulse{};
    double change;  // of its rates when it was visited last
    bool rubs, ahead, engaged, elastic, only_closing;
  };
  /// Projections end on the cone of friction up to rounding.
  static constexpr double sticking_share = 1 - 1e-9;
  /// Constraints that are swept together, and the blocks that they move.
  struct Group {
    std::span<const int> contacts, blocks;
  };
  /// Groups of constraints that share no block that moves, directly or through others.
  class Islands {
   public:
    void find(std::span<const int> numbers, const SweepResponse& sweeps);
    std::size_t size() const { return all_.size(); }
    Group operator[](std::size_t k) const {
      const auto& [begin, end, first, last] = all_[k];
      return {std::span(contacts_).subspan(begin, end - begin), std::span(blocks_).subspan(first, last - first)};
    }

   private:
    struct Island {
      std::size_t begin, end, first_block, last_block;  // ranges of contacts_ and blocks_
    };
    int root(int place);

    std::vector<Island> all_;
    std::vector<int> contacts_, blocks_;
    // Buffers: by place in the list of constraints the parent in the tree of the island, and its number; by block the
    // first place at which it moves, none between calls; the blocks that move.
    std::vector<int> parent_, first_of_block_, touched_;
    std::vector<std::size_t> island_of_;
  };
  /// While a plain sweep leaves less than this share of the change of the one before, no direction does better.
  static constexpr double quick_share = 0.3;
  /// Where at most one in so many of an island changes by more than this share of the largest change, those are swept
  /// by themselves. They are looked for after so many sweeps along directions.
  static constexpr std::size_t many_in = 4;
  static constexpr double restless_share = 0.1;
  static solve::ConeOptions cone_options();
  static constexpr int directed_sweeps = 15;

  void load(const model::ConstraintSet& constraints, std::span<const int> taking_part, std::span<const ImpactLaw> laws,
            std::span<const double> inverse_mass, std::span<const double> p);
  int block_of(std::span<const model::RowEntry> row, std::size_t at, std::span<const double> inverse_mass,
               std::span<const double> p);
  int block_of_three(std::size_t dof, std::span<const double> inverse_mass, std::span<const double> p);
  void fill(int block, int lane, std::size_t dof, std::span<const double> inverse_mass, std::span<const double> p);
  bool pushes_points(const model::ConstraintSet& constraints, std::size_t i) const;
  void append_points(const model::ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                     std::span<const double> p, Contact& contact);
  void append_parts(const model::ConstraintSet& constraints, std::size_t i, std::span<const double> inverse_mass,
                    std::span<const double> p, const Contact& contact);
  Part& part_of(const Contact& contact, int block);
  std::span<const Point> points(const Contact& contact) const {
    return std::span(points_.data() + contact.first_point, points_.data() + contact.last_point);
  }
  std::span<const Part> parts(const Contact& contact) const {
    return std::span(parts_.data() + contact.first_part, parts_.data() + contact.last_part);
  }
  Block& block(int number) { return blocks_[static_cast<std::size_t>(number)]; }
  const Block& block(int number) const { return blocks_[static_cast<std::size_t>(number)]; }
  static math::Quad along(const Directions& weight, const Triple& impulses) {
    return weight[0] * impulses[0] + weight[1] * impulses[1] + weight[2] * impulses[2];
  }
  void measure(Contact& contact) const;
  double rate(const Contact& contact) const;
  Triple rates(const Contact& contact) const;
  Triple all_rates(const Contact& contact) const { return contact.rubs ? rates(contact) : Triple{rate(contact), 0, 0}; }
  double round_off(const Contact& contact, double h) const;
  void push(const Contact& contact, const Triple& impulses);
  void begin_with_guesses(std::span<const ImpactLaw> laws);
  SweepReport settle(const Group& group, std::span<const ImpactLaw> laws, double h, double scale, double bound);
  int sweep_together(const Group& group, std::span<const ImpactLaw> laws, double h, int max_sweeps, double bound);
  void settle_as_cones(const Group& group, std::span<const ImpactLaw> laws, double h, double scale, double bound,
                       SweepReport& report);
  bool list_cones(const Group& group);
  solve::BlockProblem cone_problem();
  bool find_restless(const Group& group, double change);
  std::size_t sweep_apart(std::span<const ImpactLaw> laws, double h, double bound);
  double sweep(const Group& group, std::span<const ImpactLaw> laws, double h, bool may_leave, bool all);
  double update(Contact& contact, const ImpactLaw& law, double h, bool may_leave);
  static std::array<double, 2> update_friction(Contact& contact, const std::array<double, 2>& slip);
  void note(const Group& group);
  void accelerate(const Group& group, double& change_sq);
  void hand_over(std::span<double> p);

  SweepOptions options_;
  /// Where a dof lies in the blocks.
  struct Slot {
    int block = -1, lane = 0;
  };
  std::vector<Slot> slot_;              // by dof; none between calls
  std::vector<std::size_t> first_dof_;  // of each block
  std::vector<int> lanes_;              // of each block in use
  std::vector<Block> blocks_;
  std::vector<Point> points_;
  std::vector<Part> parts_;
  std::vector<Contact> contacts_;
  Islands islands_, restless_islands_;
  std::vector<int> everyone_, restless_, coned_;
  solve::ConeSolver cones_{cone_options()};
  std::vector<double> lambda_;
  std::vector<std::array<double, 2>> tangential_;
  // Acceleration: impulses and velocities before a sweep, the direction d.
  std::vector<Triple> impulses_before_, direction_;
  std::vector<math::Quad> velocity_before_, velocity_direction_;
};

}  // namespace ictus::contact
