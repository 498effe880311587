#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/mechanics/generalised/point_mass.hpp>
#include <ictus/scene/text/document.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// Makes a body with generalised coordinates, whose dofs begin at `dof`.
struct GeneralisedMaker {
  const scene::Scene& scene;
  const std::string& name;
  std::size_t dof;
  const Own& own;
  Mistakes& mistakes;

  dynamics::BodyPtr operator()(const scene::SpringPendulumSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::PointMassSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::SliderSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::WoodpeckerSpec& spec) const;
  dynamics::BodyPtr operator()(const scene::OwnSystemSpec& spec) const;
};

/// The body that a program brings under that name, a mistake where it brings none; `type` is that of the scene.
dynamics::BodyPtr make_own(const Own& own, const std::string& name, std::string_view type, std::size_t dof,
                           Mistakes& mistakes);

/// Whether the body has generalised coordinates.
bool is_generalised(const scene::Body& body);
bool has_generalised(const scene::Scene& scene);

/// The pair of contact `index` of the scene, one of whose bodies has generalised coordinates. Only point masses have
/// contacts that a scene tells, and only with planes.
contact::ContactPair generalised_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                      const mechanics::Body& second, Mistakes& mistakes);

/// Appends the contacts that are part of a body: the wall of a pendulum, the incline of a slider, the pole of a
/// woodpecker.
void add_own_pairs(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                   std::vector<contact::ContactPair>& pairs);

}  // namespace ictus::build
