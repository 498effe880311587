#include <fmt/format.h>

#include <algorithm>
#include <ictus/build/surface_pairs.hpp>
#include <ictus/contact/crossing_audit.hpp>
#include <ictus/contact/surface_detector.hpp>
#include <set>

namespace ictus::build {

using contact::ContactPair;
using dynamics::BodyPtr;
using Names = std::pair<std::string, std::string>;

namespace {

/// Approach in a step, in mean edges, beyond which a linear prediction of contact cannot be relied on.
constexpr double most_approach = 0.5;

Names sorted(const std::string& a, const std::string& b) { return {std::min(a, b), std::max(a, b)}; }

bool can_meet(const mechanics::Body& a, const mechanics::Body& b) {
  const auto touches = [](const mechanics::Body& body) { return body.surface().mesh() || body.surface().plane(); };
  return &a != &b && touches(a) && touches(b) && (a.surface().mesh() || b.surface().mesh());
}

std::string key_of(const ContactPair& pair, std::string_view name) {
  return fmt::format("contacts.{}.{}", pair.group, name);
}

}  // namespace

std::vector<Names> bodies_between(const scene::Scene& scene, std::size_t index, const std::vector<BodyPtr>& bodies) {
  const scene::ContactSpec& spec = scene.contacts[index];
  const auto& [first, second] = spec.between;
  const bool any = first == scene::any_body || second == scene::any_body;
  std::set<Names> taken;
  for (const scene::ContactSpec& other : scene.contacts) taken.insert(sorted(other.between[0], other.between[1]));
  std::vector<Names> pairs;
  // One name twice, without more, is that of many rigid bodies.
  if (!any && (first != second || !spec.self_contact)) pairs.emplace_back(first, second);
  for (std::size_t a = 0; any && a < bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < bodies.size(); ++b) {
      const std::string &one = bodies[a]->name(), &other = bodies[b]->name();
      const bool wanted = (first == scene::any_body && second == scene::any_body) || one == first || one == second ||
                          other == first || other == second;
      if (!wanted || !can_meet(*bodies[a], *bodies[b]) || taken.contains(sorted(one, other))) continue;
      pairs.emplace_back(one, other);
    }
  }
  for (const BodyPtr& body : bodies) {
    const bool named = any || body->name() == first || body->name() == second;
    if (spec.self_contact && named && (body->surface().mesh() || first == second))
      pairs.emplace_back(body->name(), body->name());
  }
  return pairs;
}

void check_surface_pair(const ContactPair& pair, const std::string& key, Mistakes& mistakes) {
  const auto refuse = [&](const model::Surface& surface, const std::string& name, const std::string& other) {
    if (surface.mesh() || surface.plane()) return;
    mistakes.add(
        key + ".between",
        fmt::format("{} has no surface that {} could meet; shells and solids meet each other and planes", name, other));
  };
  refuse(*pair.first_surface, pair.first, pair.second);
  refuse(*pair.second_surface, pair.second, pair.first);
}

void check_apart(const std::vector<ContactPair>& pairs, std::span<const double> q, Mistakes& mistakes) {
  if (!mistakes.empty()) return;
  contact::SurfaceDetector detector;
  detector.prepare(pairs);
  if (!detector.any()) return;
  const auto name_of = [&](const ContactPair& pair, int skin) -> const std::string& {
    const auto* mesh = detector.skins().skins()[static_cast<std::size_t>(skin)].mesh;
    return pair.first_surface->mesh() == mesh ? pair.first : pair.second;
  };
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  audit.find(detector.skins(), q, crossings);
  std::set<int> told;
  for (const contact::Crossing& crossing : crossings) {
    const ContactPair& pair = pairs[static_cast<std::size_t>(crossing.pair)];
    if (!told.insert(crossing.pair).second) continue;
    const auto count = std::count_if(crossings.begin(), crossings.end(),
                                     [&](const contact::Crossing& other) { return other.pair == crossing.pair; });
    mistakes.add(key_of(pair, "between"),
                 fmt::format("triangle {} of {} and triangle {} of {} intersect at the start ({} such pairs); move the "
                             "bodies apart",
                             crossing.first_triangle, name_of(pair, crossing.first_skin), crossing.second_triangle,
                             name_of(pair, crossing.second_skin), count));
  }
  const std::vector<double> at_rest(q.size(), 0.0);
  model::ConstraintSet constraints;
  detector.detect(pairs, {q, at_rest, at_rest, 0.0}, constraints);
  std::vector<std::size_t> worst(pairs.size(), constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    std::size_t& least = worst[static_cast<std::size_t>(constraints.place(i).pair)];
    if (constraints.gap(i) <= 0 && (least == constraints.size() || constraints.gap(i) < constraints.gap(least)))
      least = i;
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    if (worst[k] == constraints.size() || told.contains(static_cast<int>(k))) continue;
    const math::Vec3& at = constraints.place(worst[k]).point;
    const double thickness = detector.skins().laws()[k].thickness, gap = constraints.gap(worst[k]) + thickness;
    const std::string where = fmt::format("at ({:.4g}, {:.4g}, {:.4g})", at.x(), at.y(), at.z());
    if (pairs[k].with_obstacle()) {
      mistakes.add(key_of(pairs[k], "between"),
                   fmt::format("{} and {} overlap at the start by {:g} m {}; move them apart", pairs[k].first,
                               pairs[k].second, -gap, where));
    } else {
      mistakes.add(
          key_of(pairs[k], "thickness"),
          fmt::format("{} and {} are {:.4g} m apart at the start {}, less than the thickness {:.4g} m of their "
                      "contact; move them apart or give a smaller thickness",
                      pairs[k].first, pairs[k].second, gap, where, thickness));
    }
  }
}

void check_approach(const dynamics::System& system, double step, Mistakes& mistakes) {
  const contact::Skins skins(system.pairs());
  const model::State state = system.initial_state();
  const auto velocity = [&](const model::SurfaceMesh& mesh, std::size_t v) {
    const auto k = static_cast<std::size_t>(mesh.unknown()[v]);
    return math::Vec3(
        math::Vec3::Map(state.p.data() + k).cwiseProduct(math::Vec3::Map(system.inverse_mass().data() + k)));
  };
  for (std::size_t i = 0; i < skins.laws().size(); ++i) {
    const contact::Skins::Law& law = skins.laws()[i];
    math::Vec3 mean[2] = {math::Vec3::Zero(), math::Vec3::Zero()};
    double approach = 0;
    for (const int side : {0, 1}) {
      const int skin = side == 0 ? law.first : law.second;
      if (skin < 0) continue;
      const model::SurfaceMesh& mesh = *skins.skins()[static_cast<std::size_t>(skin)].mesh;
      for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
        mean[side] += velocity(mesh, v) / static_cast<double>(mesh.vertex_count());
      }
    }
    approach = step * (mean[1] - mean[0]).norm();
    if (law.edge == 0 || approach <= most_approach * law.edge) continue;
    const ContactPair& pair = system.pairs()[i];
    mistakes.add("time.step",
                 fmt::format("{} and {} approach each other by {:.3g} mean edges in a step, and {:g} is the "
                             "most at which contact is safe; use a step below {:.3g} s",
                             pair.first, pair.second, approach / law.edge, most_approach,
                             step * most_approach * law.edge / approach));
  }
}

}  // namespace ictus::build
