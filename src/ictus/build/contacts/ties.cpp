#include <ictus/build/contacts/ties.hpp>

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <ictus/geometry/mesh/mortar.hpp>
#include <ictus/geometry/proximity/closest_points.hpp>
#include <ictus/mechanics/bar/bar.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <map>
#include <optional>
#include <set>

namespace ictus::build {

using math::Vec3;
using mechanics::NodalBody;
using model::RowEntry;

namespace {

/// Directions that differ by less (rad) are taken as equal.
constexpr double axis_tolerance = 1e-9;

/// What a dof of a node is in space.
struct NodeDof {
  bool rotation;
  Vec3 axis;
};

/// A body as ties see it.
struct TieBody {
  const NodalBody* body;
  std::vector<Vec3> nodes;
  std::vector<NodeDof> dofs;                                  ///< of every node
  std::vector<std::array<std::size_t, 2>> segments;           ///< nodes that an element joins
  std::span<const model::SurfaceMesh::Triangle> triangles{};  ///< between nodes, of bodies with a skin
  std::vector<std::array<int, 4>> faces{};                    ///< of bodies with a skin, as their elements have them

  /// Unknown c of a node, of the System.
  int dof(std::size_t node, std::size_t c) const {
    if (const auto* frame = body->beam_frame()) return frame->dof(node, c);
    if (const model::SurfaceMesh* skin = body->surface().mesh())
      return skin->dof(static_cast<int>(node)) + static_cast<int>(c);
    return static_cast<int>(body->dofs().begin + node);
  }
};

TieBody tie_body(const mechanics::BeamFrame& frame) {
  TieBody result{&frame, {frame.nodes().begin(), frame.nodes().end()}, {}, {}};
  if (frame.properties().kind == mechanics::FrameKind::grillage) {
    result.dofs = {{false, Vec3::UnitZ()}, {true, -Vec3::UnitY()}, {true, Vec3::UnitX()}};
  } else {
    for (const bool rotation : {false, true}) {
      for (int c = 0; c < 3; ++c) result.dofs.push_back({rotation, Vec3::Unit(c)});
    }
  }
  const auto& members = frame.properties().members;
  for (std::size_t m = 0; m < members.size(); ++m)
    for (std::size_t i = 0; i < members[m].elements; ++i)
      result.segments.push_back({frame.node_of(m, i), frame.node_of(m, i + 1)});
  return result;
}

TieBody tie_body(const mechanics::Bar& bar) {
  TieBody result{&bar, {}, {{false, bar.properties().direction}}, {}};
  for (std::size_t i = 0; i <= bar.properties().elements; ++i) {
    result.nodes.push_back(bar.properties().start +
                           static_cast<double>(i) * bar.element_length() * bar.properties().direction);
    if (i > 0) result.segments.push_back({i - 1, i});
  }
  return result;
}

/// Nodes are those of the skin; edges of it are segments.
TieBody tie_body(const NodalBody& body, const model::SurfaceMesh& skin) {
  TieBody result{&body, {}, {}, {}, skin.triangles()};
  for (int c = 0; c < 3; ++c) result.dofs.push_back({false, Vec3::Unit(c)});
  std::vector<double> q(body.dofs().end()), p(body.dofs().end());
  body.initialise(q, p);
  for (const int k : skin.dof()) result.nodes.push_back(model::vertex_at(q, k));
  for (const auto& [a, b] : skin.edges())
    result.segments.push_back({static_cast<std::size_t>(a), static_cast<std::size_t>(b)});
  if (const auto* solid = body.solid()) {
    std::map<int, int> vertex;
    for (std::size_t i = 0; i < skin.dof().size(); ++i) vertex[skin.dof()[i]] = static_cast<int>(i);
    for (geometry::OuterFace face : solid->faces()) {
      for (int& node : face) node = node < 0 ? -1 : vertex.at(static_cast<int>(body.dofs().begin) + 3 * node);
      result.faces.push_back(face);
    }
  } else {
    for (const auto& triangle : skin.triangles()) result.faces.push_back({triangle[0], triangle[1], triangle[2], -1});
  }
  return result;
}

std::string at(const Vec3& x) { return fmt::format("({:g}, {:g}, {:g})", x.x(), x.y(), x.z()); }

/// The nodes of the second body that carry one of the first, with their shares.
using Shares = std::vector<std::pair<std::size_t, double>>;

struct Nearest {
  std::size_t node = 0;
  double distance = std::numeric_limits<double>::infinity();
};

Nearest nearest_node(const TieBody& body, const Vec3& x) {
  Nearest best;
  for (std::size_t i = 0; i < body.nodes.size(); ++i) {
    const double distance = (body.nodes[i] - x).norm();
    if (distance < best.distance) best = {i, distance};
  }
  return best;
}

/// Within which nodes may lie on the body.
Eigen::AlignedBox3d box_around(const TieBody& body, double tolerance) {
  Eigen::AlignedBox3d box;
  for (const Vec3& x : body.nodes) box.extend(x);
  const Vec3 margin = Vec3::Constant(tolerance);
  return {box.min() - margin, box.max() + margin};
}

std::optional<Shares> carried_by(const TieBody& body, const Vec3& x, double tolerance) {
  const Nearest nearest = nearest_node(body, x);
  if (nearest.distance <= tolerance) return Shares{{nearest.node, 1.0}};
  for (const auto& [a, b] : body.segments) {
    const Vec3 along = body.nodes[b] - body.nodes[a];
    const double share = (x - body.nodes[a]).dot(along) / along.squaredNorm();
    if (share <= 0 || share >= 1 || (x - body.nodes[a] - share * along).norm() > tolerance) continue;
    return Shares{{a, 1 - share}, {b, share}};
  }
  for (const auto& triangle : body.triangles) {
    const auto corner = [&](std::size_t i) { return static_cast<std::size_t>(triangle[i]); };
    const geometry::TrianglePoint closest =
        geometry::closest_on_triangle(x, body.nodes[corner(0)], body.nodes[corner(1)], body.nodes[corner(2)]);
    Vec3 there = Vec3::Zero();
    Shares shares;
    for (std::size_t i = 0; i < 3; ++i) {
      there += closest.weights[i] * body.nodes[corner(i)];
      shares.emplace_back(corner(i), closest.weights[i]);
    }
    if ((there - x).norm() <= tolerance) return shares;
  }
  return std::nullopt;
}

class TieMaker {
 public:
  TieMaker(const std::vector<dynamics::BodyPtr>& bodies, Mistakes& mistakes) : bodies_(bodies), mistakes_(mistakes) {}

