#include <ictus/dynamics/rigid/rigid_memory.hpp>

#include <ictus/dynamics/rigid/rigid_system.hpp>

namespace ictus::dynamics {

void RigidMemory::append(const RememberedContact& c, std::vector<double>& values) {
  for (const double value : {static_cast<double>(c.owner),
                             static_cast<double>(c.other),
                             static_cast<double>(c.feature),
                             c.impulse.x,
                             c.impulse.y,
                             c.impulse.z,
                             c.reference,
                             c.rests ? 1.0 : 0.0,
                             c.stuck ? 1.0 : 0.0,
                             c.slip.x,
                             c.slip.y,
                             c.slip.z,
                             c.moment.x,
                             c.moment.y,
                             c.moment.z,
                             c.on_a.x,
                             c.on_a.y,
                             c.on_a.z,
                             c.on_b.x,
                             c.on_b.y,
                             c.on_b.z}) {
    values.push_back(value);
  }
}

RigidMemory::Found RigidMemory::find(const contact::RigidTouch& touch) {
  const auto before = [&](const double* entry) {
    return entry[0] != touch.owner ? entry[0] < touch.owner : entry[1] < touch.other;
  };
  while (cursor_ < values_.size() && before(&values_[cursor_])) cursor_ += stride;
  Found found;
  for (std::size_t k = cursor_; k < values_.size(); k += stride) {
    const double* entry = &values_[k];
    if (entry[0] != touch.owner || entry[1] != touch.other) break;
    found.pair_pushed |= math::norm_sq(load3(entry + 3)) > 0;
    if (entry[2] != touch.at.feature) continue;
    found.contact = {touch.owner,       touch.other,       touch.at.feature, load3(entry + 3),
                     entry[6],          entry[7] > 0,      entry[8] > 0,     load3(entry + 9),
                     load3(entry + 12), load3(entry + 15), load3(entry + 18)};
  }
  return found;
}

}  // namespace ictus::dynamics
