#pragma once

#include <cassert>
#include <cstddef>
#include <ictus/exec/executor.hpp>
#include <vector>

namespace ictus::solve {

/// The order in which Gauss–Seidel sweeps visit contacts: chunks of consecutive contacts, and colours of consecutive
/// chunks. Chunks of one colour share no dof, so they may run at once; colours follow one another, and so do the
/// contacts of a chunk. The plan depends on the problem alone: a sweep gives the same bits on any number of threads.
class SweepPlan {
 public:
  /// One chunk of all contacts in their order.
  explicit SweepPlan(std::size_t contacts = 0) { assign_single(contacts); }

  void assign_single(std::size_t contacts) {
    chunk_begin_.assign({0, contacts});
    color_begin_.assign({0, 1});
  }
  /// `chunk_begin` has one entry more than there are chunks, `color_begin` one more than there are colours.
  void assign(const std::vector<std::size_t>& chunk_begin, const std::vector<std::size_t>& color_begin) {
    assert(color_begin.back() + 1 == chunk_begin.size());
    chunk_begin_.assign(chunk_begin.begin(), chunk_begin.end());
    color_begin_.assign(color_begin.begin(), color_begin.end());
  }

  std::size_t chunks() const { return chunk_begin_.size() - 1; }
  std::size_t colors() const { return color_begin_.size() - 1; }

  struct Range {
    std::size_t begin, end;
  };
  /// The contacts of each chunk of a colour.
  std::vector<Range> chunks_of(std::size_t color) const {
    std::vector<Range> ranges;
    for (std::size_t chunk = color_begin_[color]; chunk < color_begin_[color + 1]; ++chunk) {
      ranges.push_back({chunk_begin_[chunk], chunk_begin_[chunk + 1]});
    }
    return ranges;
  }

  /// Calls body(chunk, begin, end) for every chunk, colour by colour.
  template <class Body>
  void run(const exec::Executor& executor, Body&& body) const {
    for (std::size_t color = 0; color < colors(); ++color) {
      const std::size_t first = color_begin_[color];
      executor.for_items(color_begin_[color + 1] - first, [&](std::size_t item) {
        const std::size_t chunk = first + item;
        body(chunk, chunk_begin_[chunk], chunk_begin_[chunk + 1]);
      });
    }
  }

 private:
  std::vector<std::size_t> chunk_begin_;
  std::vector<std::size_t> color_begin_;
};

}  // namespace ictus::solve
