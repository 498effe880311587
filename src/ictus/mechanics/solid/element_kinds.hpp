#pragma once

#include <ictus/mechanics/solid/solid_kernel.hpp>

// What kernels that are written once for all kinds of elements ask of a kind: its nodes and points, the derivatives
// M = ∂x/∂ξ at the points of eight elements, and the way back from forces that are conjugate to M. A point has the
// volume share · det M.

namespace ictus::mechanics {

struct Hexahedra {
  using Block = HexahedronBlock;
  using Slopes = HexahedronSlopes<math::Pack>;
  static constexpr int nodes = 8, points = 8;
  static constexpr double share = 1;

  static Slopes slopes(const math::Vector3<math::Pack>* node) { return hexahedron_modes::slopes(node); }
  static void gather(const Slopes& force, math::Vector3<math::Pack>* node) { hexahedron_modes::gather(force, node); }
  /// One, or zero in lanes that repeat an element.
  static math::Pack weight(const Block& block) { return math::Pack::load(block.weight); }
  /// ∂N/∂ξ.
  static const double* derivative(int point, int node) {
    return solid_kernel::hexahedron_shape.derivative[point][node];
  }
};

struct Tetrahedra {
  using Block = TetrahedronBlock;
  struct Slopes {
    math::Matrix3<math::Pack> m{};

    const math::Matrix3<math::Pack>& at(int) const { return m; }
    void add(int, const math::Matrix3<math::Pack>& force) { m = m + force; }
  };
  static constexpr int nodes = 4, points = 1;
  static constexpr double share = 1.0 / 6;

  static Slopes slopes(const math::Vector3<math::Pack>* node) {
    return {{node[1] - node[0], node[2] - node[0], node[3] - node[0]}};
  }
  static void gather(const Slopes& force, math::Vector3<math::Pack>* node) {
    node[0] = -(force.m.a + force.m.b + force.m.c);
    node[1] = force.m.a, node[2] = force.m.b, node[3] = force.m.c;
  }
  static math::Pack weight(const Block& block) {
    return math::select(math::Pack::load(block.volume).v > 0.0, math::Pack(1.0), math::Pack(0.0));
  }
  static const double* derivative(int /*point*/, int node) {
    static constexpr double of[4][3] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return of[node];
  }
};

}  // namespace ictus::mechanics
