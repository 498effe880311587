#pragma once

#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/cone_report.hpp>
#include <span>

namespace ictus::solve {

/// Semismooth Newton on the fixed point of the proximal updates [eq. contact-solvers-11], with a sparse factorisation a
/// step and a line search; sweeps make the start and help where no step length lowers the residual. Where W is singular
/// a small shift of its diagonal picks one of the possible steps; the limit is a solution all the same, but quadratic
/// convergence is lost. Allocates.
void solve_by_newton(const BlockProblem& problem, const ConeOptions& options, std::span<double> reactions,
                     ConeReport& report);

}  // namespace ictus::solve
