#pragma once

#include <ictus/dynamics/system/integrator.hpp>
#include <ictus/mechanics/generalised/point_mass.hpp>
#include <ictus/mechanics/generalised/slider.hpp>
#include <ictus/mechanics/generalised/spring_pendulum.hpp>
#include <ictus/mechanics/generalised/woodpecker.hpp>
#include <ictus/mechanics/obstacle/obstacle.hpp>
#include <numbers>

#include "support/started.hpp"

namespace ictus::testing {

/// Restitution and friction of a toy's contact.
struct ToyLaw {
  double restitution = 0;
  double friction = 0;
  std::optional<double> friction_across = {};
  double tangential_restitution = 0;
};

inline contact::ContactPair toy_pair(const mechanics::GeneralisedBody& body, std::size_t point, const ToyLaw& law) {
  contact::ContactPair pair{body.name(),     "surroundings", &body.surface(), &body.surroundings(),
                            law.restitution, law.friction,   point,           point};
  pair.friction_across = law.friction_across;
  pair.tangential_restitution = law.tangential_restitution;
  return pair;
}

/// A system of one body, its contacts each with its law.
inline dynamics::System toy_system(std::unique_ptr<const mechanics::GeneralisedBody> body,
                                   const std::vector<ToyLaw>& laws) {
  std::vector<contact::ContactPair> pairs;
  for (std::size_t i = 0; i < laws.size(); ++i) pairs.push_back(toy_pair(*body, i, laws[i]));
  std::vector<dynamics::BodyPtr> bodies;
  bodies.push_back(std::move(body));
  return {std::move(bodies), std::move(pairs), exec::Executor(1)};
}

/// The pendulum of capobianco-2018.
inline mechanics::SpringPendulumProperties paper_pendulum() {
  mechanics::SpringPendulumProperties p;
  p.formula = {1.0, 100.0, 1.0, {0, 0, -9.81}};
  p.coordinates = {1.1, std::numbers::pi / 4};
  return p;
}

inline dynamics::System pendulum(const mechanics::SpringPendulumProperties& p = paper_pendulum(),
                                 const ToyLaw& law = {.restitution = 1}) {
  return toy_system(std::make_unique<mechanics::SpringPendulum>("pendulum", p, 0), {law});
}

/// A mass at height h0 above the plane z = 0.
inline dynamics::System ball(double height, const math::Vec3& velocity, const ToyLaw& law, double gravity = 9.81) {
  mechanics::PointMassProperties p;
  p.mass = 1;
  p.position = {0, 0, height};
  p.velocity = velocity;
  p.gravity = {0, 0, -gravity};
  p.obstacles = {{{{0, 0, 0}, {0, 0, 1}}, {1, 0, 0}, {0, 1, 0}}};
  return toy_system(std::make_unique<mechanics::PointMass>("ball", p, 0), {law});
}

inline dynamics::System slider(double slope, const math::Vec3& position, const math::Vec3& velocity,
                               const ToyLaw& law) {
  mechanics::SliderProperties p;
  p.mass = 1;
  p.slope = slope;
  p.gravity = {0, 0, -9.81};
  p.position = position;
  p.velocity = velocity;
  return toy_system(std::make_unique<mechanics::Slider>("block", p, 0), {law});
}

/// The toy of Leine, Glocker and van Campen (2001) near its limit cycle.
inline dynamics::System woodpecker() {
  mechanics::WoodpeckerProperties p;
  p.coordinates = {0, -0.1036, -0.2788};
  p.rates = {-0.3411, 0, -7.4583};
  return toy_system(std::make_unique<mechanics::Woodpecker>("woodpecker", p, 0), {{0.5, 0.3}, {0.0, 0.3}, {0.0, 0.3}});
}

}  // namespace ictus::testing
