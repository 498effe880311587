#pragma once

#include <ictus/exec/executor.hpp>
#include <vector>

namespace ictus::exec {

/// A list of things that a loop over n items finds, in the order of the items on any number of threads: the loop is cut
/// into blocks of fixed length, each with a list of its own, and these follow each other. Keeps its memory.
template <class T>
class Collection {
 public:
  /// Calls find(begin, end, list) for the blocks that cover [0, n), and afterwards holds all that was appended to the
  /// lists.
  template <class Find>
  void collect(const Executor& exec, std::size_t n, std::size_t block, Find&& find) {
    all_.clear();
    const std::size_t blocks = (n + block - 1) / block;
    const bool alone = exec.is_alone();
    if (!alone && lists_.size() < blocks) lists_.resize(blocks);
    exec.for_items(blocks, [&](std::size_t b) {
      std::vector<T>& list = alone ? all_ : lists_[b];
      if (!alone) list.clear();
      find(b * block, std::min((b + 1) * block, n), list);
    });
    if (alone) return;
    for (std::size_t b = 0; b < blocks; ++b) all_.insert(all_.end(), lists_[b].begin(), lists_[b].end());
  }

  const std::vector<T>& all() const { return all_; }

 private:
  std::vector<T> all_;
  std::vector<std::vector<T>> lists_;
};

}  // namespace ictus::exec
