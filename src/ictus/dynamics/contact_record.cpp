#include <algorithm>
#include <cmath>
#include <ictus/dynamics/contact_record.hpp>

namespace ictus::dynamics {

void ContactRecord::add(const System& system, const model::ConstraintSet& constraints, std::size_t i, double time,
                        const Push& push, model::Loss name, double lost, double lost_to_friction, StepReport& report) {
  const auto& place = constraints.place(i);
  if (constraints.onset(i) == model::ConstraintSet::Onset::ahead && push.normal != 0) {
    SurfacePush sum{time, place.pair, place.point, place.normal, push.normal};
    if (push.tangential != std::array{0.0, 0.0}) {
      const auto tangents = model::tangent_basis(place.normal);
      sum.tangential = push.tangential[0] * tangents[0] + push.tangential[1] * tangents[1];
    }
    sum.lost = lost;
    sum.lost_to_friction = lost_to_friction;
    return add(system, sum, name, report);
  }
  report.lost[model::Loss::friction] += lost_to_friction;
  add(system, place, time, push.normal, name, lost, report);
}

void ContactRecord::add(const System& system, const model::ConstraintSet::Place& place, double time, double lambda,
                        model::Loss name, double lost, StepReport& report) {
  report.lost[name] += lost;
  if (lambda == 0) return;
  ++report.contacts;
  impulses_.push_back({time, place.pair, place.point, place.normal, lambda, 0.0, lost});
  add_from_obstacle(system, place.pair, place.point, lambda * place.normal, report);
}

void ContactRecord::add(const System& system, const SurfacePush& push, model::Loss name, StepReport& report) {
  report.lost[name] += push.lost;
  report.lost[model::Loss::friction] += push.lost_to_friction;
  ++report.contacts;
  add_to_surface({push.time, push.pair, push.point, push.normal, push.normal_impulse, push.tangential.norm(),
                  push.lost + push.lost_to_friction, push.split});
  add_from_obstacle(system, push.pair, push.point, push.normal_impulse * push.normal + push.tangential, report);
}

/// `push` is what the second body of the pair gets.
void ContactRecord::add_from_obstacle(const System& system, int pair_number, const math::Vec3& point,
                                      const math::Vec3& push, StepReport& report) {
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(pair_number)];
  if (!pair.with_obstacle()) return;
  const math::Vec3 given = pair.second_surface->plane() ? math::Vec3(-push) : push;
  report.external_impulse += {given, point.cross(given)};
}

void ContactRecord::add_to_surface(const Impulse& impulse) {
  auto sum = std::find_if(sums_.rbegin(), sums_.rend(), [&](const Impulse& s) { return s.pair == impulse.pair; });
  if (sum == sums_.rend()) {
    sums_.push_back({impulse.time, impulse.pair});
    sum = sums_.rbegin();
  }
  sum->point += impulse.normal_impulse * impulse.point;
  sum->normal += impulse.normal_impulse * impulse.normal;
  sum->normal_impulse += impulse.normal_impulse;
  sum->tangential_impulse += impulse.tangential_impulse;
  sum->energy_lost += impulse.energy_lost;
  if (!impulse.split) return;
  if (!sum->split) sum->split.emplace();
  sum->split->normal += impulse.split->normal;
  sum->split->slide += impulse.split->slide;
  sum->split->rigid += impulse.split->rigid;
  sum->split->shape += impulse.split->shape;
}

std::span<const Impulse> ContactRecord::impulses() {
  for (Impulse& sum : sums_) {
    sum.point /= sum.normal_impulse;
    sum.normal.normalize();
    impulses_.push_back(sum);
  }
  sums_.clear();
  return impulses_;
}

}  // namespace ictus::dynamics
