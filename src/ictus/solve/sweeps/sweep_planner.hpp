#pragma once

#include <array>
#include <cstdint>
#include <ictus/solve/sweeps/sweep_plan.hpp>
#include <span>
#include <vector>

namespace ictus::solve {

/// Orders the contacts of many bodies for coloured sweeps: breadth first from the bodies that touch something held (in
/// a pile: upwards), cut into chunks of neighbours, chunks coloured so that those of one colour share no moving body;
/// within a chunk, contacts that share none are brought together in groups. Keeps its memory between calls.
class SweepPlanner {
 public:
  /// The two bodies of a contact; −1 for one that does not move.
  using Pair = std::array<int, 2>;

  /// Up to this many contacts stay in their own order: too few to gain from another.
  static constexpr std::size_t few = 32;
  /// Up to this many make one chunk: too few to share among threads.
  static constexpr std::size_t single_chunk = 2048;
  static constexpr std::size_t chunk_size = 512;
  /// Slots k … k + group − 1 with k a multiple of this hold contacts of one chunk without a moving body in common,
  /// wherever such contacts are near at hand.
  static constexpr std::size_t group = 8;

  /// order[k] is the contact that is visited as the k-th; `plan` speaks of k.
  void plan(std::span<const Pair> pairs, std::size_t bodies, std::vector<int>& order, SweepPlan& plan);

 private:
  void index_contacts(std::span<const Pair> pairs, std::size_t bodies);
  void order_breadth_first(std::span<const Pair> pairs, std::size_t bodies, std::vector<int>& order);
  void color_chunks(std::span<const Pair> pairs, std::size_t bodies, std::span<const int> order);
  void sort_by_color(std::vector<int>& order);
  void group_chunk(std::span<const Pair> pairs, std::size_t begin, std::span<int> chunk);

  std::vector<int> contact_begin_;          // per body
  std::vector<int> contacts_;               // of each body
  std::vector<int> queue_;                  // bodies in order of discovery
  std::vector<char> discovered_;            // bodies
  std::vector<char> placed_;                // contacts
  std::vector<std::uint64_t> used_colors_;  // colours of the chunks that touch a body, one bit each
  std::vector<int> color_of_;               // chunks
  std::vector<int> sorted_;                 // contacts by colour, then chunk
  std::vector<std::size_t> chunk_begin_, color_begin_;
  std::vector<int> left_;             // contacts of a chunk that have no slot yet, in order
  std::vector<std::size_t> grouped_;  // last group that a body is in
};

}  // namespace ictus::solve
