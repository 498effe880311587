#include <ictus/build/contacts/surface_pairs.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/contact/detect/box_grid.hpp>
#include <ictus/contact/detect/skins.hpp>
#include <ictus/contact/detect/surface_detector.hpp>
#include <ictus/geometry/proximity/nearest_points.hpp>

namespace ictus::build {

using contact::Box;
using contact::ContactPair;
using contact::Skins;
using geometry::NearestPoints;
using geometry::TriangleCorners;
using math::Vec3;

namespace {

/// Of the usual thickness, below which surfaces are moved apart rather than given a thinner contact.
constexpr double thinnest = 0.25;
/// Directions that are tried to part two surfaces: more than the faces of anything simple.
constexpr std::size_t max_directions = 256;

/// What is known of two surfaces that are nearer than their thickness.
struct Closeness {
  NearestPoints nearest;
  std::size_t crossings = 0;            ///< pairs of triangles that pass through each other
  std::array<int, 2> first_crossing{};  ///< the first of them, numbered within the skins
  std::vector<Vec3> directions;         ///< along which the bodies may be parted

  bool any() const { return crossings > 0 || nearest.distance < std::numeric_limits<double>::infinity(); }
  void try_direction(const Vec3& n) {
    if (directions.size() >= max_directions || !(n.norm() > 0)) return;
    const Vec3 unit = n.normalized();
    const auto same = [&](const Vec3& other) { return std::abs(other.dot(unit)) > 1 - 1e-12; };
    if (std::none_of(directions.begin(), directions.end(), same)) directions.push_back(unit);
  }
};

/// Looks at every two triangles of different surfaces that are nearer than the thickness of their contact.
class StartSearch {
 public:
  StartSearch(const Skins& skins, std::span<const double> q) : skins_(skins), q_(q), found_(skins.laws().size()) {
    double size = 0, margin = 0;
    for (const Skins::Law& law : skins.laws()) margin = std::max(margin, law.thickness);
    std::vector<Box> boxes;
    for (std::size_t t = 0; t < skins.triangles().size(); ++t) {
      Box box = Box::nothing();
      for (const Vec3& x : corners(t)) box.include(x);
      size += (box.high - box.low).maxCoeff() / static_cast<double>(skins.triangles().size());
      boxes.push_back(box.grown(0.5 * margin));
    }
    contact::BoxGrid grid;
    grid.fill(boxes, skins.triangle_skin(), std::vector<char>(skins.skins().size(), 0), 1.5 * (size + margin));
    contact::BoxGrid::Hits hits;
    std::vector<int> near;
    for (std::size_t t = 0; t < boxes.size(); ++t) {
      grid.find(boxes[t], skins.triangle_skin()[t], static_cast<int>(t), hits, near);
      for (const int other : near) compare(t, static_cast<std::size_t>(other));
    }
  }

  const Closeness& of(std::size_t pair) const { return found_[pair]; }

 private:
  TriangleCorners corners(std::size_t t) const {
    TriangleCorners x;
    for (std::size_t k = 0; k < 3; ++k) {
      const int vertex = skins_.triangles()[t][k];
      x[k] = skins_.position(vertex, q_);
    }
    return x;
  }

  int within_skin(std::size_t t) const {
    const auto skin = static_cast<std::size_t>(skins_.triangle_skin()[t]);
    return static_cast<int>(t) - skins_.skins()[skin].first_triangle;
  }

  void compare(std::size_t t, std::size_t s) {
    const int pair = skins_.pair_of(skins_.triangle_skin()[t], skins_.triangle_skin()[s]);
    if (pair == Skins::none) return;
    const TriangleCorners a = corners(t), b = corners(s);
    Closeness& found = found_[static_cast<std::size_t>(pair)];
    const Skins::Law& law = skins_.laws()[static_cast<std::size_t>(pair)];
    NearestPoints nearest = geometry::nearest_points(a, b);
    // As it were if both were as thick as the thickest of their skins.
    nearest.distance += skins_.shortfall(skins_.triangles()[t][0]) + skins_.shortfall(skins_.triangles()[s][0]);
    if (geometry::triangles_cross(a, b)) {
      const bool in_order = skins_.triangle_skin()[t] == law.first;
      if (found.crossings++ == 0) found.first_crossing = {within_skin(in_order ? t : s), within_skin(in_order ? s : t)};
    } else if (!(nearest.distance < law.thickness * (1 - touching_share))) {
      return;
    }
    if (nearest.distance < found.nearest.distance) found.nearest = nearest;
    found.try_direction(nearest.between);
    found.try_direction((a[1] - a[0]).cross(a[2] - a[0]));
    found.try_direction((b[1] - b[0]).cross(b[2] - b[0]));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) found.try_direction((a[(i + 1) % 3] - a[i]).cross(b[(j + 1) % 3] - b[j]));
  }

