#include <ictus/observe/frames/impulse_map.hpp>

#include <ictus/base/error.hpp>
#include <ictus/math/whole.hpp>
#include <ictus/observe/frames/nearest_point.hpp>
#include <string_view>

namespace ictus::observe {

namespace {

/// Numbers of an impulse that waits.
constexpr std::ptrdiff_t waiting_record = 5;

/// Whether the impulses of a pair are always at the same points of its bodies: nodes that meet along a direction of
/// their own.
bool is_of_points(const contact::ContactPair& pair) { return pair.direction.has_value(); }

}  // namespace

void ImpulseMap::observe(const dynamics::System& system, const dynamics::StepReport& report) {
  const std::size_t begin = waiting_.size();
  latest_.resize(system.pairs().size());
  nodes_.resize(system.dofs());
  for (const dynamics::Impulse& impulse : report.impulses) {
    for (std::size_t k = 0; k < impulse.node.size() && impulse.node[k] >= 0; ++k)
      nodes_[static_cast<std::size_t>(impulse.node[k])] += impulse.share[k] * impulse.normal_impulse;
    if (impulse.node[0] >= 0) continue;
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

void ImpulseMap::receive(const dynamics::System& system, const FramePart& part, std::span<double> received) const {
  const NearestPoint nearest(part.picture.points);
  std::vector<std::size_t> known(system.pairs().size(), received.size());  // the nearest point of pairs that are points
  for (auto hit = waiting_.begin(); hit != waiting_.end(); hit += waiting_record) {
    const auto number = math::whole<std::size_t>(hit[0]);
    if (number >= known.size())
      throw base::InputError({"", 0, "", "an impulse belongs to no contact of this run: the checkpoint is damaged"});
    if (known[number] == received.size()) {
      const contact::ContactPair& pair = system.pairs()[number];
      if (pair.first != part.name && pair.second != part.name) continue;
      const std::size_t point = nearest.to({hit[1], hit[2], hit[3]});
      received[point] += hit[4];
      if (is_of_points(pair)) known[number] = point;
    } else {
      received[known[number]] += hit[4];
    }
  }
}

void ImpulseMap::add_fields(const dynamics::System& system, double time, bool is_frame, std::span<FramePart> parts) {
  std::size_t begin = 0;
  for (std::size_t i = areas_.size(); i < parts.size(); ++i) areas_.emplace_back(parts[i].picture);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    FramePart& part = parts[i];
    const std::size_t count = part.picture.points.size();
    if (received_.size() < begin + count) received_.resize(begin + count);
    if (before_.size() < begin + count) before_.resize(begin + count);
    if (!part.unbounded && count > 0) {
      const std::span<double> received = std::span(received_).subspan(begin, count);
      receive(system, part, received);
      std::vector<double> field(received.begin(), received.end());
      const mechanics::Range range = system.bodies()[i]->dofs();
      // Bodies whose points are their nodes.
      for (std::size_t k = 0; k < count && range.size == 3 * count && range.end() <= nodes_.size(); ++k)
        field[k] += nodes_[range.begin + 3 * k];
      if (areas_[i].any()) {
        std::vector<double> pressure = areas_[i].of(part.picture.points);
        for (std::size_t k = 0; k < count; ++k) {
          const double given = field[k] - before_[begin + k], area = pressure[k];
          pressure[k] = given != 0 && area > 0 && time > frame_time_ ? given / (area * (time - frame_time_)) : 0;
        }
        part.picture.fields.push_back({"contact_pressure", 1, false, std::move(pressure)});
      }
      if (is_frame) std::copy(field.begin(), field.end(), before_.begin() + static_cast<std::ptrdiff_t>(begin));
      part.picture.fields.push_back({"contact_impulse", 1, false, std::move(field)});
    }
    begin += count;
  }
  if (is_frame) frame_time_ = time;
  waiting_.clear();
  latest_.clear();
}

void ImpulseMap::go_back(const Position& position) {
  waiting_.resize(position.waiting);
  latest_.clear();
  nodes_ = position.nodes;
}

void ImpulseMap::exchange(Archive& archive) {
  archive.records("frames.impulses_waiting", waiting_, waiting_record);
  archive.numbers("frames.impulses_received", received_, false);
  archive.numbers("frames.impulses_nodes", nodes_, false);
  archive.numbers("frames.impulses_before", before_, false);
  archive.number("frames.impulses_time", frame_time_);
}

}  // namespace ictus::observe
