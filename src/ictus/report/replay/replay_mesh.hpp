#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ictus::report {

/// The cells of a frame as a .vtu has them: kind of each cell, its points from offsets[c − 1] (or 0) to offsets[c],
/// and the number of its body.
struct FrameCells {
  std::vector<std::uint8_t> types;
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> offsets;
  std::vector<std::int64_t> body;

  std::span<const std::int64_t> of(std::size_t cell) const;
  /// Whether the arrays fit each other, `points` points, and the kinds of cells that exist.
  bool sound(std::size_t points) const;
};

/// What is drawn of one body: its outside. Quads are two triangles; of tetrahedra and hexahedra the faces that only
/// one of them has; lines and single points stay what they are.
struct ReplayMesh {
  std::vector<std::uint32_t> points;     ///< numbers, in the frame, of the points drawn, ascending
  std::vector<std::uint32_t> triangles;  ///< indices into `points`, three each
  std::vector<std::uint32_t> lines;      ///< two each
  std::vector<std::uint32_t> vertices;   ///< one each
  /// Cells around the k-th point: cells[first_cell[k]] to cells[first_cell[k + 1] − 1].
  std::vector<std::uint32_t> first_cell;
  std::vector<std::uint32_t> cells;
};

/// One mesh per body, of a sound frame.
std::vector<ReplayMesh> replay_meshes(const FrameCells& frame, std::size_t bodies);

}  // namespace ictus::report