  void add(const scene::TieSpec& spec, const std::string& key) {
    if (spec.between[0] == spec.between[1])
      return mistakes_.add(key + ".between", fmt::format("{} cannot be tied to itself", spec.between[0]));
    const std::optional<TieBody> first = find(spec.between[0], key), second = find(spec.between[1], key);
    if (!first || !second) return;
    if (add_mortar(*first, *second, spec.tolerance, key)) return;
    std::size_t joined = 0;
    const Eigen::AlignedBox3d box = box_around(*second, spec.tolerance);
    for (std::size_t i = 0; i < first->nodes.size(); ++i) {
      if (!box.contains(first->nodes[i])) continue;
      const auto shares = carried_by(*second, first->nodes[i], spec.tolerance);
      if (!shares) continue;
      ++joined;
      if (shares->size() == 1 && !join(*first, i, *second, shares->front().first)) continue;
      if (!add_rows(*first, i, *second, *shares, key)) return;
    }
    if (joined == 0)
      report_apart(*first, *second, key);
    else
      report_near_misses(*first, *second, spec.tolerance, key);
  }

  model::ConstraintSet take() { return std::move(ties_); }

 private:
  std::optional<TieBody> find(const std::string& name, const std::string& key) {
    for (const dynamics::BodyPtr& body : bodies_) {
      if (body->name() != name) continue;
      if (const auto* frame = body->beam_frame()) return tie_body(*frame);
      if (const auto* bar = body->bar()) return tie_body(*bar);
      const auto* nodal = body->nodal();
      if (nodal && nodal->surface().mesh()) return tie_body(*nodal, *nodal->surface().mesh());
      mistakes_.add(key, fmt::format("{} cannot be tied; frames, bars, solids and shells can", name));
      return std::nullopt;
    }
    mistakes_.add(key + ".between", fmt::format("'{}' is no body; a tie is between two of them", name));
    return std::nullopt;
  }

  /// Whether every face of one body has one of the other on the same nodes.
  static bool match(const TieBody& first, std::span<const int> faces, const TieBody& second, double tolerance) {
    std::set<std::array<int, 4>> known;
    for (std::array<int, 4> face : second.faces) {
      std::sort(face.begin(), face.end());
      known.insert(face);
    }
    std::map<int, int> there;
    return std::all_of(faces.begin(), faces.end(), [&](int number) {
      std::array<int, 4> face = first.faces[static_cast<std::size_t>(number)];
      for (int& node : face) {
        if (node < 0) continue;
        auto found = there.find(node);
        if (found == there.end()) {
          const Nearest nearest = nearest_node(second, first.nodes[static_cast<std::size_t>(node)]);
          found = there.emplace(node, nearest.distance <= tolerance ? static_cast<int>(nearest.node) : -2).first;
        }
        node = found->second;
      }
      std::sort(face.begin(), face.end());
      return known.contains(face);
    });
  }

  /// Ties two skins that lie on each other with meshes that do not match; false where they match, or meet in nodes or
  /// edges at most. Rows belong to the nodes of the side that the other covers, of both the finer.
  bool add_mortar(const TieBody& first, const TieBody& second, double tolerance, const std::string& key) {
    if (first.faces.empty() || second.faces.empty()) return false;
    const geometry::FacedSurface one{first.nodes, first.faces}, other{second.nodes, second.faces};
    const geometry::Mortar of_first = geometry::mortar(one, other, tolerance);
    if (of_first.rows.empty() || match(first, of_first.faces, second, tolerance)) return false;
    const geometry::Mortar of_second = geometry::mortar(other, one, tolerance);
    const auto is_covered = [](const geometry::Mortar& side) { return side.common > (1 - 1e-6) * side.area; };
    const bool takes_first = is_covered(of_first) == is_covered(of_second)
                                 ? of_first.rows.size() >= of_second.rows.size()
                                 : is_covered(of_first);
    const TieBody &near = takes_first ? first : second, &far = takes_first ? second : first;
    for (const geometry::MortarRow& row : (takes_first ? of_first : of_second).rows) {
      const auto node = static_cast<std::size_t>(row.node);
      if (!hung_.insert(near.dof(node, 0)).second) continue;
      Shares shares;
      for (const auto& [there, share] : row.shares) shares.emplace_back(static_cast<std::size_t>(there), share);
      if (!add_rows(near, node, far, shares, key)) return true;
    }
    return true;
  }

