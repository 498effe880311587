#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/integrator.hpp>
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

 private:
  std::size_t own_first_dof() const;
  /// The body as the scheme of the scene steps it.
  dynamics::BodyPtr among_others(std::unique_ptr<const mechanics::GeneralisedBody> body) const;
};

/// The body that a program brings under that name, a mistake where it brings none; `type` is that of the scene.
dynamics::BodyPtr make_own(const Own& own, const std::string& name, std::string_view type, std::size_t dof,
                           Mistakes& mistakes);

/// Whether the body has generalised coordinates.
bool is_generalised(const scene::Body& body);
bool has_generalised(const scene::Scene& scene);
/// Whether it has contacts of its own, with its surroundings: all of them but point masses.
bool has_own_coordinates(const scene::Body& body);
/// Whether a contact of the scene is about a body with generalised coordinates and something that the schemes for
/// these alone do not let it meet: they know its surroundings, and planes of point masses.
bool others_meet_coordinates(const scene::Scene& scene);

/// What a scheme for bodies of all families cannot honour of the contacts that are part of bodies, and of their
/// damping.
void check_own_contacts(const scene::Scene& scene, const std::vector<contact::ContactPair>& pairs,
                        const dynamics::Integrator& integrator, Mistakes& mistakes);

/// The pair of contact `index` of the scene, one of whose bodies has generalised coordinates, for the schemes of these
/// alone: they let point masses meet planes.
contact::ContactPair generalised_pair(const scene::Scene& scene, std::size_t index, const mechanics::Body& first,
                                      const mechanics::Body& second, Mistakes& mistakes);

/// Appends the contacts that are part of a body: the wall of a pendulum, the incline of a slider, the pole of a
/// woodpecker.
void add_own_pairs(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                   std::vector<contact::ContactPair>& pairs);

}  // namespace ictus::build
