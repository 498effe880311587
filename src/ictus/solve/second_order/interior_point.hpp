#pragma once

#include <ictus/solve/cone/cone_problem.hpp>
#include <ictus/solve/cone/cone_report.hpp>
#include <span>

namespace ictus::solve {

/// Interior point method for Coulomb's law itself [eq. contact-solvers-15]: some ten to thirty sparse factorisations to
/// 1e-8, without use of a guess. On entry report.error is that of `reactions`, which are replaced only by better ones.
/// Ends with ConeStatus::stalled where steps become short. Allocates.
void solve_by_interior_point(const BlockProblem& problem, const ConeOptions& options, std::span<double> reactions,
                             ConeReport& report);

}  // namespace ictus::solve
