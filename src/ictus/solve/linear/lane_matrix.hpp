#pragma once

#include <cstddef>
#include <cstdint>
#include <ictus/exec/executor.hpp>
#include <ictus/math/pack.hpp>
#include <span>
#include <vector>

namespace ictus::solve {

/// Numbers with room before and after them, so that LaneMatrix may load eight neighbours at a time at its ends.
class LaneVector {
 public:
  static constexpr std::size_t lanes = math::Pack::lanes;

  LaneVector() = default;
  explicit LaneVector(std::size_t size) : size_(size), packs_((size + lanes - 1) / lanes + 2) {}

  std::size_t size() const { return size_; }
  double* data() { return reinterpret_cast<double*>(packs_.data() + 1); }
  const double* data() const { return reinterpret_cast<const double*>(packs_.data() + 1); }
  std::span<double> span() { return {data(), size_}; }
  std::span<const double> span() const { return {data(), size_}; }
  double& operator[](std::size_t i) { return data()[i]; }
  double operator[](std::size_t i) const { return data()[i]; }

 private:
  std::size_t size_ = 0;
  std::vector<math::Pack> packs_;  // for its alignment
};

/// A square sparse matrix that is applied very often. Eight rows make a block, and a block is a list of diagonals: an
/// offset of the column from the row, and eight coefficients, zero where a row has no entry there. Blocks that follow
/// one another with the same diagonals make a run, whose coefficients stay in registers. A product consists of loads,
/// multiplications and sums of eight neighbours. Made for the slots of a LaneOrder.
class LaneMatrix {
 public:
  struct Entry {
    int row;
    int column;
    double value;
  };

  LaneMatrix() = default;
  /// Entries at the same position add up, in the order in which they are given; where round-off is all that is left of
  /// them, there is none.
  LaneMatrix(std::size_t size, std::span<const Entry> entries);

  std::size_t size() const { return size_; }
  /// Diagonals that the matrix keeps, once for each run.
  std::size_t diagonals() const { return offset_.size(); }

  /// y += b + A x, then x_next = x + f y, f factors of each dof. The vectors are distinct and of the matrix's size.
  /// Blocks without an entry are passed over.
  void kick_and_drift(const exec::Executor& exec, const LaneVector& b, const LaneVector& f, const LaneVector& x,
                      LaneVector& y, LaneVector& x_next) const;

 private:
  /// Rows with the same diagonals.
  struct Run {
    std::uint32_t row;                  // its first
    std::uint32_t end;                  // the row after its last
    std::uint32_t diagonal, diagonals;  // where its diagonals begin, and how many there are
  };
  /// Eight rows unlike those before and after them, or with more diagonals than registers. Their diagonals follow those
  /// of the block before.
  struct Block {
    std::uint32_t row;
    std::uint32_t quads;  // of diagonals, filled up with zeros
  };
  /// What a thread works on at a time: where its runs and blocks begin, and the first diagonal of the blocks.
  struct Portion {
    std::size_t run, block, diagonal;
  };

  std::size_t size_ = 0;
  std::vector<Run> runs_;
  std::vector<Block> blocks_;
  std::vector<Portion> portions_{{}};  // and the end of the last
  std::vector<std::int32_t> offset_;   // of each diagonal
  std::vector<math::Pack> values_;
};

}  // namespace ictus::solve
