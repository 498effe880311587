#pragma once

#include <Eigen/Dense>
#include <ictus/dynamics/implicit/implicit_matrix.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// Linear bodies for which no step is too long. With
///   M̃ = M + ¼ h² K   [eq. mixed-14]
/// in place of M the leapfrog is the implicit midpoint rule on them: impulses Δ of forces and contact change their
/// velocities by M̃⁻¹Δ. Their momenta stay p = M v, so that whatever moves, draws and adds up nodes need not know.
/// A contact problem sees of them the dofs that it touches as coordinates z of unit mass,
///   v = R z, R Rᵀ the part of M̃⁻¹ of these dofs, rows Rᵀw   [eq. mixed-15],
/// between `open` and `close`. Does nothing where there are none, and allocates nothing while the touched dofs stay.
class ImplicitSteps {
 public:
  void prepare(const System& system);
  bool any() const { return !parts_.empty(); }

  /// Turns what was added to p since it was `from`, the impulses of forces, into what it does to momenta:
  /// p = from + M M̃⁻¹(p − from).
  void weigh(const System& system, double h, std::span<const double> from, std::span<double> p);
  /// What supports take of a change of momenta beside the forces of the elements at q_n: that of ¼ h² K. Returns what
  /// they gave, and adds it to `supports` of each nodal body.
  mechanics::Momentum support_impulse(const System& system, double h, std::span<const double> q,
                                      std::span<const double> from, std::span<const double> p,
                                      std::span<mechanics::Momentum> supports) const;

  /// Momenta become those of the contact problem, where constraints touch these bodies. Returns the constraints along
  /// them.
  const model::ConstraintSet& open(const System& system, double h, const model::ConstraintSet& constraints,
                                   std::span<const double> inverse_mass, std::span<double> before, std::span<double> p);
  /// 1/m of the contact problem; `otherwise` where it touches none of these bodies.
  std::span<const double> inverse_mass(std::span<const double> otherwise) const {
    return open_ ? std::span<const double>(inverse_mass_) : otherwise;
  }
  /// p* of every dof as it was when the problem was opened; `otherwise` likewise.
  std::span<const double> kicked(std::span<const double> otherwise) const {
    return open_ ? std::span<const double>(kicked_) : otherwise;
  }
  /// The momenta that p of an open problem stands for.
  std::span<const double> momenta(const System& system, std::span<const double> p);
  /// All momenta become what they were before `open`, p with what contact gave.
  void close(const System& system, std::span<double> before, std::span<double> kicked, std::span<double> p);
  /// Calls f(dof, impulse) for what contact gave in the last problem.
  template <class F>
  void for_each_push(F&& f) const {
    for (const Part& part : parts_) {
      for (std::size_t i = 0; i < part.pushed.size(); ++i) f(part.body->dofs().begin + part.touched[i], part.pushed[i]);
    }
  }
  bool moves(std::size_t dof) const { return !part_of_dof_.empty() && part_of_dof_[dof] >= 0; }

 private:
  /// Dofs are counted from the first of the body here.
  struct Part {
    const mechanics::NodalBody* body;
    std::size_t number;  // among the nodal bodies
    ImplicitMatrix matrix;
    std::vector<mechanics::StiffnessEntry> to_supports;  // of K, from dofs that move to those that are held
    std::vector<std::vector<double>> columns;            // of M̃⁻¹, empty where nothing has touched yet
    std::vector<std::size_t> touched, touched_before;    // in order
    std::vector<int> slot;                               // of each dof among the touched ones; −1: not touched
    Eigen::MatrixXd root;                                // R, below its diagonal
    Eigen::VectorXd before, kicked, work;                // p⁻ of touched dofs, their z at p*, and a buffer
    std::vector<double> pushed;                          // impulses on touched dofs
    std::vector<double> impulse;                         // of all dofs, a buffer
  };

  void factor(const System& system, double h);
  void touch(const model::ConstraintSet& constraints);
  void find_root(Part& part);
  void append(std::span<const model::RowEntry> row);
  static void find_change(Part& part, std::span<const double> p);
  void give(const System& system, Part& part, std::span<double> p);

  std::vector<Part> parts_;
  std::vector<int> part_of_dof_;  // that moves; −1: of none
  double factored_for_ = 0;       // h
  bool open_ = false;
  std::vector<double> inverse_mass_, kicked_, momenta_;
  model::ConstraintSet rows_;
  std::vector<Eigen::VectorXd> weight_;  // of a row, by part
};

}  // namespace ictus::dynamics
