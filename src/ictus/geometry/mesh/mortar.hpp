#pragma once

#include <array>
#include <ictus/math/vector.hpp>
#include <span>
#include <utility>
#include <vector>

namespace ictus::geometry {

/// A surface of flat faces of three or four nodes, the fourth −1 where there is none.
struct FacedSurface {
  std::span<const math::Vec3> nodes;
  std::span<const std::array<int, 4>> faces;
};

/// What joins a node of one surface to those of another.
struct MortarRow {
  int node;
  std::vector<std::pair<int, double>> shares;  ///< nodes of the other surface; the shares add up to one
};

struct Mortar {
  std::vector<MortarRow> rows;  ///< of the nodes of the first surface with a share in the common area
  std::vector<int> faces;       ///< of the first surface that have a share in it
  double common = 0;            ///< area (m²)
  double area = 0;              ///< of these faces (m²)
};

/// Joins two surfaces where they lie on each other, within `tolerance`, whatever their meshes [eq. coupling-13]:
///   u_i = Σ_j (∫ψ_i N_j dA / ∫ψ_i dA) u_j
/// over the common area, N_j the shape functions of the second surface, linear on triangles and bilinear on
/// quadrilaterals, ψ_i those dual to the first's: ∫ψ_i N_k = δ_ik ∫N_i face by face. Fields that are linear in space
/// fulfil it on flat surfaces, and forces of uniform stress pass from one side to the other exactly. Integrals are
/// exact on triangles and parallelograms.
Mortar mortar(const FacedSurface& first, const FacedSurface& second, double tolerance);

}  // namespace ictus::geometry
