#pragma once

#include <array>
#include <cstdint>
#include <ictus/exec/executor.hpp>
#include <ictus/math/pack.hpp>
#include <ictus/mechanics/shell/shell_element.hpp>
#include <ictus/mechanics/shell/shell_ghosts.hpp>
#include <span>
#include <vector>

namespace ictus::mechanics {

/// A real vertex in the neighbourhood of an element: it enters as map x + offset with the derivatives of its
/// function at the quadrature point. A vertex may appear more than once, for itself and for ghosts made from it.
struct ShellPatchEntry {
  int vertex;
  Eigen::Matrix3d map;
  std::array<double, 3> offset;
  double d1, d2, d11, d22, d12;
};
using ShellPatch = std::vector<ShellPatchEntry>;

/// The elements of a shell, cut into tiles that fit a core's nearest cache. A tile copies the vertices that it needs,
/// makes its ghosts, works on regular elements eight at a time, and gives back the sum for each vertex: no buffer for
/// the whole mesh, no race. Tiles of one colour share no vertex, and colours follow one another, so that every sum has
/// one order on any number of threads.
class ShellTiles {
 public:
  /// At rest as the mesh lies.
  ShellTiles(const GhostedMesh& ghosted, const ShellWall& wall);

  std::size_t element_count() const { return element_index_.size(); }
  const ShellWall& wall() const { return wall_; }
  /// Σ_e A_e N_I of each real vertex: the area that it stands for [eq. shells-9] (m²).
  std::span<const double> vertex_area() const { return vertex_area_; }

  /// p −= h ∂V/∂x; x and p of vertex i at 3i.
  void kick(const exec::Executor& exec, const double* x, double h, double* p) const;
  /// p −= h ∂V̇/∂v of the wall at x, of motion v: what resists its rates of strain.
  void apply_damping(const exec::Executor& exec, const double* x, const double* v, double h, double* p) const;
  /// V(x + time · w ∘ p), w the inverse mass of each dof.
  double energy(const exec::Executor& exec, const double* x, const double* p, const double* w, double time) const;
  /// V(x) + ½ h ∂V/∂x·(w ∘ p).
  double interval_energy(const exec::Executor& exec, const double* x, const double* p, const double* w, double h) const;

  /// Σ f and Σ x × f of the forces f = −∂V/∂x: zero but for what mirrors and clamps push.
  std::array<math::Vec3, 2> resultant(const double* x) const;

  // The same with another wall: wall(number, strain) sets n and m of a block of eight elements, or of an irregular one,
  // and answers with the energy per area at rest. Defined in shell_tile_loops.hpp.
  struct Measured {
    double energy = 0, power = 0;  ///< V and ∂V/∂x·(w ∘ p) at x + time · w ∘ p

    Measured& operator+=(const Measured& other) {
      energy += other.energy, power += other.power;
      return *this;
    }
  };
  enum Want : unsigned { gradient_only = 1, energy_only = 2, both = 3 };
  template <class Wall>
  void kick(const exec::Executor& exec, const Wall& wall, const double* x, double h, double* p) const;
  template <unsigned want, class Wall>
  Measured measure(const exec::Executor& exec, const Wall& wall, const double* x, const double* p, const double* w,
                   double time) const;
  template <class Wall>
  std::array<math::Vec3, 2> resultant(const Wall& wall, const double* x) const;
  /// The largest over all elements of frequency(rest, strain, shapes), shapes the derivatives by s of its functions.
  template <class Frequency>
  double largest(const exec::Executor& exec, const double* x, Frequency frequency) const;
  /// Where an element lies: a lane of a block of eight, or, below zero, an irregular one.
  struct Place {
    std::size_t number;
    int lane;
  };
  Place place(std::size_t element) const { return {element_index_[element].number, element_index_[element].lane}; }
  /// Areas at rest of a block of eight, zero in lanes that repeat, and of an irregular element (m²).
  math::Pack block_area(std::size_t number) const;
  double irregular_area(std::size_t number) const { return irregular_[number].rest.area(); }
  std::size_t block_count() const { return blocks_.size(); }
  std::size_t irregular_count() const { return irregular_.size(); }

