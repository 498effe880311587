#include <ictus/dynamics/generalised/generalised_integrator.hpp>

namespace ictus::dynamics {

void GeneralisedIntegrator::prepare(const System& system) {
  members_ = generalised_members(system);
  record_.prepare(system.pairs().size());
}

StepReport GeneralisedIntegrator::start(const System& system, double, model::State& state) {
  lay_out_generalised_memory(system, state);
  return {};
}

StepReport GeneralisedIntegrator::step(const System&, double h, model::State& state) {
  StepReport report;
  record_.clear();
  for (GeneralisedMember& member : members_) step_body(member, h, state, report);
  ++state.step;
  state.time = static_cast<double>(state.step) * h;
  report.impulses = record_.impulses();
  return report;
}

}  // namespace ictus::dynamics
