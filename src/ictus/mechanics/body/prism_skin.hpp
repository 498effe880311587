#pragma once

#include <ictus/model/surface_mesh.hpp>
#include <vector>

namespace ictus::mechanics {

/// Appends the triangles of a row of sections with as many corners each, numbered one section after the other from
/// `first`: the sides between the sections and the ends; of sections that are points the line through them.
inline void add_prism(int first, std::size_t sections, std::size_t corners,
                      std::vector<model::SurfaceMesh::Triangle>& triangles) {
  const auto n = static_cast<int>(corners);
  for (int s = 0; s + 1 < static_cast<int>(sections); ++s) {
    for (int c = 0; c < n; ++c) {
      const int a = first + s * n + c, b = first + s * n + (c + 1) % n;
      if (n == 1) {
        triangles.push_back({a, a + 1, a + 1});
      } else {
        triangles.push_back({a, b, b + n});
        triangles.push_back({a, b + n, a + n});
      }
    }
  }
  for (const int end : {first, first + (static_cast<int>(sections) - 1) * n}) {
    for (int c = 2; c < n; ++c) triangles.push_back({end, end + c - 1, end + c});
  }
}

}  // namespace ictus::mechanics
