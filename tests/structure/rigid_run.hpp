#pragma once

#include <ictus/dynamics/rigid/rigid_time_stepping.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>

// Rigid bodies on a floor, stepped without a scene.

namespace ictus::dynamics {

using mechanics::RigidBodies;
using mechanics::RigidProperties;
using mechanics::RigidStart;
using Vec = math::Vector3<double>;

inline RigidProperties properties(geometry::RigidShape shape, double mass, const Vec& gravity) {
  const geometry::VolumeProperties volume = geometry::volume_properties(shape);
  RigidProperties p;
  p.mass = mass;
  p.inertia = (mass / volume.volume) * Vec{volume.inertia.a.x, volume.inertia.b.y, volume.inertia.c.z};
  p.gravity = gravity;
  p.shape = std::move(shape);
  return p;
}

inline geometry::RigidShape box(double x, double y, double z) {
  return geometry::RigidShape::convex(geometry::box_polytope({x, y, z}));
}

struct Law {
  double restitution = 0;
  double friction = 0;
  std::optional<double> friction_across = std::nullopt;
  std::optional<math::Vec3> friction_direction = std::nullopt;
  double rolling = 0, spinning = 0;  // m
};

inline contact::ContactPair pair_of(const mechanics::Body& first, const mechanics::Body& second, const Law& law) {
  contact::ContactPair pair{first.name(),      second.name(),   &first.surface(),
                            &second.surface(), law.restitution, law.friction};
  pair.friction_across = law.friction_across;
  pair.friction_direction = law.friction_direction;
  pair.rolling_friction = law.rolling;
  pair.spinning_friction = law.spinning;
  return pair;
}

/// Bodies of one kind on a floor z = 0, all of which may touch.
inline System on_floor(RigidProperties p, std::vector<RigidStart> starts, const Law& law, int threads = 1) {
  std::vector<BodyPtr> bodies;
  bodies.push_back(std::make_unique<RigidBodies>("bodies", std::move(p), std::move(starts), 0));
  bodies.push_back(
      std::make_unique<mechanics::Obstacle>("floor", model::Plane{math::Vec3::Zero(), math::Vec3::UnitZ()}));
  std::vector<contact::ContactPair> pairs;
  for (const std::size_t second : {1, 0}) pairs.push_back(pair_of(*bodies[0], *bodies[second], law));
  return System(std::move(bodies), std::move(pairs), exec::Executor(threads));
}

struct RigidRun {
  const System& system;
  double h;
  RigidTimeStepping integrator;
  model::State state;
  model::Lost lost;
  mechanics::Momentum from_outside;
  int closings = 0, fallbacks = 0, sweeps = 0;

  RigidRun(const System& s, double step, RigidTimeStepping::Scheme scheme = RigidTimeStepping::Scheme::variational,
           double tolerance = 1e-10)
      : system(s),
        h(step),
        integrator(scheme, {.solver = {.tolerance = tolerance, .max_iterations = 20000, .min_iterations = 1}}) {
    state = system.initial_state();
    integrator.prepare(system);
    from_outside += integrator.start(system, h, state).external_impulse;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      const StepReport report = integrator.step(system, h, state);
      lost += report.lost;
      from_outside += report.external_impulse;
      closings += report.closings;
      fallbacks += report.fallbacks;
      sweeps += report.iterations;
    }
  }
  double energy() const { return integrator.energy(system, h, state).total(); }
  mechanics::Momentum momentum() const { return system.momentum(state.q, state.p); }
};

}  // namespace ictus::dynamics
