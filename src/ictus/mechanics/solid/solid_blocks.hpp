#pragma once

#include <algorithm>
#include <ictus/exec/executor.hpp>
#include <ictus/geometry/mesh/volume_mesh.hpp>
#include <ictus/mechanics/solid/element_kinds.hpp>
#include <ictus/mechanics/solid/nodal_means.hpp>
#include <optional>
#include <vector>

namespace ictus::mechanics {

/// The shape of one element for what is not done in blocks: nodes, and at each point its volume and the gradients of
/// the shape functions.
struct ElementShape {
  int nodes = 0;
  int points = 0;
  std::array<int, 8> node;  ///< where the dofs of each begin
  double volume[8];
  math::Vector3<double> gradient[8][8];  ///< [point][node]

  double total_volume() const {
    double sum = 0;
    for (int q = 0; q < points; ++q) sum += volume[q];
    return sum;
  }
};

/// The elements of a solid in blocks of eight along a space-filling curve. Elements are numbered tetrahedra first, in
/// the order of the mesh.
class SolidBlocks {
 public:
  /// With `nodal_volumes` tetrahedra keep the volume around their nodes instead of each its own, so that they do not
  /// lock.
  explicit SolidBlocks(const geometry::VolumeMesh& mesh, bool nodal_volumes = false);

  std::size_t count() const { return tetrahedra_ + hexahedra_; }
  std::size_t tetrahedra() const { return tetrahedra_; }
  /// The shape of an element by its slot along the curve, and its number in the mesh.
  ElementShape shape(std::size_t slot) const;
  std::size_t number(std::size_t slot) const { return static_cast<std::size_t>(number_[slot]); }
  /// Reference positions, three for each node.
  const std::vector<double>& reference() const { return reference_; }

  /// What tetrahedra share at their nodes; null where each keeps its own volume.
  const NodalMeans* nodal_means() const { return nodal_means_ ? &*nodal_means_ : nullptr; }
  /// Of an elastic law, λ θ̄ at each node, in a buffer of the calling thread.
  template <class Law>
  const double* nodal_pressure(const exec::Executor& exec, const double* x, const Lame& lame) const;

  /// p += h f(x). Answers whether every element has a stress (none is inverted under a law that forbids it).
  template <class Law>
  bool kick(const exec::Executor& exec, const double* x, double h, const Lame& lame, double* p) const;
  /// p −= h K v.
  template <class Viscosity>
  void apply_damping(const exec::Executor& exec, const double* x, const double* v, double h, const Lame& lame,
                     double* p) const;

  /// Calls f(slot) for all elements, those that share a node one after the other in an order that no number of threads
  /// changes.
  template <class F>
  void for_each_slot(const exec::Executor& exec, F&& f) const {
    constexpr auto lanes = static_cast<std::size_t>(math::Pack::lanes);
    const auto for_block = [&](std::size_t block, std::size_t first, std::size_t count) {
      for (std::size_t i = block * lanes; i < std::min((block + 1) * lanes, count); ++i) f(first + i);
    };
    tetrahedron_tiling_.for_each_block(exec, [&](std::size_t block) { for_block(block, 0, tetrahedra_); });
    hexahedron_tiling_.for_each_block(exec, [&](std::size_t block) { for_block(block, tetrahedra_, hexahedra_); });
  }

  template <class Kind>
  std::span<const typename Kind::Block> of_kind() const {
    if constexpr (std::is_same_v<Kind, Hexahedra>) {
      return hexahedron_blocks_;
    } else {
      return tetrahedron_blocks_;
    }
  }
  template <class Kind>
  const Tiling& tiling() const {
    return std::is_same_v<Kind, Hexahedra> ? hexahedron_tiling_ : tetrahedron_tiling_;
  }
  /// The slots of the elements of a kind: the first and how many.
  template <class Kind>
  std::pair<std::size_t, std::size_t> slots() const {
    return std::is_same_v<Kind, Hexahedra> ? std::pair{tetrahedra_, hexahedra_}
                                           : std::pair{std::size_t{0}, tetrahedra_};
  }
  solid_kernel::HexahedronPoints points(const HexahedronBlock& block) const {
    return solid_kernel::points_of(block, points_.data());
  }
  solid_kernel::TetrahedronPoints points(const TetrahedronBlock& block) const { return {&block}; }

 private:
  void make_tetrahedra(const geometry::VolumeMesh& mesh);
  void make_hexahedra(const geometry::VolumeMesh& mesh);
  void make_points();
  template <class Law, class... Positions>
  double* nodal_pressures(const exec::Executor& exec, double lambda, const Positions*... of) const;

  std::size_t tetrahedra_, hexahedra_;
  std::vector<TetrahedronBlock> tetrahedron_blocks_;
  std::vector<HexahedronBlock> hexahedron_blocks_;
  std::vector<double> points_;  ///< of the hexahedra at rest
  Tiling tetrahedron_tiling_, hexahedron_tiling_;
  std::optional<NodalMeans> nodal_means_;
  std::vector<int> number_;
  std::vector<double> reference_;
};

}  // namespace ictus::mechanics
