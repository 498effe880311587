#include <ictus/dynamics/newton_impact.hpp>

namespace ictus::dynamics {

void NewtonImpact::respond(const Contact& contact, StepReport& report) {
  active_.clear();
  offset_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    if (contact.constraints.gap(i) > 0) continue;
    active_.push_back(static_cast<int>(i));
    offset_.push_back(restitution(contact.pair(i)) * contact.rate_before(i));
  }
  if (active_.empty()) return;
  const solve::LcpReport solved =
      response_.apply(contact.constraints, active_, contact.system.inverse_mass(), offset_, contact.state.p);
  report.iterations = solved.iterations;
  if (!solved.solved()) ++report.fallbacks;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const double lambda = response_.lambda()[a];
    const double lost = 0.5 * lambda * (0.0 - contact.rate_now(i) - contact.rate_before(i));
    record(contact, i, lambda, loss(), lost, report);
  }
}

}  // namespace ictus::dynamics
