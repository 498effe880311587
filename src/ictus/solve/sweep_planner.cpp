#include <algorithm>
#include <bit>
#include <ictus/solve/sweep_planner.hpp>
#include <numeric>

namespace ictus::solve {

/// Compressed lists of the contacts of each moving body.
void SweepPlanner::index_contacts(std::span<const Pair> pairs, std::size_t bodies) {
  contact_begin_.assign(bodies + 1, 0);
  for (const Pair& pair : pairs) {
    for (const int body : pair) {
      if (body >= 0) ++contact_begin_[body + 1];
    }
  }
  std::partial_sum(contact_begin_.begin(), contact_begin_.end(), contact_begin_.begin());
  contacts_.resize(contact_begin_.back());
  for (std::size_t i = pairs.size(); i-- > 0;) {
    for (const int body : pairs[i]) {
      if (body >= 0) contacts_[--contact_begin_[body + 1]] = static_cast<int>(i);
    }
  }
  // Filling from the back has moved each end to its beginning.
  for (std::size_t body = 0; body < bodies; ++body) contact_begin_[body] = contact_begin_[body + 1];
  contact_begin_[bodies] = static_cast<int>(contacts_.size());
}

void SweepPlanner::order_breadth_first(std::span<const Pair> pairs, std::size_t bodies, std::vector<int>& order) {
  order.clear();
  queue_.clear();
  discovered_.assign(bodies, 0);
  placed_.assign(pairs.size(), 0);
  const auto discover = [&](int body) {
    if (body < 0 || discovered_[body]) return;
    discovered_[body] = 1;
    queue_.push_back(body);
  };
  for (const Pair& pair : pairs) {
    if (pair[0] < 0) discover(pair[1]);
    if (pair[1] < 0) discover(pair[0]);
  }
  std::size_t head = 0;
  for (std::size_t seed = 0; seed <= bodies; ++seed) {
    for (; head < queue_.size(); ++head) {
      const int body = queue_[head];
      for (int k = contact_begin_[body]; k < contact_begin_[body + 1]; ++k) {
        const int contact = contacts_[k];
        if (placed_[contact]) continue;
        placed_[contact] = 1;
        order.push_back(contact);
        discover(pairs[contact][0]);
        discover(pairs[contact][1]);
      }
    }
    if (seed < bodies) discover(static_cast<int>(seed));
  }
}

/// Greedy colours in the order of the chunks. A chunk that meets all 64 (one body that touches everything) gets a
/// colour of its own.
void SweepPlanner::color_chunks(std::span<const Pair> pairs, std::size_t bodies, std::span<const int> order) {
  constexpr int shared_colors = 64;
  taken_.assign(bodies, 0);
  color_of_.clear();
  int next_own = shared_colors;
  for (std::size_t begin = 0; begin < order.size(); begin += chunk_size) {
    const auto chunk = order.subspan(begin, std::min(chunk_size, order.size() - begin));
    std::uint64_t forbidden = 0;
    for (const int contact : chunk) {
      for (const int body : pairs[contact]) forbidden |= body >= 0 ? taken_[body] : 0;
    }
    const int color = std::countr_one(forbidden);
    color_of_.push_back(color < shared_colors ? color : next_own++);
    if (color == shared_colors) continue;
    for (const int contact : chunk) {
      for (const int body : pairs[contact]) {
        if (body >= 0) taken_[body] |= std::uint64_t{1} << color;
      }
    }
  }
}

void SweepPlanner::plan(std::span<const Pair> pairs, std::size_t bodies, std::vector<int>& order, SweepPlan& plan) {
  const std::size_t n = pairs.size();
  if (n <= single_chunk) {
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    plan.assign_single(n);
    return;
  }
  index_contacts(pairs, bodies);
  order_breadth_first(pairs, bodies, order);
  color_chunks(pairs, bodies, order);

  sorted_.clear();
  chunk_begin_.assign(1, 0);
  color_begin_.assign(1, 0);
  const int colors = 1 + *std::max_element(color_of_.begin(), color_of_.end());
  for (int color = 0; color < colors; ++color) {
    for (std::size_t chunk = 0; chunk < color_of_.size(); ++chunk) {
      if (color_of_[chunk] != color) continue;
      const auto from = order.begin() + static_cast<std::ptrdiff_t>(chunk * chunk_size);
      sorted_.insert(sorted_.end(), from,
                     order.begin() + static_cast<std::ptrdiff_t>(std::min(n, (chunk + 1) * chunk_size)));
      chunk_begin_.push_back(sorted_.size());
    }
    if (chunk_begin_.size() - 1 > color_begin_.back()) color_begin_.push_back(chunk_begin_.size() - 1);
  }
  order.swap(sorted_);
  plan.assign(chunk_begin_, color_begin_);
}

}  // namespace ictus::solve
