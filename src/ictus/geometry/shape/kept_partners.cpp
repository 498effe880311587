#include <ictus/geometry/shape/kept_partners.hpp>

#include <algorithm>

namespace ictus::geometry {

/// A position that is not a number is in no box: the search that follows says so.
bool KeptPartners::holds(std::span<const Bounds> bounds) const {
  if (grown_.size() != bounds.size() || begin_.empty()) return false;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (!grown_[i].contains(bounds[i])) return false;
  }
  return true;
}

void KeptPartners::seek() {
  ++searches_;
  // Room for a dense heap from the start: lists that grow as bodies come together would allocate in warm steps. A
  // bucket may name a body twice.
  constexpr std::size_t of_each_body = 12;
  partners_.reserve(of_each_body * grown_.size());
  found_.reserve(2 * std::min(grown_.size(), std::size_t{1} << 10));
  grid_.assign(grown_);
  partners_.clear();
  begin_.assign(1, 0);
  for (std::size_t i = 0; i < grown_.size(); ++i) {
    grid_.partners(i, found_);
    partners_.insert(partners_.end(), found_.begin(), found_.end());
    begin_.push_back(partners_.size());
  }
}

}  // namespace ictus::geometry
