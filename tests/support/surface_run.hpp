#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/dynamics/system/integrator.hpp>

#include "support/spring_mesh.hpp"

namespace ictus::testing {

/// What a run of bodies with surfaces amounted to, each error over the initial energy, momentum, or momentum times
/// size.
struct SurfaceRun {
  double energy_error = 0;  ///< max |E/E0 − 1|
  double final_error = 0;   ///< E/E0 − 1 at the end
  double residual = 0;      ///< max of the ledger's
  double linear_drift = 0;
  double angular_drift = 0;
  double largest_gain = 0;  ///< max of E/E0 − 1, losses not added
  int crossings = 0;        ///< triangle pairs that intersect in audited states, all together
  int audits = 0;
  int contacts = 0;  ///< impulses
  int fallbacks = 0;
  model::Lost lost;
  model::State state;
};

using AfterSurfaceStep = std::function<void(const model::State&, const dynamics::StepReport&)>;

/// Runs `steps` steps of h, reading the ledger and auditing every `every` steps.
inline SurfaceRun run_surfaces(const dynamics::System& system, dynamics::Integrator& integrator, double h, int steps,
                               int every, const AfterSurfaceStep& after = {}) {
  SurfaceRun run;
  run.state = system.initial_state();
  integrator.prepare(system);
  const mechanics::Momentum initial = system.momentum(run.state.q, run.state.p);
  const double scale = system.momentum_scale(run.state.p);
  mechanics::Momentum from_outside = integrator.start(system, h, run.state).external_impulse;
  const double energy = integrator.energy(system, h, run.state).total();
  const contact::Skins skins(system.pairs());
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  for (int n = 1; n <= steps; ++n) {
    const dynamics::StepReport report = integrator.step(system, h, run.state);
    from_outside += report.external_impulse;
    run.lost += report.lost;
    run.contacts += report.contacts;
    run.fallbacks += report.fallbacks;
    if (after) after(run.state, report);
    if (n % every != 0) continue;
    run.final_error = integrator.energy(system, h, run.state).total() / energy - 1;
    run.energy_error = std::max(run.energy_error, std::abs(run.final_error));
    run.largest_gain = std::max(run.largest_gain, run.final_error);
    const double lost = run.lost.total() + integrator.quadrature(system, h, run.state);
    run.residual = std::max(run.residual, std::abs(run.final_error + lost / energy));
    const mechanics::Momentum now = system.momentum(run.state.q, run.state.p);
    run.linear_drift = std::max(run.linear_drift, (now.linear - initial.linear - from_outside.linear).norm() / scale);
    run.angular_drift =
        std::max(run.angular_drift, (now.angular - initial.angular - from_outside.angular).norm() / scale);
    audit.find(skins, run.state.q, crossings);
    run.crossings += static_cast<int>(crossings.size());
    crossings.clear();
    ++run.audits;
  }
  return run;
}

/// Two spheres of springs on their way into each other, off centre and spinning.
struct TwoSpheres {
  int level = 2;
  double speed = 1.0;
  double friction = 0;
  std::optional<double> restitution = std::nullopt;
  bool self_contact = false;
  bool hub = true;
  int threads = 1;
  double offset = 0.4;
  bool continuous = false;
  double gap = 0.1;
};

inline dynamics::System make(const TwoSpheres& options) {
  std::vector<dynamics::BodyPtr> bodies;
  SpringMeshProperties left;
  left.position = {-1 - options.gap / 2, -options.offset / 2, 0.1};
  left.velocity = {options.speed, 0, 0};
  left.spin = {0.1, 0.2, 0.5};
  left.stiffness = 200;
  left.hub = options.hub;
  SpringMeshProperties right = left;
  right.position = {1 + options.gap / 2, options.offset / 2, 0};
  right.velocity = {-0.5 * options.speed, 0, 0.1};
  right.spin = {0, -0.3, 0.4};
  auto first = std::make_unique<SpringMesh>("left", sphere(options.level, 0.3), left, 0);
  const std::size_t next = first->dofs().end();
  auto second = std::make_unique<SpringMesh>("right", sphere(options.level, 1.1), right, next);
  std::vector<contact::ContactPair> pairs;
  const auto add = [&](const SpringMesh& a, const SpringMesh& b) {
    contact::ContactPair pair{};
    pair.first = a.name(), pair.second = b.name();
    pair.first_surface = &a.surface(), pair.second_surface = &b.surface();
    pair.restitution = options.restitution;
    pair.friction = options.friction;
    pair.continuous = options.continuous;
    pairs.push_back(pair);
  };
  add(*first, *second);
  if (options.self_contact) add(*first, *first), add(*second, *second);
  bodies.push_back(std::move(first));
  bodies.push_back(std::move(second));
  return {std::move(bodies), std::move(pairs), exec::Executor(options.threads)};
}

}  // namespace ictus::testing
