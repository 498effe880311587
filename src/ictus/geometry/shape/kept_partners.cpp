#include <ictus/geometry/shape/kept_partners.hpp>

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
