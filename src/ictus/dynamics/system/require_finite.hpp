#pragma once

#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/model/state.hpp>

namespace ictus::dynamics {

/// Throws base::NumericalFailure where a contact's gap or the momenta behind it are not finite: a run that has blown up
/// ends here, before a scheme makes sense of it.
void require_finite(const System& system, const model::ConstraintSet& constraints, const model::State& state);

}  // namespace ictus::dynamics
