#pragma once

#include <ictus/exec/executor.hpp>
#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/cone_report.hpp>
#include <ictus/solve/cone/projected_gradient.hpp>
#include <ictus/solve/cone/rigid_contacts.hpp>
#include <ictus/solve/sweeps/sweep_workspace.hpp>
#include <span>
#include <vector>

namespace ictus::solve {

/// Solves frictional contact problems by the method of its options. Keeps its memory: once warm, the iterative methods
/// allocate nothing. The answer has the same bits on any number of threads.
class ConeSolver {
 public:
  /// Throws base::InputError for options out of range.
  explicit ConeSolver(const ConeOptions& options = {}, exec::Executor executor = exec::Executor());

  const ConeOptions& options() const { return options_; }

  /// `reactions`: three for each contact, on entry a guess (zeros where there is none), on exit the answer; check the
  /// report's status.
  ConeReport solve(const BlockProblem& problem, std::span<double> reactions);
  /// The same for rigid bodies; contacts in the caller's order. `velocities`, one for each body, receive those after
  /// the reactions. `moments`: three for each contact likewise (N m s), or nothing where no contact bears any; only
  /// sweeps know them.
  ConeReport solve(const RigidContacts& problem, std::span<double> reactions, std::span<RigidVelocity> velocities,
                   std::span<double> moments = {});

 private:
  template <ConeForm Form>
  ConeReport run(const Form& form);
  template <ConeForm Form>
  void enumerate(const Form& form, std::span<double> state, ConeReport& report);
  template <ConeForm Form>
  void factorise(const Form& form, ConeMethod method, const ConeOptions& options, std::span<double> state,
                 ConeReport& report);
  template <ConeForm Form>
  void sweep_with_help(const Form& form, std::span<double> state, ConeReport& report);
  template <ConeForm Form>
  void try_interior_point(const Form& form, std::span<double> state, ConeReport& report);
  template <ConeForm Form>
  void refine(const Form& form, std::span<double> state, ConeReport& report);

  ConeOptions options_;
  exec::Executor executor_;
  std::vector<double> state_;
  SweepWorkspace sweeps_;
  GradientWorkspace gradient_;
};

}  // namespace ictus::solve
