#pragma once

// The loops over the elements of a shell, for any wall.

#include <algorithm>
#include <atomic>
#include <ictus/base/index.hpp>
#include <ictus/geometry/subdivision/loop_patch.hpp>
#include <ictus/math/pack_gather.hpp>
#include <ictus/mechanics/shell/shell_tiles.hpp>

namespace ictus::mechanics {

/// Local copies of a tile's vertices and ghosts, four doubles each.
struct ShellTiles::Work {
  alignas(64) double x[max_vertices * stride];
  alignas(64) double y[max_vertices * stride];
};

/// A wall that never yields: what it answers depends on the strains alone.
struct ShellTiles::ElasticWall {
  const ShellWall& wall;

  template <class T>
  [[gnu::always_inline]] T operator()(std::size_t, ShellStrain<T>& s) const {
    set_wall_forces(wall, s);
    return s.energy_density();
  }
};
inline ShellTiles::ElasticWall ShellTiles::elastic() const { return {wall_}; }

inline ShellRest<math::Pack> ShellTiles::rest_of(const Block& block) {
  const auto value = [&](std::size_t i) { return math::Pack::load(block.rest[i].data()); };
  return {value(0), value(1), value(2), value(3), value(4), value(5)};
}

[[gnu::always_inline]] inline ShellDerivatives<math::Pack> ShellTiles::derivatives_of(const Block& block,
                                                                                      const double* x) const {
  ShellDerivatives<math::Pack> d;
#pragma GCC unroll 12
  for (std::size_t i = 0; i < 12; ++i) {
    const geometry::Jet& f = geometry::loop::at_barycentre[i];
    const math::Vector3<math::Pack> vertex = math::gather(x, block.vertex[i].data());
    d.d1 += math::Pack(f.d1) * vertex;
    d.d2 += math::Pack(f.d2) * vertex;
    d.d11 += math::Pack(f.d11) * vertex;
    d.d22 += math::Pack(f.d22) * vertex;
    d.d12 += math::Pack(f.d12) * vertex;
  }
  return d;
}

[[gnu::always_inline]] inline void ShellTiles::push(const Block& block, const ShellGradient<math::Pack>& g,
                                                    double* gradient) const {
  const bool full = block.used == lanes;
#pragma GCC unroll 12
  for (std::size_t i = 0; i < 12; ++i) {
    const geometry::Jet& f = geometry::loop::at_barycentre[i];
    const math::Vector3<math::Pack> force =
        math::Pack(f.d1) * g.z1 + math::Pack(f.d2) * g.z2 +
        (math::Pack(f.d11) * g.q11 + math::Pack(f.d22) * g.q22 + math::Pack(f.d12) * g.q12) * g.normal;
    if (full)
      math::scatter_add(force, gradient, block.vertex[i].data());
    else
      math::scatter_add(force, gradient, block.vertex[i].data(), static_cast<int>(block.used));
  }
}

template <unsigned want, class Wall>
double ShellTiles::regular(std::size_t number, const Wall& wall, const double* x, double* gradient) const {
  const Block& block = blocks_[number];
  const ShellRest<math::Pack> rest = rest_of(block);
  ShellStrain<math::Pack> strain = shell_strain(rest, derivatives_of(block, x));
  const math::Pack density = wall(number, strain);
  if constexpr ((want & gradient_only) != 0) push(block, shell_gradient(rest, strain), gradient);
  double energy = 0;
  if constexpr ((want & energy_only) != 0) {
    const math::Pack each = rest.area() * density;
    for (std::uint32_t lane = 0; lane < block.used; ++lane) energy += each[static_cast<int>(lane)];
  }
  return energy;
}

inline ShellDerivatives<double> ShellTiles::derivatives_of(const Irregular& element, const double* x) const {
  ShellDerivatives<double> d;
  for (std::uint32_t i = element.slots.begin; i < element.slots.end; ++i) {
    const Slot& slot = slots_[i];
    const double* const at = x + stride * slot.vertex;
    const math::Vector3<double> vertex{at[0], at[1], at[2]};
    d.d1 += slot.d1 * vertex;
    d.d2 += slot.d2 * vertex;
    d.d11 += slot.d11 * vertex;
    d.d22 += slot.d22 * vertex;
    d.d12 += slot.d12 * vertex;
  }
  return d;
}

inline void ShellTiles::push(const Irregular& element, const ShellGradient<double>& g, double* gradient) const {
  for (std::uint32_t i = element.slots.begin; i < element.slots.end; ++i) {
    const Slot& slot = slots_[i];
    const math::Vector3<double> force =
        slot.d1 * g.z1 + slot.d2 * g.z2 + (slot.d11 * g.q11 + slot.d22 * g.q22 + slot.d12 * g.q12) * g.normal;
    double* const to = gradient + stride * slot.vertex;
    to[0] += force.x;
    to[1] += force.y;
    to[2] += force.z;
  }
}

template <unsigned want, class Wall>
double ShellTiles::irregular(std::size_t number, const Wall& wall, const double* x, double* gradient) const {
  const Irregular& element = irregular_[number];
  ShellStrain<double> strain = shell_strain(element.rest, derivatives_of(element, x));
  const double density = wall(number, strain);
  if constexpr ((want & gradient_only) != 0) push(element, shell_gradient(element.rest, strain), gradient);
  return (want & energy_only) != 0 ? element.rest.area() * density : 0;
}

template <unsigned want, class Wall>
double ShellTiles::evaluate(const Tile& tile, const Wall& wall, const double* x, double* gradient) const {
  if constexpr ((want & gradient_only) != 0) {
    const std::size_t count = tile.vertices.end - tile.vertices.begin + tile.ghosts.end - tile.ghosts.begin;
    std::fill_n(gradient, stride * count, 0.0);
  }
  double energy = 0;
  for (std::uint32_t b = tile.blocks.begin; b < tile.blocks.end; ++b) energy += regular<want>(b, wall, x, gradient);
  for (std::uint32_t e = tile.irregular.begin; e < tile.irregular.end; ++e)
    energy += irregular<want>(e, wall, x, gradient);
  if constexpr ((want & gradient_only) != 0) return_ghosts(tile, gradient);
  return energy;
}

/// p −= h times what gradient(tile, work) leaves in work.y, colour after colour.
template <class Gradient>
void ShellTiles::kick_tiles(const exec::Executor& exec, double h, double* p, Gradient&& gradient_of) const {
  for (std::size_t colour = 0; colour + 1 < colour_start_.size(); ++colour) {
    const std::size_t first = colour_start_[colour];
    exec.for_items(colour_start_[colour + 1] - first, [&, first](std::size_t item) {
      const Tile& tile = tiles_[by_colour_[first + item]];
      Work work;
      gradient_of(tile, work);
      const double* gradient = work.y;
      for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, gradient += stride) {
        double* const to = p + 3 * base::index(vertices_[i]);
        for (std::size_t c = 0; c < 3; ++c) to[c] -= h * gradient[c];
      }
    });
  }
}

