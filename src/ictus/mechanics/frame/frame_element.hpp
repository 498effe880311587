#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <ictus/math/vector.hpp>

namespace ictus::mechanics {

// Beams in their local axes x (along), y, z. Ends 0 and 1; h length, ψ = (deflection₁ − deflection₀)/h turn of the
// chord. Deformations are differences of nearby numbers: they are taken first, so that forces and energies keep the
// accuracy of the deformation and not of the displacement. The functions below are for one element, at index j of
// arrays over the elements of a block, and are inlined into loops over j whose nodes follow one another: loops for
// vector units.

/// Elements that are worked on together.
inline constexpr std::size_t frame_block = 64;

/// Deformations or their forces in the elements of a block.
template <int deformations>
using ElementBlock = std::array<std::array<double, frame_block>, static_cast<std::size_t>(deformations)>;

/// Values of dof c at node i are at[c · stride + i].
template <class Number>
struct NodeValues {
  Number* at;
  std::size_t stride;

  Number& operator()(std::size_t c, std::size_t node) const { return at[c * stride + node]; }
};

/// Stiffness of one element against its turns [eq. frames-2, frames-3].
struct BendingStiffness {
  double same = 0;   ///< moment at an end by its own turn against the chord (N m)
  double other = 0;  ///< by that of the other end (N m)

  /// EI bending stiffness, Φ = 12 EI/(G A_s h²) its softening by shear, zero without.
  static BendingStiffness of(double bending, double softening, double length) {
    const double k = bending / (length * (1 + softening));
    return {k * (4 + softening), k * (2 - softening)};
  }
  void resist(double& at0, double& at1) const {
    const double e0 = at0, e1 = at1;
    at0 = same * e0 + other * e1;
    at1 = other * e0 + same * e1;
  }
};

/// Beam of a grillage, with the dofs w, w_x, w_y of its nodes: deflection and slopes in the plane of the grillage.
/// Deformations: the turns of both ends against the chord, and the twist.
struct GrillageElement {
  static constexpr int dofs = 3;
  static constexpr int deformations = 3;
  using Block = ElementBlock<deformations>;

  double per_length = 0;  ///< 1/h (1/m)
  double cosine = 1;      ///< direction in the plane
  double sine = 0;
  BendingStiffness bending;
  double torsion = 0;  ///< GJ/h (N m)

  /// e = B u of the element between nodes a and b.
  void deform(NodeValues<const double> u, std::size_t a, std::size_t b, std::size_t j, Block& e) const {
    const double chord = (u(0, b) - u(0, a)) * per_length;
    e[0][j] = cosine * u(1, a) + sine * u(2, a) - chord;
    e[1][j] = cosine * u(1, b) + sine * u(2, b) - chord;
    e[2][j] = cosine * (u(2, b) - u(2, a)) - sine * (u(1, b) - u(1, a));
  }
  /// In place: e → k e, the moments that belong to the deformations.
  void resist(std::size_t j, Block& e) const {
    bending.resist(e[0][j], e[1][j]);
    e[2][j] *= torsion;
  }
  /// p += factor · Bᵀ n at the first node, and at the second.
  void push_first(const Block& n, std::size_t j, double factor, NodeValues<double> p, std::size_t a) const {
    p(0, a) += factor * per_length * (n[0][j] + n[1][j]);
    p(1, a) += factor * (cosine * n[0][j] + sine * n[2][j]);
    p(2, a) += factor * (sine * n[0][j] - cosine * n[2][j]);
  }
  void push_second(const Block& n, std::size_t j, double factor, NodeValues<double> p, std::size_t b) const {
    p(0, b) -= factor * per_length * (n[0][j] + n[1][j]);
    p(1, b) += factor * (cosine * n[1][j] - sine * n[2][j]);
    p(2, b) += factor * (sine * n[1][j] + cosine * n[2][j]);
  }
};

/// Beam in space, with displacement and rotation vector of its nodes as dofs (x, y, z each). Deformations: stretch,
/// turns of both ends against the chord in the local x–z and x–y planes, twist.
struct SpaceElement {
  static constexpr int dofs = 6;
  static constexpr int deformations = 6;
  using Block = ElementBlock<deformations>;

