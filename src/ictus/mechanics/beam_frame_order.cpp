#include <algorithm>
#include <deque>
#include <ictus/mechanics/beam_frame.hpp>
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
  explicit MemberLines(const FrameProperties& frame) : frame_(frame), taken_(frame.members.size()) {}

  std::vector<std::deque<Walk>> lines() {
    std::vector<std::deque<Walk>> result;
    for (std::size_t m = 0; m < frame_.members.size(); ++m) {
      if (taken_[m]) continue;
      taken_[m] = true;
      std::deque<Walk> line{{m, false}};
      while (const auto next = after(line.back())) line.push_back(*next);
      while (const auto next = after(turned(line.front()))) line.push_front(turned(*next));
      result.push_back(std::move(line));
    }
    return result;
  }

 private:
  static Walk turned(Walk walk) { return {walk.member, !walk.backwards}; }

  math::Vec3 direction(Walk walk) const {
    const FrameMember& m = frame_.members[walk.member];
    const math::Vec3 along = (frame_.joints[m.end] - frame_.joints[m.start]).normalized();
    return walk.backwards ? math::Vec3(-along) : along;
  }

  /// A member not yet taken that goes straight on.
  std::optional<Walk> after(Walk walk) {
    const FrameMember& here = frame_.members[walk.member];
    const std::size_t joint = walk.backwards ? here.start : here.end;
    for (std::size_t m = 0; m < frame_.members.size(); ++m) {
      const FrameMember& there = frame_.members[m];
      if (taken_[m] || (there.start != joint && there.end != joint)) continue;
      const Walk next{m, there.end == joint};
      if (direction(walk).dot(direction(next)) < 1 - 1e-9) continue;
      taken_[m] = true;
      return next;
    }
    return std::nullopt;
  }

  const FrameProperties& frame_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<std::size_t> BeamFrame::line_order() const {
  std::vector<std::size_t> order;
  std::vector<bool> is_placed(nodes_.size());
  const auto place = [&](std::size_t node) {
    if (!is_placed[node]) order.push_back(node);
    is_placed[node] = true;
  };
  for (const std::deque<Walk>& line : MemberLines(properties_).lines()) {
    for (const auto& [member, backwards] : line) {
      const std::size_t elements = properties_.members[member].elements;
      for (std::size_t i = 0; i <= elements; ++i) place(node_of(member, backwards ? elements - i : i));
    }
  }
  for (std::size_t node = 0; node < nodes_.size(); ++node) place(node);
  std::vector<std::size_t> result;
  for (std::size_t c = 0; c < unknowns_per_node(); ++c) {
    for (const std::size_t node : order) result.push_back(c * nodes_.size() + node);
  }
  return result;
}

}  // namespace ictus::mechanics
