#include <ictus/mechanics/frame/beam_frame.hpp>

#include <algorithm>
#include <deque>
#include <optional>

namespace ictus::mechanics {

namespace {

/// A member as a line walks through it.
struct Walk {
  std::size_t member;
  bool backwards;
};

/// Members laid end to end in one direction, each in one line.
class MemberLines {
 public:
  explicit MemberLines(const FrameProperties& frame) : frame_(frame), is_used_(frame.members.size()) {}

  math::Vec3 direction(Walk walk) const {
    const FrameMember& m = frame_.members[walk.member];
    const math::Vec3 along = (frame_.joints[m.end] - frame_.joints[m.start]).normalized();
    return walk.backwards ? math::Vec3(-along) : along;
  }

  std::vector<std::deque<Walk>> lines() {
    std::vector<std::deque<Walk>> result;
    for (std::size_t m = 0; m < frame_.members.size(); ++m) {
      if (is_used_[m]) continue;
      is_used_[m] = true;
      std::deque<Walk> line{{m, false}};
      while (const auto next = after(line.back())) line.push_back(*next);
      while (const auto next = after(turned(line.front()))) line.push_front(turned(*next));
      result.push_back(std::move(line));
    }
    return result;
  }

 private:
  static Walk turned(Walk walk) { return {walk.member, !walk.backwards}; }

  /// A member not yet taken that goes straight on.
  std::optional<Walk> after(Walk walk) {
    const FrameMember& here = frame_.members[walk.member];
    const std::size_t joint = walk.backwards ? here.start : here.end;
    for (std::size_t m = 0; m < frame_.members.size(); ++m) {
      const FrameMember& there = frame_.members[m];
      if (is_used_[m] || (there.start != joint && there.end != joint)) continue;
      const Walk next{m, there.end == joint};
      if (direction(walk).dot(direction(next)) < 1 - 1e-9) continue;
      is_used_[m] = true;
      return next;
    }
    return std::nullopt;
  }

  const FrameProperties& frame_;
  std::vector<bool> is_used_;
};

/// The components of a node, those along the axis nearest to the line before those across it: dofs that lines in
/// different directions treat alike have the same number.
std::vector<std::size_t> components_along(const math::Vec3& line, FrameKind kind) {
  Eigen::Index axis = 0;
  line.cwiseAbs().maxCoeff(&axis);
  const auto a = static_cast<std::size_t>(axis);
  if (kind == FrameKind::grillage) return {0, 1 + a, 2 - a};
  const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
  return {a, b, c, 3 + a, 3 + b, 3 + c};
}

}  // namespace

std::vector<DofLine> BeamFrame::lines() const {
  std::vector<DofLine> result;
  std::vector<bool> is_placed(nodes_.size());
  MemberLines lines(properties_);
  for (const std::deque<Walk>& line : lines.lines()) {
    const std::vector<std::size_t> components = components_along(lines.direction(line.front()), properties_.kind);
    auto& [dofs, names] = result.emplace_back();
    for (const auto& [member, backwards] : line) {
      const std::size_t elements = properties_.members[member].elements;
      for (std::size_t i = 0; i <= elements; ++i) {
        const std::size_t node = node_of(member, backwards ? elements - i : i);
        if (is_placed[node]) continue;
        is_placed[node] = true;
        for (const std::size_t c : components) dofs.push_back(c * nodes_.size() + node);
      }
    }
    if (!dofs.empty()) names.assign(components.begin(), components.end());
  }
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    if (is_placed[node]) continue;
    auto& [dofs, names] = result.emplace_back();
    for (std::size_t c = 0; c < dofs_per_node(); ++c) {
      dofs.push_back(c * nodes_.size() + node);
      names.push_back(static_cast<int>(c));
    }
  }
  return result;
}

}  // namespace ictus::mechanics
