#include <ictus/dynamics/scheme/newton_cone.hpp>

#include <algorithm>
#include <limits>

namespace ictus::dynamics {

namespace {

/// Share of what is in sight that is no gap but rounding.
constexpr double closed_share = 1e-8;

}  // namespace

void NewtonCone::respond(const Contact& contact, StepReport& report) {
  hold_and_sweep(contact, report);
  for (std::size_t a = 0; a < active_.size(); ++a) {
    const auto i = static_cast<std::size_t>(active_[a]);
    const ContactRecord::Push push{sweeps_.lambda()[a], sweeps_.tangential()[a]};
    const auto [taken, rubbed] = contact.taken_by(i, push);
    record(contact, i, push, model::Loss::restitution, taken, rubbed, report);
  }
}

/// Rigid bodies on planes, whose gap has a sign, bounce once it has closed, as they do where all bodies are rigid.
bool NewtonCone::waits(const Contact& contact, std::size_t i, std::size_t a) const {
  const contact::ContactPair& pair = contact.pair(i);
  const bool bounces = pair.restitution.value_or(0) > 0 || pair.tangential_restitution > 0;
  return bounces && pair.rigid && pair.with_obstacle() && lasting_.explained(a) == 0 &&
         contact.constraints.gap(i) >
             closed_share * contact.sight[static_cast<std::size_t>(contact.constraints.contact(i).pair)];
}

bool NewtonCone::let_bounce(const Contact& contact, std::size_t a, double share) {
  const auto i = static_cast<std::size_t>(active_[a]);
  const contact::ContactPair& pair = contact.pair(i);
  if (waits(contact, i, a)) {
    laws_[a].offset = std::numeric_limits<double>::infinity();
    return false;
  }
  const bool bounces = bounce_at_node(contact, a, share * pair.restitution.value_or(0));
  const double back = share * pair.tangential_restitution;
  if (back == 0 || !contact.constraints.has_tangents(i) || (!bounces && lasting_.explained(a) > 0)) return bounces;
  // An impact without restitution ends at once, too: what surfaces would leave of it to the step that closes their gap
  // would rub the rebound away.
  if (!bounces) {
    laws_[a].offset = std::min(0.0, reversed_at_node(contact, contact.constraints.row(i), 0));
    laws_[a].only_closing = true;
  }
  for (std::size_t k = 0; k < 2; ++k)
    laws_[a].tangential_offset[k] = reversed_at_node(contact, contact.constraints.tangent(i, k), back);
  return true;
}

}  // namespace ictus::dynamics
