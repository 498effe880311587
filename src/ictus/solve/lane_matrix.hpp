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
/// offset of the column from the row, and eight coefficients, or one where they are equal; zero where a row has no
/// entry there. A product consists of loads, multiplications and sums of eight neighbours. Made for unknowns numbered
/// along lines of equal elements, where rows that follow one another have the same few entries.
class LaneMatrix {
 public:
  struct Entry {
    int row;
    int column;
    double value;
  };

  LaneMatrix() = default;
  /// Entries at the same place add up, in the order in which they are given; where round-off is all that is left of
  /// them, there is none.
  LaneMatrix(std::size_t size, std::span<const Entry> entries);

  std::size_t size() const { return size_; }
  /// Diagonals of all blocks together: what a product costs.
  std::size_t diagonals() const { return even_.size() + offset_.size(); }

  /// y += b + A x, then x_next = x + f y, f factors of each unknown. The vectors are distinct and of the matrix's size.
  void march(const exec::Executor& exec, const LaneVector& b, const LaneVector& f, const LaneVector& x, LaneVector& y,
             LaneVector& x_next) const;

 private:
  struct Block {
    std::uint32_t row;              // its first
    std::uint32_t even, evens;      // where its diagonals with equal coefficients begin, and how many there are
    std::uint32_t uneven, unevens;  // the same for the others
  };
  struct Even {
    std::int32_t offset;  // column − row
    double value;
  };

  std::size_t size_ = 0;
  std::vector<Block> blocks_;  // those with as many diagonals side by side, so that a processor foresees its way
  std::vector<Even> even_;
  std::vector<std::int32_t> offset_;
  std::vector<math::Pack> values_;
};

}  // namespace ictus::solve
