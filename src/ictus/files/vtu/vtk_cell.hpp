#pragma once

namespace ictus::files {

/// The kinds of cells in frames, by the numbers that VTK gives them.
enum class VtkCell : unsigned char { vertex = 1, line = 3, triangle = 5, quad = 9, tetrahedron = 10, hexahedron = 12 };

/// Points of a cell; 0 for a kind that frames do not have.
constexpr int corners_of(VtkCell cell) {
  switch (cell) {
    case VtkCell::vertex:
      return 1;
    case VtkCell::line:
      return 2;
    case VtkCell::triangle:
      return 3;
    case VtkCell::quad:
    case VtkCell::tetrahedron:
      return 4;
    case VtkCell::hexahedron:
      return 8;
  }
  return 0;
}

}  // namespace ictus::files