  /// Notes that two nodes are one; false if earlier ties say so already.
  bool join(const TieBody& first, std::size_t a, const TieBody& second, std::size_t b) {
    const int ra = root(first.dof(a, 0)), rb = root(second.dof(b, 0));
    if (ra == rb) return false;
    parent_[ra] = rb;
    return true;
  }
  int root(int node) {
    const auto found = parent_.find(node);
    return found == parent_.end() ? node : root(found->second);
  }

  bool add_rows(const TieBody& first, std::size_t node, const TieBody& second, const Shares& shares,
                const std::string& key) {
    for (std::size_t c = 0; c < first.dofs.size(); ++c) {
      std::vector<RowEntry>& row = ties_.open_row();
      const std::size_t begin = row.size();
      row.push_back({first.dof(node, c), 1.0});
      for (std::size_t d = 0; d < second.dofs.size(); ++d) {
        const double along = first.dofs[c].axis.dot(second.dofs[d].axis);
        if (first.dofs[c].rotation != second.dofs[d].rotation || std::abs(along) < 1 - axis_tolerance) continue;
        for (const auto& [other, share] : shares) row.push_back({second.dof(other, d), along > 0 ? -share : share});
      }
      if (row.size() == begin + 1) {
        mistakes_.add(key, fmt::format("{} and {} do not move in the same ways at {}: their unknowns do not match",
                                       first.body->name(), second.body->name(), at(first.nodes[node])));
        row.pop_back();
        return false;
      }
      const auto held = [&](const RowEntry& entry) {
        return is_held(*first.body, entry) || is_held(*second.body, entry);
      };
      if (std::all_of(row.begin() + static_cast<std::ptrdiff_t>(begin), row.end(), held))
        row.resize(begin);
      else
        ties_.add(0.0, {-1, first.nodes[node], first.dofs[c].axis});
    }
    return true;
  }

  static bool is_held(const NodalBody& body, const RowEntry& entry) {
    const auto held = body.fixed();
    return std::find(held.begin(), held.end(), entry.dof) != held.end();
  }

  void report_apart(const TieBody& first, const TieBody& second, const std::string& key) {
    std::size_t best = 0;
    Nearest nearest;
    for (std::size_t i = 0; i < first.nodes.size(); ++i) {
      const Nearest candidate = nearest_node(second, first.nodes[i]);
      if (candidate.distance < nearest.distance) nearest = candidate, best = i;
    }
    mistakes_.add(
        key, fmt::format("no node of {} lies on {}; the nearest are at {} and {}, {:g} m apart", first.body->name(),
                         second.body->name(), at(first.nodes[best]), at(second.nodes[nearest.node]), nearest.distance));
  }

  /// A named node of a frame that lies near the other body but not on it was meant to.
  void report_near_misses(const TieBody& first, const TieBody& second, double tolerance, const std::string& key) {
    const auto* frame = first.body->beam_frame();
    if (!frame) return;
    double length = std::numeric_limits<double>::infinity();  // of the shortest element of both
    for (const TieBody* body : {&first, &second}) {
      for (const auto& [a, b] : body->segments) length = std::min(length, (body->nodes[a] - body->nodes[b]).norm());
    }
    for (std::size_t i = 0; i < frame->properties().joints.size(); ++i) {
      if (carried_by(second, first.nodes[i], tolerance)) continue;
      const Nearest nearest = nearest_node(second, first.nodes[i]);
      if (nearest.distance > 0.5 * length) continue;
      mistakes_.add(
          key, fmt::format("the node of {} at {} is near that of {} at {}, but {:g} m away: tie them by a larger "
                           "tolerance or move one of them",
                           first.body->name(), at(first.nodes[i]), second.body->name(), at(second.nodes[nearest.node]),
                           nearest.distance));
    }
  }

  const std::vector<dynamics::BodyPtr>& bodies_;
  Mistakes& mistakes_;
  model::ConstraintSet ties_;
  std::map<int, int> parent_;  // of nodes, known by their first dof
  std::set<int> hung_;         // nodes that hang on faces of others, by their first dof
};

}  // namespace

model::ConstraintSet make_ties(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                               Mistakes& mistakes) {
  TieMaker maker(bodies, mistakes);
  for (std::size_t i = 0; i < scene.ties.size(); ++i) maker.add(scene.ties[i], fmt::format("ties.{}", i));
  return maker.take();
}

}  // namespace ictus::build
