#pragma once

#include <concepts>
#include <ictus/exec/executor.hpp>
#include <ictus/solve/cone/friction_cone.hpp>
#include <ictus/solve/sweeps/sweep_plan.hpp>
#include <span>
#include <vector>

// Notation: r reactions (impulses), u = W r + q relative velocities at contacts, q those without reactions.

namespace ictus::solve {

/// A way to hold the problem u = W r + q with Coulomb cones [eq. contact-solvers-1]. The unknowns lie in one flat
/// state: three reactions for each contact, three moments for each where the law has them, then whatever the form keeps
/// up to date beside them (body velocities). The
/// state is linear in r, so that combinations of states are states.
///
/// Static, not virtual: solvers call velocity() for each contact.
template <class Form>
concept ConeForm = requires(const Form& form, std::size_t i, std::span<double> state, std::span<const double> view,
                            const exec::Executor& executor) {
  { form.size() } -> std::convertible_to<std::size_t>;        // contacts
  { form.reactions() } -> std::convertible_to<std::size_t>;   // 3 size(), or 6 size() with moments
  { form.state_size() } -> std::convertible_to<std::size_t>;  // ≥ reactions()
  { form.plan() } -> std::same_as<const SweepPlan&>;          // contacts of a chunk's colour touch disjoint states
  { form.cone(i) } -> std::convertible_to<FrictionCone>;
  { form.prox(i) } -> std::convertible_to<const ProxStep&>;
  { form.velocity(i, view) } -> std::convertible_to<Local>;  // uᵢ of the state
  // One relaxed proximal update of each contact from i to below j; returns Σ|Δr|².
  { form.relax(i, i, 1.0, state) } -> std::convertible_to<double>;
  { form.defect_sq(i, i, view) } -> std::convertible_to<double>;  // Σ|r − P_K(r − û)|² likewise, in units of ρ
  {form.rebuild(executor, state)};                                // everything beside the reactions from the reactions
  { form.free_norm() } -> std::convertible_to<double>;            // |q|₂
  { form.reaction_unit() } -> std::convertible_to<double>;        // ρ of the error measure
};

/// Whether contacts bear moments, which only sweeps know.
template <ConeForm Form>
bool has_moments(const Form& form) {
  return form.reactions() > 3 * form.size();
}

inline Local load(std::span<const double> values, std::size_t i) {
  return {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
}
inline void store(const Local& x, std::size_t i, std::span<double> values) {
  values[3 * i] = x.x;
  values[3 * i + 1] = x.y;
  values[3 * i + 2] = x.z;
}

/// The explicit form: W in sparse 3×3 blocks, compressed by rows. How problems are saved and exchanged; simulations
/// keep to body velocities. The error of saved problems is measured in their own units (ρ = 1).
class BlockProblem {
 public:
  struct Data {
    std::vector<int> row_offsets;     ///< contacts + 1
    std::vector<int> columns;         ///< one for each block
    std::vector<LocalMatrix> blocks;  ///< W_ij
    std::vector<Local> q;             ///< one for each contact
    std::vector<FrictionCone> cones;  ///< one for each contact
    double reaction_unit = 1.0;       ///< ρ of the error measure
  };

  BlockProblem() = default;
  /// Throws base::InputError where sizes do not fit, a value is not finite, a diagonal block is missing or W_NN ≤ 0,
  /// or μ < 0.
  explicit BlockProblem(Data data);

  std::size_t size() const { return data_.q.size(); }
  std::size_t reactions() const { return 3 * size(); }
  std::size_t state_size() const { return 3 * size(); }
  const SweepPlan& plan() const { return plan_; }
  const FrictionCone& cone(std::size_t i) const { return data_.cones[i]; }
  const ProxStep& prox(std::size_t i) const { return prox_[i]; }
  Local velocity(std::size_t i, std::span<const double> state) const {
    Local u = data_.q[i];
    for (int k = data_.row_offsets[i]; k < data_.row_offsets[i + 1]; ++k) {
      u += data_.blocks[k] * load(state, static_cast<std::size_t>(data_.columns[k]));
    }
    return u;
  }
  double relax(std::size_t begin, std::size_t end, double relaxation, std::span<double> state) const {
    double sum = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      const Local before = load(state, i);
      const Local after = prox_[i].update(before, velocity(i, state), relaxation);
      store(after, i, state);
      sum += math::norm_sq(after - before);
    }
    return sum;
  }
  double defect_sq(std::size_t begin, std::size_t end, std::span<const double> state) const {
    return exec::sum_lanes(begin, end, [&](std::size_t i) {
      return math::norm_sq(law_defect(cone(i), reaction_unit() * load(state, i), velocity(i, state)));
    });
  }
  void rebuild(const exec::Executor&, std::span<double>) const {}
  double free_norm() const { return free_norm_; }
  double reaction_unit() const { return data_.reaction_unit; }

  const Data& data() const { return data_; }

 private:
  Data data_;
  std::vector<ProxStep> prox_;
  SweepPlan plan_;
  double free_norm_ = 0.0;
};

}  // namespace ictus::solve
