#include <ictus/solve/sweeps/sweep_planner.hpp>

#include <algorithm>
#include <bit>
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
  used_colors_.assign(bodies, 0);
  color_of_.clear();
  int next_own = shared_colors;
  for (std::size_t begin = 0; begin < order.size(); begin += chunk_size) {
    const auto chunk = order.subspan(begin, std::min(chunk_size, order.size() - begin));
    std::uint64_t forbidden = 0;
    for (const int contact : chunk) {
      for (const int body : pairs[contact]) forbidden |= body >= 0 ? used_colors_[body] : 0;
    }
    const int color = std::countr_one(forbidden);
    color_of_.push_back(color < shared_colors ? color : next_own++);
    if (color == shared_colors) continue;
    for (const int contact : chunk) {
      for (const int body : pairs[contact]) {
        if (body >= 0) used_colors_[body] |= std::uint64_t{1} << color;
      }
    }
  }
}

/// Chunks colour by colour, in their order within a colour.
void SweepPlanner::sort_by_color(std::vector<int>& order) {
  const std::size_t n = order.size();
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
}

/// Fills slot after slot with the first of the next contacts that shares no moving body with its group, or simply
/// the next where all of those in sight do. `begin` is the slot of the chunk's first contact.
void SweepPlanner::group_chunk(std::span<const Pair> pairs, std::size_t begin, std::span<int> chunk) {
  constexpr std::size_t sight = 64;
  left_.assign(chunk.begin(), chunk.end());
  std::size_t head = 0;
  for (std::size_t k = 0; k < chunk.size(); ++k) {
    const std::size_t own_group = (begin + k) / group + 1;
    const auto fits = [&](int contact) {
      return std::none_of(pairs[contact].begin(), pairs[contact].end(),
                          [&](int body) { return body >= 0 && grouped_[body] == own_group; });
    };
    const std::size_t end = std::min(left_.size(), head + sight);
    std::size_t chosen = head;
    while (chosen < end && !fits(left_[chosen])) ++chosen;
    if (chosen == end) chosen = head;
    chunk[k] = left_[chosen];
    // The contacts passed over move up by one: the next slot looks at them first.
    std::move_backward(left_.begin() + static_cast<std::ptrdiff_t>(head),
                       left_.begin() + static_cast<std::ptrdiff_t>(chosen),
                       left_.begin() + static_cast<std::ptrdiff_t>(chosen) + 1);
    ++head;
    for (const int body : pairs[chunk[k]]) {
      if (body >= 0) grouped_[body] = own_group;
    }
  }
}

void SweepPlanner::plan(std::span<const Pair> pairs, std::size_t bodies, std::vector<int>& order, SweepPlan& plan) {
  const std::size_t n = pairs.size();
  if (n <= few) {
    order.resize(n);
    std::iota(order.begin(), order.end(), 0);
    plan.assign_single(n);
    return;
  }
  index_contacts(pairs, bodies);
  order_breadth_first(pairs, bodies, order);
  if (n <= single_chunk) {
    plan.assign_single(n);
    chunk_begin_.assign({0, n});
  } else {
    color_chunks(pairs, bodies, order);
    sort_by_color(order);
    plan.assign(chunk_begin_, color_begin_);
  }
  grouped_.assign(bodies, 0);
  for (std::size_t chunk = 0; chunk + 1 < chunk_begin_.size(); ++chunk) {
    const std::size_t begin = chunk_begin_[chunk];
    group_chunk(pairs, begin, std::span(order).subspan(begin, chunk_begin_[chunk + 1] - begin));
  }
}

}  // namespace ictus::solve
