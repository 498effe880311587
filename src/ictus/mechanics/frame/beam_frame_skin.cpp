// What bodies of other families touch of a frame: its members with their sections.
#include <ictus/mechanics/frame/beam_frame.hpp>

#include <algorithm>
#include <cmath>
#include <ictus/mechanics/body/mesh_surface.hpp>
#include <ictus/mechanics/body/prism_skin.hpp>
#include <ictus/mechanics/frame/beam_frame_layout.hpp>
#include <numbers>

namespace ictus::mechanics {

using math::Vec3;
using model::SurfaceMesh;

namespace {

/// Corners of a round section that stands beside others of other sizes.
constexpr std::size_t round_corners = 8;

/// Corners of a section from its axis, in space; the axis itself where it has no size.
std::vector<Vec3> section_corners(const model::Section& section, const Eigen::Matrix3d& axes) {
  const double w = section.width / 2, h = section.height / 2;
  const Vec3 across = axes.row(1), up = axes.row(2);
  if (w == 0 && h == 0) return {Vec3::Zero()};
  if (!section.round) return {-w * across - h * up, w * across - h * up, w * across + h * up, -w * across + h * up};
  std::vector<Vec3> corners;
  for (std::size_t i = 0; i < round_corners; ++i) {
    const double angle = 2 * std::numbers::pi * (static_cast<double>(i) + 0.5) / round_corners;
    corners.push_back(w * (std::cos(angle) * across + std::sin(angle) * up));
  }
  return corners;
}

/// The radius of all members where they are round and of one size, else 0.
double common_radius(const FrameProperties& frame) {
  const double width = frame.members.front().section.width;
  const bool same = std::all_of(frame.members.begin(), frame.members.end(), [&](const FrameMember& member) {
    return member.section.round && member.section.width == width;
  });
  return same ? width / 2 : 0;
}

}  // namespace

/// How a point of a section moves with its node: displacement and turn × lever, as linear theory has it.
std::vector<SurfaceMesh::Guide> BeamFrame::guides(std::size_t node, const Vec3& lever) const {
  std::vector<SurfaceMesh::Guide> result;
  for (std::size_t c = 0; c < dofs_per_node(); ++c) {
    const Momentum unit = momentum_of(c, node, 1);  // a momentum has the direction of its dof
    const Vec3 turn = unit.angular - nodes_[node].cross(unit.linear);
    const Vec3 along = unit.linear + turn.cross(lever);
    if (along != Vec3::Zero()) result.push_back({dof(node, c), along});
  }
  return result;
}

const model::Surface& BeamFrame::skin() const {
  if (skin_) return *skin_;
  std::vector<SurfaceMesh::Triangle> triangles;
  std::vector<Vec3> rest;
  std::vector<std::vector<SurfaceMesh::Guide>> guides;
  const double radius = common_radius(properties_);
  for (std::size_t m = 0; m < properties_.members.size(); ++m) {
    const FrameMember& member = properties_.members[m];
    const auto first = static_cast<int>(rest.size());
    const std::vector<Vec3> corners = radius > 0 ? std::vector<Vec3>{Vec3::Zero()}
                                                 : section_corners(member.section, member_axes(properties_, member));
    for (std::size_t i = 0; i <= member.elements; ++i) {
      for (const Vec3& lever : corners) {
        rest.push_back(nodes_[node_of(m, i)] + lever);
        guides.push_back(this->guides(node_of(m, i), lever));
      }
    }
    add_prism(first, member.elements + 1, corners.size(), triangles);
  }
  skin_ = std::make_unique<MeshSurface>(SurfaceMesh(std::move(triangles), std::move(rest), guides, radius, 0));
  return *skin_;
}

}  // namespace ictus::mechanics
