#include <ictus/observe/ledger/audit.hpp>

#include <algorithm>
#include <limits>

namespace ictus::observe {

void Audit::observe(const dynamics::Snapshot& snapshot) {
  if (!every_ || snapshot.state.step % *every_ != 0) return;
  crossings_.clear();
  audit_.find(skins_, snapshot.state.q, crossings_);
  std::erase_if(crossings_, [&](const contact::Crossing& crossing) {
    return snapshot.system.pairs()[static_cast<std::size_t>(crossing.pair)].is_gone(snapshot.state.time);
  });
  const auto pairs = static_cast<std::int64_t>(crossings_.size());
  ++figures_.states;
  if (pairs > 0) ++figures_.intersecting;
  figures_.max_pairs = std::max(figures_.max_pairs, pairs);
}

std::int64_t Audit::patience(const dynamics::Snapshot& snapshot) const {
  return every_ ? *every_ - snapshot.state.step % *every_ : std::numeric_limits<std::int64_t>::max();
}

void Audit::exchange(Archive& archive) {
  archive.number("audit.states", figures_.states);
  archive.number("audit.intersecting", figures_.intersecting);
  archive.number("audit.most_pairs", figures_.max_pairs);
}

}  // namespace ictus::observe