  // One element at a time, for output and for matrices made once.
  ShellPatch patch(std::size_t element) const;
  ShellRest<double> rest_of(std::size_t element) const;
  ShellDerivatives<double> derivatives(std::size_t element, const double* x) const;

 private:
  static constexpr std::size_t lanes = math::Pack::lanes;
  static constexpr std::size_t max_elements = 512;
  static constexpr std::size_t max_vertices = 768;
  static constexpr std::size_t stride = 4;  ///< doubles per vertex, for whole vector loads

  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  struct Tile {
    Range vertices, ghosts, blocks, irregular;
  };
  /// Eight regular elements; lanes from `used` on repeat the first.
  struct Block {
    std::array<std::array<std::uint16_t, lanes>, 12> vertex;  ///< by slot of the patch: numbers within the tile
    std::array<std::array<double, lanes>, 6> rest;
    std::uint32_t used;
  };
  struct GhostTerm {
    std::uint16_t vertex;
    std::array<std::array<double, 3>, 3> map;  ///< by row
  };
  struct TileGhost {
    Range terms;
    std::array<double, 3> offset;
  };
  struct Irregular {
    Range slots;
    ShellRest<double> rest;
  };
  struct Slot {
    std::uint16_t vertex;
    double d1, d2, d11, d22, d12;
  };
  /// Where an element lies: a lane of a block, or an irregular one.
  struct ElementIndex {
    std::uint32_t tile = 0;
    std::uint32_t number = 0;
    std::int32_t lane = -1;  ///< −1: irregular
  };
  struct Work;
  class Builder;
  struct ElasticWall;
  ElasticWall elastic() const;

  void load(const Tile& tile, const double* x, double* local) const;
  void make_ghosts(const Tile& tile, double* local, bool is_position = true) const;
  void return_ghosts(const Tile& tile, double* local) const;
  template <unsigned want, class Wall>
  double evaluate(const Tile& tile, const Wall& wall, const double* x, double* gradient) const;
  template <unsigned want, class Wall>
  double regular(std::size_t number, const Wall& wall, const double* x, double* gradient) const;
  template <unsigned want, class Wall>
  double irregular(std::size_t number, const Wall& wall, const double* x, double* gradient) const;
  ShellDerivatives<math::Pack> derivatives_of(const Block& block, const double* x) const;
  ShellDerivatives<double> derivatives_of(const Irregular& element, const double* x) const;
  void push(const Block& block, const ShellGradient<math::Pack>& g, double* gradient) const;
  void push(const Irregular& element, const ShellGradient<double>& g, double* gradient) const;
  static ShellRest<math::Pack> rest_of(const Block& block);
  void resist(const Tile& tile, const double* x, const double* v, double* gradient) const;
  template <class Gradient>
  void kick_tiles(const exec::Executor& exec, double h, double* p, Gradient&& gradient) const;
  template <class Sum, class OfTile>
  Sum sum_tiles(const exec::Executor& exec, OfTile of_tile) const;

  ShellWall wall_;
  std::vector<Tile> tiles_;
  std::vector<std::uint32_t> by_colour_;      ///< tiles, colour after colour
  std::vector<std::size_t> colour_start_{0};  ///< into by_colour_
  std::vector<int> vertices_;                 ///< of all tiles: numbers in the mesh
  std::vector<TileGhost> ghosts_;
  std::vector<GhostTerm> ghost_terms_;
  std::vector<Block> blocks_;
  std::vector<Irregular> irregular_;
  std::vector<Slot> slots_;
  std::vector<ElementIndex> element_index_;
  std::vector<double> vertex_area_;
};

}  // namespace ictus::mechanics
