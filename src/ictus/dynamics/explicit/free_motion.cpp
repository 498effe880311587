#include <ictus/dynamics/explicit/free_motion.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>

namespace ictus::dynamics {

namespace {

mechanics::Momentum momentum(const std::array<double, 3>& linear, const std::array<double, 3>& angular) {
  return {math::Vec3::Map(linear.data()), math::Vec3::Map(angular.data())};
}

}  // namespace

std::vector<std::string> FreeMotion::obstacles(const System& system) {
  std::vector<std::string> found;
  const auto refuse = [&](bool is_there, const char* what) {
    if (is_there) found.emplace_back(what);
  };
  refuse(!system.pairs().empty(), "contacts");
  refuse(!system.loads().empty(), "loads");
  refuse(!system.forces().empty(), "forces of one's own");
  refuse(system.damped(), "damping");
  refuse(!system.joints().empty(), "joints");
  refuse(system.ties().size() > 0, "ties");
  refuse(!system.driven().empty(), "supports that move");
  refuse(!system.implicit_bodies().empty(), "implicit bodies");
  refuse(!system.rest().q.empty(), "a start at rest");
  for (const BodyPtr& body : system.bodies()) {
    if (body->dofs().size == 0) continue;
    const mechanics::NodalBody* nodal = body->nodal();
    const std::string why = nodal ? nodal->free_steps_obstacle() : "its kind of body";
    if (!why.empty()) found.push_back(fmt::format("{} ({})", body->name(), why));
  }
  return found;
}

void FreeMotion::prepare(const System& system) {
  moving_.clear();
  const auto bodies = system.nodal_bodies();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies[i]->dofs().size > 0) moving_.push_back({i, bodies[i]->free_steps(system.exec())});
  }
  q_.clear();
}

StepReport FreeMotion::run(const System& system, double h, std::int64_t steps, model::State& state, double& work,
                           std::span<mechanics::Momentum> supports) {
  StepReport report;
  const bool is_where_it_was = state.q == q_ && state.p == p_;
  for (const Moving& moving : moving_) {
    const mechanics::Range dofs = system.nodal_bodies()[moving.body]->dofs();
    if (!is_where_it_was)
      moving.steps->set(std::span(state.q).subspan(dofs.begin, dofs.size),
                        std::span(state.p).subspan(dofs.begin, dofs.size), h);
    moving.steps->run(h, steps);
  }
  for (const Moving& moving : moving_) {
    const mechanics::Range dofs = system.nodal_bodies()[moving.body]->dofs();
    const exec::FreeSums sums = moving.steps->get(std::span(state.q).subspan(dofs.begin, dofs.size),
                                                  std::span(state.p).subspan(dofs.begin, dofs.size));
    work += sums.work;
    const mechanics::Momentum held = momentum(sums.held, sums.held_moment);
    supports[moving.body] += held;
    report.external_impulse += held;
    report.external_impulse += momentum(sums.gravity, sums.gravity_moment);
  }
  state.step += steps;
  state.time = static_cast<double>(state.step) * h;
  q_ = state.q;
  p_ = state.p;
  report.supports = supports;
  return report;
}

}  // namespace ictus::dynamics
