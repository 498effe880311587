#include <ictus/observe/impulse_map.hpp>
#include <ictus/observe/nearest_point.hpp>
#include <string_view>

namespace ictus::observe {

void ImpulseMap::observe(const dynamics::StepReport& report) {
  for (const dynamics::Impulse& impulse : report.impulses) {
    waiting_.push_back(impulse.pair);
    waiting_.insert(waiting_.end(), impulse.point.begin(), impulse.point.end());
    waiting_.push_back(impulse.normal_impulse);
  }
}

void ImpulseMap::add_field(const dynamics::System& system, std::span<FramePart> parts) {
  std::size_t begin = 0;
  for (FramePart& part : parts) {
    const std::size_t count = part.frame.points.size(), end = begin + count;
    if (received_.size() < end) received_.resize(end);
    if (!part.unbounded && count > 0) {
      const NearestPoint nearest(part.frame.points);
      for (auto hit = waiting_.begin(); hit != waiting_.end(); hit += 5) {
        const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(hit[0])];
        if (pair.first != part.name && pair.second != part.name) continue;
        received_[begin + nearest.to({hit[1], hit[2], hit[3]})] += hit[4];
      }
      part.frame.fields.push_back({"contact_impulse", 1, false, {&received_[begin], &received_[begin] + count}});
    }
    begin = end;
  }
  waiting_.clear();
}

void ImpulseMap::exchange(Archive& archive) {
  archive.numbers("frames.impulses_waiting", waiting_, false);
  archive.numbers("frames.impulses_received", received_, false);
}

}  // namespace ictus::observe
