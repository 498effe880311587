#pragma once

#include <ictus/geometry/shape/body_grid.hpp>

namespace ictus::geometry {

/// Pairs of boxes that may meet, kept from step to step: boxes are grown by a reserve, and pairs are sought again only
/// when a box has left the grown one. Which pairs are offered depends on the history; that every pair of boxes which
/// meet is among them, in the order of their numbers, does not. Keeps its memory.
class KeptPartners {
 public:
  /// Takes over the boxes; each has grown by reserve(i) on all sides (m) where pairs are sought.
  template <class Reserve>
  void update(std::span<const Bounds> bounds, Reserve&& reserve) {
    if (holds(bounds)) return;
    grown_.resize(bounds.size());
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const double by = reserve(i);
      grown_[i] = {bounds[i].centre, bounds[i].half + Vec{by, by, by}};
    }
    seek();
  }

  /// Numbers above i, ascending, of all boxes that meet box i and some that do not.
  std::span<const int> partners(std::size_t i) const {
    return std::span(partners_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  /// How often pairs were sought.
  long searches() const { return searches_; }

 private:
  bool holds(std::span<const Bounds> bounds) const;
  void seek();

  std::vector<Bounds> grown_;
  std::vector<std::size_t> begin_;
  std::vector<int> partners_, found_;
  BodyGrid grid_;
  long searches_ = 0;
};

}  // namespace ictus::geometry
