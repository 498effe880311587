#include <ictus/dynamics/cd_lagrange.hpp>

namespace ictus::dynamics {

void CdLagrange::respond(const Contact& contact, StepReport& report) {
  active_.clear();
  for (std::size_t i = 0; i < contact.constraints.size(); ++i) {
    if (contact.constraints.gap(i) <= 0) active_.push_back(static_cast<int>(i));
  }
  if (active_.empty()) return;
  offset_.assign(active_.size(), 0.0);
  const solve::LcpReport solved =
      response_.apply(contact.constraints, active_, contact.system.inverse_mass(), offset_, contact.state.p);
  report.iterations = solved.iterations;
  if (!solved.solved()) ++report.fallbacks;
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const double lambda = response_.lambda()[a];
    record(contact, i, lambda, model::Loss::impact, 0.5 * lambda * (0.0 - contact.rate_now(i) - contact.rate_before(i)),
           report);
  }
}

}  // namespace ictus::dynamics
