#pragma once

#include <array>
#include <cstdint>
#include <ictus/exec/device/device.hpp>
#include <ictus/exec/device/tiling.hpp>
#include <ictus/exec/executor.hpp>
#include <memory>
#include <span>
#include <vector>

// Notation: x positions, p momenta, w inverse masses, f forces, h step.

namespace ictus::exec {

/// What steps add up to besides positions and momenta; sums in an order that depends on the mesh alone.
struct StepSums {
  double work = 0;                ///< ½ h f·w(p⁺ + p⁻) of all steps
  std::array<double, 3> held{};   ///< impulse of the supports
  std::array<double, 3> turn{};   ///< its moment about the origin
  std::array<double, 3> place{};  ///< Σ h m x of all steps, by which gravity turns

  /// Adds what a run has a use for.
  constexpr void add(const StepSums& other, bool weighs, bool holds) {
    work += other.work;
    for (std::size_t c = 0; c < 3 && holds; ++c) {
      held[c] += other.held[c];
      turn[c] += other.turn[c];
    }
    for (std::size_t c = 0; c < 3 && weighs; ++c) place[c] += other.place[c];
  }
};

/// What free motion took from its surroundings: the work of the forces ½ h f·w(p⁺ + p⁻), and impulses with their
/// moments about the origin.
struct FreeSums {
  double work = 0;
  std::array<double, 3> held{}, held_moment{};        ///< of supports
  std::array<double, 3> gravity{}, gravity_moment{};  ///< of gravity
};

/// Vertices with masses, three dofs each.
struct MassPoints {
  std::span<const double> mass;          ///< of each dof
  std::span<const double> inverse_mass;  ///< of each dof; 0 where it is held
  std::array<double, 3> gravity{};
};

/// The leapfrog of the vertices of a mesh under the forces of its items,
///   q_{n+1} = q_n + h w p,   p⁺ = p⁻ + h (f(q_{n+1}) + m g),
/// many steps at once, on the host or on a device, which take the same steps to the last bit. Between calls the state
/// lies where the steps are taken.
class ElementSteps {
 public:
  virtual ~ElementSteps() = default;
  /// Takes a state (q_n, p⁺), three numbers for each vertex in the order of the mesh.
  virtual void set(std::span<const double> q, std::span<const double> p, double h) = 0;
  /// So many steps of h.
  virtual void run(double h, std::int64_t steps) = 0;
  /// The state, and the sums over all steps since the last call.
  virtual FreeSums get(std::span<double> q, std::span<double> p) = 0;
};

/// Lists and state of a tiled mesh, as loops see them.
struct TileViews {
  const Tiling::Tile* tiles;
  const std::uint8_t* count;
  const std::uint16_t* row;
  const std::uint32_t *copy, *shared_copy, *shared_end;
  std::uint32_t own_count, shared_count;
  const double *mass, *inverse_mass;
  const double* x;  ///< q_n
  double* next;     ///< q_{n+1}
  double* p;
  double* copy_sum;  ///< of the forces on each copy
  StepSums* sums;    ///< of each tile, then of each block of shared vertices
  std::array<double, 3> gravity;
  double h;
  bool weighs, holds;  ///< whether gravity acts, and whether some dofs are held
};

/// Asks the device for memory that is read later.
constexpr void prefetch([[maybe_unused]] const void* memory) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(memory));
#endif
}

/// ElementSteps of one kind of items. `Items::view()` is what loops read of them, trivially copyable, with
///   ask(tile, thread) → Asked: what a thread reads of its item before the positions are there;
///   act(tile, thread, threads, asked, x, places, pitch): for the share of a thread of the tile's items, the gradient
///   −f
///     of the energy by each local vertex into the slot's place; x and places are those of the tile, three numbers for
///     each local vertex, and three lists of places, `pitch` apart.
/// Compiled where CUDA is, see tile_steps_run.hpp.
template <class Items>
class TileSteps final : public ElementSteps {
 public:
  /// On the device of `exec`, or its threads where it has none.
  TileSteps(const Tiling& tiling, Items items, const MassPoints& points, const Executor& exec);

  void set(std::span<const double> q, std::span<const double> p, double h) override;
  void run(double h, std::int64_t steps) override;
  FreeSums get(std::span<double> q, std::span<double> p) override;

 private:
  /// Steps that a device takes as one; even, so that positions lie where they did.
  static constexpr std::int64_t graph_steps = 32;

  TileViews views(double h);
  void step(const TileViews& views, void* stream = nullptr);
  void step_on(double h, void* stream);
  std::size_t tile_memory() const;

  Executor exec_;
  Items items_;
  std::vector<std::uint32_t> vertex_;  // the number in the mesh of each vertex
  std::size_t tiles_, max_local_, max_places_, max_rows_;
  std::uint32_t own_count_, shared_count_;
  std::array<double, 3> gravity_;
  bool holds_;
  std::array<double, 3> total_mass_{};  // along each axis
  DeviceGraph graph_;
  double graph_h_ = 0;  // for which it was recorded, and the positions it begins with
  std::size_t graph_now_ = 0;
  double elapsed_ = 0;  // since the last get
  PlacedArray<Tiling::Tile> tile_list_;
  PlacedArray<std::uint8_t> count_;
  PlacedArray<std::uint16_t> row_;
  PlacedArray<std::uint32_t> copy_, shared_copy_, shared_end_;
  PlacedArray<double> mass_;
  std::vector<double> host_inverse_mass_;
  PlacedArray<double> inverse_mass_;
  std::array<PlacedArray<double>, 2> x_;  // q_n and q_{n+1}, in turn
  std::size_t now_ = 0;
  PlacedArray<double> p_, copy_sum_;
  PlacedArray<StepSums> sums_;
};

}  // namespace ictus::exec