  const Skins& skins_;
  std::span<const double> q_;
  std::vector<Closeness> found_;
};

/// How far two bodies are apart along a direction from the second to the first, negative where they overlap.
struct Parting {
  double gap = -std::numeric_limits<double>::infinity();
  Vec3 away = Vec3::UnitZ();
};

Box range_along(const model::SurfaceMesh& mesh, std::span<const double> q, const Vec3& n) {
  Box range = Box::nothing();
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 at = Vec3::Constant(n.dot(mesh.position(v, q)));
    range.include(Box{at, at}.grown(mesh.radius(v)));
  }
  return range;
}

Parting best_parting(const ContactPair& pair, const Closeness& found, std::span<const double> q) {
  Parting best;
  std::vector<Vec3> directions = found.directions;
  // What is round and lies in the middle of the other can go anywhere.
  if (directions.empty()) directions = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  for (const Vec3& n : directions) {
    const Box first = range_along(*pair.first_surface->mesh(), q, n),
              second = range_along(*pair.second_surface->mesh(), q, n);
    const double ahead = first.low[0] - second.high[0], behind = second.low[0] - first.high[0];
    if (ahead > best.gap) best = {ahead, n};
    if (behind > best.gap) best = {behind, -n};
  }
  return best;
}

double size_of(const ContactPair& pair, std::span<const double> q) {
  Box box = Box::nothing();
  for (const model::Surface* surface : {pair.first_surface, pair.second_surface}) {
    if (!surface->mesh()) continue;
    const model::SurfaceMesh& mesh = *surface->mesh();
    for (std::size_t v = 0; v < mesh.vertex_count(); ++v) box.include(mesh.position(v, q));
    box = box.grown(mesh.radius());
  }
  return (box.high - box.low).norm();
}

std::string position_in_words(const Vec3& at) {
  return fmt::format("at ({:.4g}, {:.4g}, {:.4g})", at.x(), at.y(), at.z());
}

void surfaces(ContactPair& pair, const Skins::Law& law, const Closeness& found, std::span<const double> q,
              Overlaps& overlaps) {
  if (!found.any()) return;
  const bool usual = !pair.thickness;
  const double least = usual ? law.radii + thinnest * (law.thickness - law.radii) : law.thickness;
  if (usual && found.crossings == 0 && found.nearest.distance >= least * (1 - touching_share)) {
    pair.thickness = std::max(found.nearest.distance - law.radii, 0.0);
    return;
  }
  const Parting parting = best_parting(pair, found, q);
  const bool apart = parting.gap >= -touching_share * size_of(pair, q);
  Overlap overlap{fmt::format("contacts.{}.between", pair.group),
                  static_cast<std::size_t>(pair.group),
                  pair.first,
                  pair.second,
                  parting.away,
                  least - law.radii - parting.gap,
                  usual && apart,
                  {}};
  if (found.crossings > 0 && !apart) {
    overlap.what =
        fmt::format("triangle {} of {} and triangle {} of {} intersect at the start ({} such pairs)",
                    found.first_crossing[0], pair.first, found.first_crossing[1], pair.second, found.crossings);
  } else if (usual && law.radii > 0) {
    overlap.what = fmt::format("{} and {} overlap at the start by {:.4g} m {}", pair.first, pair.second,
                               least - found.nearest.distance, position_in_words(found.nearest.at));
  } else {
    overlap.key = fmt::format("contacts.{}.gap", pair.group);
    overlap.what = fmt::format(
        "{} and {} are {:.4g} m apart at the start {}, less than the gap {:.4g} m of their "
        "contact; give a smaller gap",
        pair.first, pair.second, apart ? std::max(parting.gap, 0.0) : found.nearest.distance,
        position_in_words(found.nearest.at), law.thickness);
  }
  overlaps.push_back(std::move(overlap));
}

