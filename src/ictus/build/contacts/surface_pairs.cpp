#include <ictus/build/contacts/surface_pairs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/contact/detect/surface_detector.hpp>
#include <set>

namespace ictus::build {

using contact::ContactPair;

namespace {

/// Approach in a step, in mean edges, up to which penetrations are recognised by their depth, and up to which surfaces
/// are followed through a step: beyond it they could be kept apart too, but would stop far from each other.
constexpr double max_approach = 0.5, max_followed = 2;

}  // namespace

void check_surface_pair(const ContactPair& pair, const std::string& key, Mistakes& mistakes) {
  const auto refuse = [&](const model::Surface& surface, const std::string& name, const std::string& other) {
    if (surface.mesh() || surface.plane()) return;
    mistakes.add(key + ".between",
                 fmt::format("{} has no surface that {} could meet; choose another integrator, such as capture-return",
                             name, other));
  };
  const auto is_point = [](const model::Surface& surface) {
    return surface.mesh() && surface.mesh()->mean_edge() == 0;
  };
  if (is_point(*pair.first_surface) && is_point(*pair.second_surface)) {
    mistakes.add(key + ".between", fmt::format("{} and {} are points, which have no size and never meet; give one of "
                                               "them a size, as a sphere",
                                               pair.first, pair.second));
  }
  refuse(*pair.first_surface, pair.first, pair.second);
  refuse(*pair.second_surface, pair.second, pair.first);
}

namespace {

/// The triangle of a skin that is farthest along a direction, numbered within the skin.
int foremost_triangle(const contact::Skins& skins, int skin, std::span<const double> q, const math::Vec3& direction) {
  const contact::Skins::Skin& of = skins.skins()[static_cast<std::size_t>(skin)];
  std::size_t foremost = 0;
  double farthest = -std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < of.mesh->vertex_count(); ++v) {
    const double along = direction.dot(of.mesh->position(v, q));
    if (along > farthest) farthest = along, foremost = v;
  }
  return skins.vertex_owner()[static_cast<std::size_t>(of.first_vertex) + foremost] - of.first_triangle;
}

/// For schemes whose first step begins before anything is known of contact: nothing may meet in it.
void check_first_step(const dynamics::System& system, double step, Mistakes& mistakes) {
  std::vector<ContactPair> pairs(system.pairs().begin(), system.pairs().end());
  for (ContactPair& pair : pairs) pair.continuous = true;
  contact::SurfaceDetector detector;
  detector.prepare(pairs);
  if (!detector.any()) return;
  const model::State state = system.initial_state();
  model::ConstraintSet constraints;
  detector.detect(pairs, {state.q, state.p, system.inverse_mass(), step}, constraints);
  const contact::Skins& skins = detector.skins();
  const auto named = [&](const ContactPair& pair, int triangle) {
    const auto& skin =
        skins.skins()[static_cast<std::size_t>(skins.triangle_skin()[static_cast<std::size_t>(triangle)])];
    return fmt::format("triangle {} of {}", triangle - skin.first_triangle,
                       pair.first_surface->mesh() == skin.mesh ? pair.first : pair.second);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto triangles = detector.meeting_of(static_cast<int>(i));
    if (!triangles) continue;
    mistakes.add("time.step",
                 fmt::format("{} and {} meet within the first step of {:g} s; use a smaller one, or let the "
                             "bodies begin farther apart",
                             named(pairs[i], (*triangles)[0]), named(pairs[i], (*triangles)[1]), step));
  }
}

}  // namespace

void check_approach(const dynamics::System& system, const dynamics::Integrator& integrator, double step,
                    Mistakes& mistakes) {
  const dynamics::Capabilities can = integrator.capabilities();
  const bool follows = can.surfaces == dynamics::SurfaceContact::followed;
  const double max_edges = follows ? max_followed : max_approach;
  const contact::Skins skins(system.pairs());
  const model::State state = system.initial_state();
  const auto velocity = [&](const model::SurfaceMesh& mesh, std::size_t v) {
    return mesh.velocity(v, state.q, state.p, system.inverse_mass());
  };
  const auto mean_velocity = [&](int skin) {
    math::Vec3 sum = math::Vec3::Zero();
    if (skin < 0) return sum;
    const model::SurfaceMesh& mesh = *skins.skins()[static_cast<std::size_t>(skin)].mesh;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) sum += velocity(mesh, v);
    return math::Vec3(sum / static_cast<double>(mesh.vertex_count()));
  };
  std::set<int> reported;
  const auto check_turning = [&](int skin, const std::string& name, double edge) {
    if (skin < 0 || reported.contains(skin)) return;
    const math::Vec3 mean = mean_velocity(skin);
    double fastest = 0;
    const model::SurfaceMesh& mesh = *skins.skins()[static_cast<std::size_t>(skin)].mesh;
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v)
      fastest = std::max(fastest, (velocity(mesh, v) - mean).norm());
    if (step * fastest <= max_edges * edge) return;
    reported.insert(skin);
    mistakes.add("time.step",
                 fmt::format("{} turns so fast that a vertex of it moves by {:.3g} mean edges in a step, and {:g} is "
                             "the most at which {} keeps surfaces apart; use a step below {:.3g} s",
                             name, step * fastest / edge, max_edges, integrator.name(), max_edges * edge / fastest));
  };
  for (std::size_t i = 0; i < skins.laws().size(); ++i) {
    const contact::Skins::Law& law = skins.laws()[i];
    const math::Vec3 relative = mean_velocity(law.second) - mean_velocity(law.first);
    const double approach = step * relative.norm();
    if (law.edge == 0) continue;
    const ContactPair& pair = system.pairs()[i];
    check_turning(law.first, pair.first, law.edge);
    if (law.second != law.first) check_turning(law.second, pair.second, law.edge);
    if (approach <= max_edges * law.edge) continue;
    const auto part = [&](int skin, const std::string& name, double side) {
      return skin < 0
                 ? name
                 : fmt::format("triangle {} of {}", foremost_triangle(skins, skin, state.q, side * relative), name);
    };
    mistakes.add(
        "time.step",
        fmt::format("{} and {} move by {:.3g} mean edges against each other in a step, and {:g} is the most at "
                    "which {} keeps them apart; use a step below {:.3g} s",
                    part(law.first, pair.first, -1), part(law.second, pair.second, 1), approach / law.edge, max_edges,
                    integrator.name(), step * max_edges * law.edge / approach));
  }
  if (follows && !can.meetings && mistakes.empty()) check_first_step(system, step, mistakes);
}

}  // namespace ictus::build
