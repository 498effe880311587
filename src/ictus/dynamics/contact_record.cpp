#include <ictus/dynamics/contact_record.hpp>

namespace ictus::dynamics {

void ContactRecord::add(const System& system, const model::ConstraintSet& constraints, std::size_t i, double time,
                        double lambda, model::Loss name, double lost, StepReport& report) {
  report.lost[name] += lost;
  if (lambda == 0) return;
  ++report.contacts;
  const auto& place = constraints.place(i);
  impulses_.push_back({time, place.pair, place.point, place.normal, lambda, 0.0, lost});
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(place.pair)];
  if (!pair.with_obstacle()) return;
  const math::Vec3 given = (pair.second_surface->plane() ? -lambda : lambda) * place.normal;
  report.external_impulse += {given, place.point.cross(given)};
}

}  // namespace ictus::dynamics