template <class Wall>
void ShellTiles::kick(const exec::Executor& exec, const Wall& wall, const double* x, double h, double* p) const {
  kick_tiles(exec, h, p, [&](const Tile& tile, Work& work) {
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    evaluate<gradient_only>(tile, wall, work.x, work.y);
  });
}

template <class Sum, class OfTile>
Sum ShellTiles::sum_tiles(const exec::Executor& exec, OfTile of_tile) const {
  constexpr std::size_t max_groups = exec::Executor::max_blocks;
  Sum partial[max_groups];
  const std::size_t length = (tiles_.size() + max_groups - 1) / max_groups;
  const std::size_t groups = (tiles_.size() + length - 1) / length;
  exec.for_items(groups, [&](std::size_t group) {
    partial[group] = {};
    for (std::size_t t = group * length; t < std::min((group + 1) * length, tiles_.size()); ++t)
      partial[group] += of_tile(tiles_[t]);
  });
  Sum sum{};
  for (std::size_t group = 0; group < groups; ++group) sum += partial[group];
  return sum;
}

template <unsigned want, class Wall>
ShellTiles::Measured ShellTiles::measure(const exec::Executor& exec, const Wall& wall, const double* x, const double* p,
                                         const double* w, double time) const {
  return sum_tiles<Measured>(exec, [&](const Tile& tile) {
    Work work;
    load(tile, x, work.x);
    if (time != 0) {
      double* local = work.x;
      for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, local += stride) {
        const std::size_t k = 3 * base::index(vertices_[i]);
        for (std::size_t c = 0; c < 3; ++c) local[c] += time * (w[k + c] * p[k + c]);
      }
    }
    make_ghosts(tile, work.x);
    Measured sum{evaluate<want>(tile, wall, work.x, work.y), 0};
    if constexpr ((want & gradient_only) != 0) {
      const double* gradient = work.y;
      for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, gradient += stride) {
        const std::size_t k = 3 * base::index(vertices_[i]);
        for (std::size_t c = 0; c < 3; ++c) sum.power += gradient[c] * (w[k + c] * p[k + c]);
      }
    }
    return sum;
  });
}

template <class Wall>
std::array<math::Vec3, 2> ShellTiles::resultant(const Wall& wall, const double* x) const {
  std::array<math::Vec3, 2> sum{math::Vec3::Zero(), math::Vec3::Zero()};
  for (const Tile& tile : tiles_) {
    Work work;
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    evaluate<gradient_only>(tile, wall, work.x, work.y);
    for (std::uint32_t i = 0; i < tile.vertices.end - tile.vertices.begin; ++i) {
      const math::Vec3 force = -math::Vec3::Map(work.y + stride * i);
      sum[0] += force;
      sum[1] += math::Vec3::Map(work.x + stride * i).cross(force);
    }
  }
  return sum;
}

template <class Frequency>
double ShellTiles::largest(const exec::Executor& exec, const double* x, Frequency frequency) const {
  std::atomic<double> highest = 0;
  exec.for_items(tiles_.size(), [&](std::size_t t) {
    const Tile& tile = tiles_[t];
    Work work;
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    double here = 0;
    for (std::uint32_t b = tile.blocks.begin; b < tile.blocks.end; ++b) {
      const ShellRest<math::Pack> rest = rest_of(blocks_[b]);
      const auto shapes = [&](auto&& each) {
        for (const geometry::Jet& f : geometry::loop::at_barycentre) each(f);
      };
      const math::Pack found = frequency(rest, shell_strain(rest, derivatives_of(blocks_[b], work.x)), shapes);
      here = std::max(here, math::largest_lane(found));
    }
    for (std::uint32_t e = tile.irregular.begin; e < tile.irregular.end; ++e) {
      const Irregular& element = irregular_[e];
      const auto shapes = [&](auto&& each) {
        for (std::uint32_t i = element.slots.begin; i < element.slots.end; ++i) each(slots_[i]);
      };
      here =
          std::max(here, frequency(element.rest, shell_strain(element.rest, derivatives_of(element, work.x)), shapes));
    }
    double known = highest.load(std::memory_order_relaxed);
    while (!(here <= known) && !highest.compare_exchange_weak(known, here, std::memory_order_relaxed)) {
    }
  });
  return highest.load();
}

}  // namespace ictus::mechanics