/// A surface on a plane: the vertex that is deepest below it.
void on_plane(const ContactPair& pair, std::span<const double> q, Overlaps& overlaps) {
  const bool first_is_plane = pair.first_surface->plane().has_value();
  const model::Plane plane = *(first_is_plane ? pair.first_surface : pair.second_surface)->plane();
  const model::SurfaceMesh& mesh = *(first_is_plane ? pair.second_surface : pair.first_surface)->mesh();
  double gap = std::numeric_limits<double>::infinity();
  Vec3 at = Vec3::Zero();
  for (std::size_t v = 0; v < mesh.vertex_count(); ++v) {
    const Vec3 x = mesh.position(v, q) - mesh.radius(v) * plane.normal;
    const double height = plane.normal.dot(x - plane.point);
    if (height < gap) gap = height, at = x;
  }
  const double rounding = touching_share * size_of(pair, q);
  if (gap > rounding) return;
  const std::string &body = first_is_plane ? pair.second : pair.first,
                    &name = first_is_plane ? pair.first : pair.second;
  overlaps.push_back({fmt::format("contacts.{}.between", pair.group), static_cast<std::size_t>(pair.group), body, name,
                      plane.normal, gap < -rounding ? -gap : 0, false,
                      fmt::format("{} and {} overlap at the start by {:g} m {}", pair.first, pair.second, -gap,
                                  position_in_words(at))});
}

/// A surface that touches itself, seen as the steps see it.
void check_itself(const std::vector<ContactPair>& pairs, std::span<const double> q, Overlaps& overlaps) {
  std::vector<ContactPair> own;
  for (const ContactPair& pair : pairs) {
    if (pair.first_surface == pair.second_surface && pair.first_surface->mesh()) own.push_back(pair);
  }
  contact::SurfaceDetector detector;
  detector.prepare(own);
  if (!detector.any()) return;
  contact::CrossingAudit audit;
  std::vector<contact::Crossing> crossings;
  audit.find(detector.skins(), q, crossings);
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto of_this = [&](const contact::Crossing& crossing) { return crossing.pair == static_cast<int>(k); };
    const auto first = std::find_if(crossings.begin(), crossings.end(), of_this);
    if (first == crossings.end()) continue;
    overlaps.push_back({fmt::format("contacts.{}.between", own[k].group), static_cast<std::size_t>(own[k].group),
                        own[k].first, own[k].second, Vec3::UnitZ(), detector.skins().laws()[k].thickness, false,
                        fmt::format("triangles {} and {} of {} intersect at the start ({} such pairs)",
                                    first->first_triangle, first->second_triangle, own[k].first,
                                    std::count_if(crossings.begin(), crossings.end(), of_this))});
  }
  if (!crossings.empty()) return;
  const std::vector<double> at_rest(q.size(), 0.0);
  model::ConstraintSet constraints;
  detector.detect(own, {q, at_rest, at_rest, 0.0}, constraints);
  std::vector<std::size_t> worst(own.size(), constraints.size());
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto pair = static_cast<std::size_t>(constraints.contact(i).pair);
    const double allowed = -touching_share * detector.skins().laws()[pair].edge;
    std::size_t& least = worst[pair];
    if (constraints.gap(i) < allowed && (least == constraints.size() || constraints.gap(i) < constraints.gap(least)))
      least = i;
  }
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (worst[k] == constraints.size()) continue;
    const double thickness = detector.skins().laws()[k].thickness;
    overlaps.push_back({fmt::format("contacts.{}.gap", own[k].group), static_cast<std::size_t>(own[k].group),
                        own[k].first, own[k].second, Vec3::UnitZ(), -constraints.gap(worst[k]), false,
                        fmt::format("{} is {:.4g} m from itself at the start {}, less than the gap {:.4g} m of "
                                    "its contact; give a smaller gap",
                                    own[k].first, constraints.gap(worst[k]) + thickness,
                                    position_in_words(constraints.contact(worst[k]).point), thickness)});
  }
}

}  // namespace

void find_overlaps(std::vector<ContactPair>& pairs, std::span<const double> q, Overlaps& overlaps) {
  const Skins skins(pairs);
  if (skins.skins().empty()) return;
  const StartSearch search(skins, q);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ContactPair& pair = pairs[i];
    const Skins::Law& law = skins.laws()[i];
    if (pair.first_surface == pair.second_surface || (law.first < 0 && law.second < 0)) continue;
    if (law.first >= 0 && law.second >= 0) {
      surfaces(pair, law, search.of(i), q, overlaps);
    } else if (pair.with_obstacle()) {
      on_plane(pair, q, overlaps);
    }
  }
  check_itself(pairs, q, overlaps);
}

}  // namespace ictus::build
