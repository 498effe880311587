#include <ictus/observe/impulse_map.hpp>
#include <ictus/observe/nearest_point.hpp>
#include <string_view>

namespace ictus::observe {

namespace {

/// Whether the impulses of a pair are always at the same points of its bodies: nodes that meet along a direction of
/// their own.
bool is_of_points(const contact::ContactPair& pair) { return pair.direction.has_value(); }

}  // namespace

void ImpulseMap::observe(const dynamics::System& system, const dynamics::StepReport& report) {
  const std::size_t begin = waiting_.size();
  latest_.resize(system.pairs().size());
  for (const dynamics::Impulse& impulse : report.impulses) {
    const auto pair = static_cast<std::size_t>(impulse.pair);
    if (latest_[pair] > begin && is_of_points(system.pairs()[pair])) {
      waiting_[latest_[pair] - 1] += impulse.normal_impulse;
      continue;
    }
    waiting_.push_back(impulse.pair);
    waiting_.insert(waiting_.end(), impulse.point.begin(), impulse.point.end());
    waiting_.push_back(impulse.normal_impulse);
    latest_[pair] = waiting_.size();
  }
}

void ImpulseMap::add_field(const dynamics::System& system, std::span<FramePart> parts) {
  std::size_t begin = 0;
  for (FramePart& part : parts) {
    const std::size_t count = part.frame.points.size(), end = begin + count;
    if (received_.size() < end) received_.resize(end);
    if (!part.unbounded && count > 0) {
      const NearestPoint nearest(part.frame.points);
      std::vector<std::size_t> known(system.pairs().size(), count);  // the nearest point of pairs that are points
      for (auto hit = waiting_.begin(); hit != waiting_.end(); hit += 5) {
        const auto number = static_cast<std::size_t>(hit[0]);
        if (known[number] == count) {
          const contact::ContactPair& pair = system.pairs()[number];
          if (pair.first != part.name && pair.second != part.name) continue;
          const std::size_t point = nearest.to({hit[1], hit[2], hit[3]});
          received_[begin + point] += hit[4];
          if (is_of_points(pair)) known[number] = point;
        } else {
          received_[begin + known[number]] += hit[4];
        }
      }
      part.frame.fields.push_back({"contact_impulse", 1, false, {&received_[begin], &received_[begin] + count}});
    }
    begin = end;
  }
  go_back(0);
}

void ImpulseMap::go_back(std::size_t waiting) {
  waiting_.resize(waiting);
  latest_.clear();
}

void ImpulseMap::exchange(Archive& archive) {
  archive.numbers("frames.impulses_waiting", waiting_, false);
  archive.numbers("frames.impulses_received", received_, false);
}

}  // namespace ictus::observe