  double per_length = 0;  ///< 1/h (1/m)
  Eigen::Matrix3d axes;   ///< rows: local x, y, z
  double axial = 0;       ///< EA/h (N/m)
  BendingStiffness bending_xz;
  BendingStiffness bending_xy;
  double torsion = 0;  ///< GJ/h (N m)

  /// Component along a local axis of three values.
  double along(int axis, double x, double y, double z) const {
    return axes(axis, 0) * x + axes(axis, 1) * y + axes(axis, 2) * z;
  }

  void deform(NodeValues<const double> u, std::size_t a, std::size_t b, std::size_t j, Block& e) const {
    const double dx = u(0, b) - u(0, a), dy = u(1, b) - u(1, a), dz = u(2, b) - u(2, a);
    const double chord_v = along(1, dx, dy, dz) * per_length, chord_w = along(2, dx, dy, dz) * per_length;
    e[0][j] = along(0, dx, dy, dz);
    // The slope of the deflection along z is minus the rotation about y.
    e[1][j] = -along(1, u(3, a), u(4, a), u(5, a)) - chord_w;
    e[2][j] = -along(1, u(3, b), u(4, b), u(5, b)) - chord_w;
    e[3][j] = along(2, u(3, a), u(4, a), u(5, a)) - chord_v;
    e[4][j] = along(2, u(3, b), u(4, b), u(5, b)) - chord_v;
    e[5][j] = along(0, u(3, b) - u(3, a), u(4, b) - u(4, a), u(5, b) - u(5, a));
  }
  void resist(std::size_t j, Block& e) const {
    e[0][j] *= axial;
    bending_xz.resist(e[1][j], e[2][j]);
    bending_xy.resist(e[3][j], e[4][j]);
    e[5][j] *= torsion;
  }
  void push_first(const Block& n, std::size_t j, double factor, NodeValues<double> p, std::size_t a) const {
    const double z = factor * per_length * (n[1][j] + n[2][j]), y = factor * per_length * (n[3][j] + n[4][j]);
    for (int c = 0; c < 3; ++c) {
      const auto i = static_cast<std::size_t>(c);
      p(i, a) += axes(2, c) * z + axes(1, c) * y - axes(0, c) * factor * n[0][j];
      p(3 + i, a) += factor * (axes(2, c) * n[3][j] - axes(1, c) * n[1][j] - axes(0, c) * n[5][j]);
    }
  }
  void push_second(const Block& n, std::size_t j, double factor, NodeValues<double> p, std::size_t b) const {
    const double z = factor * per_length * (n[1][j] + n[2][j]), y = factor * per_length * (n[3][j] + n[4][j]);
    for (int c = 0; c < 3; ++c) {
      const auto i = static_cast<std::size_t>(c);
      p(i, b) -= axes(2, c) * z + axes(1, c) * y - axes(0, c) * factor * n[0][j];
      p(3 + i, b) += factor * (axes(2, c) * n[4][j] - axes(1, c) * n[2][j] + axes(0, c) * n[5][j]);
    }
  }
};

/// A member's elements and where its nodes are.
template <class Element>
struct FrameRun {
  Element element;
  std::size_t start, end;  ///< nodes
  std::size_t first;       ///< node after `start`; inner nodes follow one another
  std::size_t count;       ///< of elements

  /// Calls f(j, a, b) for elements begin + j, j < size, between nodes a and b. Inner nodes are visited in a loop in
  /// which a and b are consecutive.
  template <class F>
  void for_each(std::size_t begin, std::size_t size, F&& f) const {
    const std::size_t head = begin == 0 ? 1 : 0, tail = begin + size == count ? size - 1 : size;
    if (count == 1) return f(std::size_t{0}, start, end);
    if (head == 1) f(std::size_t{0}, start, first);
    const std::size_t offset = first + begin - 1;
    for (std::size_t j = head; j < tail; ++j) f(j, offset + j, offset + j + 1);
    if (tail < size) f(tail, first + count - 2, end);
  }
};

}  // namespace ictus::mechanics
