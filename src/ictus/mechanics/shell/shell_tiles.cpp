#include <ictus/mechanics/shell/shell_tiles.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/subdivision/loop_patch.hpp>
#include <ictus/math/pack_gather.hpp>

namespace ictus::mechanics {

using base::index;

using math::Pack;
using math::Vector3;

namespace {

enum Want : unsigned { gradient_only = 1, energy_only = 2, both = 3 };

}  // namespace

/// Local copies of a tile's vertices and ghosts, four doubles each.
struct ShellTiles::Work {
  alignas(64) double x[max_vertices * stride];
  alignas(64) double y[max_vertices * stride];
};

void ShellTiles::load(const Tile& tile, const double* x, double* local) const {
  for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, local += stride) {
    const double* const from = x + 3 * index(vertices_[i]);
    local[0] = from[0];
    local[1] = from[1];
    local[2] = from[2];
    local[3] = 0;
  }
}

void ShellTiles::make_ghosts(const Tile& tile, double* local, bool is_position) const {
  double* to = local + stride * (tile.vertices.end - tile.vertices.begin);
  for (std::uint32_t g = tile.ghosts.begin; g < tile.ghosts.end; ++g, to += stride) {
    for (std::size_t c = 0; c < 3; ++c) to[c] = is_position ? ghosts_[g].offset[c] : 0;
    to[3] = 0;
    for (std::uint32_t i = ghosts_[g].terms.begin; i < ghosts_[g].terms.end; ++i) {
      const GhostTerm& term = ghost_terms_[i];
      const double* const x = local + stride * term.vertex;
      for (std::size_t c = 0; c < 3; ++c) {
        to[c] += term.map[c][0] * x[0] + term.map[c][1] * x[1] + term.map[c][2] * x[2];
      }
    }
  }
}

void ShellTiles::return_ghosts(const Tile& tile, double* local) const {
  const double* from = local + stride * (tile.vertices.end - tile.vertices.begin);
  for (std::uint32_t g = tile.ghosts.begin; g < tile.ghosts.end; ++g, from += stride) {
    for (std::uint32_t i = ghosts_[g].terms.begin; i < ghosts_[g].terms.end; ++i) {
      const GhostTerm& term = ghost_terms_[i];
      double* const f = local + stride * term.vertex;
      for (std::size_t c = 0; c < 3; ++c) {
        f[c] += term.map[0][c] * from[0] + term.map[1][c] * from[1] + term.map[2][c] * from[2];
      }
    }
  }
}

ShellRest<Pack> ShellTiles::rest_of(const Block& block) {
  const auto value = [&](std::size_t i) { return Pack::load(block.rest[i].data()); };
  return {value(0), value(1), value(2), value(3), value(4), value(5)};
}

[[gnu::always_inline]] inline ShellDerivatives<Pack> ShellTiles::derivatives_of(const Block& block,
                                                                                const double* x) const {
  ShellDerivatives<Pack> d;
#pragma GCC unroll 12
  for (std::size_t i = 0; i < 12; ++i) {
    const geometry::Jet& f = geometry::loop::at_barycentre[i];
    const Vector3<Pack> vertex = math::gather(x, block.vertex[i].data());
    d.d1 += Pack(f.d1) * vertex;
    d.d2 += Pack(f.d2) * vertex;
    d.d11 += Pack(f.d11) * vertex;
    d.d22 += Pack(f.d22) * vertex;
    d.d12 += Pack(f.d12) * vertex;
  }
  return d;
}

[[gnu::always_inline]] inline void ShellTiles::push(const Block& block, const ShellGradient<Pack>& g,
                                                    double* gradient) const {
  const bool full = block.used == lanes;
#pragma GCC unroll 12
  for (std::size_t i = 0; i < 12; ++i) {
    const geometry::Jet& f = geometry::loop::at_barycentre[i];
    const Vector3<Pack> force = Pack(f.d1) * g.z1 + Pack(f.d2) * g.z2 +
                                (Pack(f.d11) * g.q11 + Pack(f.d22) * g.q22 + Pack(f.d12) * g.q12) * g.normal;
    if (full)
      math::scatter_add(force, gradient, block.vertex[i].data());
    else
      math::scatter_add(force, gradient, block.vertex[i].data(), static_cast<int>(block.used));
  }
}

template <unsigned want>
double ShellTiles::regular(const Block& block, const double* x, double* gradient) const {
  const ShellRest<Pack> rest = rest_of(block);
  const ShellStrain<Pack> strain = shell_strain(rest, wall_, derivatives_of(block, x));
  if constexpr ((want & gradient_only) != 0) push(block, shell_gradient(rest, strain), gradient);
  double energy = 0;
  if constexpr ((want & energy_only) != 0) {
    const Pack each = rest.area() * strain.energy_density();
    for (std::uint32_t lane = 0; lane < block.used; ++lane) energy += each[static_cast<int>(lane)];
  }
  return energy;
}

ShellDerivatives<double> ShellTiles::derivatives_of(const Irregular& element, const double* x) const {
  ShellDerivatives<double> d;
  for (std::uint32_t i = element.slots.begin; i < element.slots.end; ++i) {
    const Slot& slot = slots_[i];
    const double* const at = x + stride * slot.vertex;
    const Vector3<double> vertex{at[0], at[1], at[2]};
    d.d1 += slot.d1 * vertex;
    d.d2 += slot.d2 * vertex;
    d.d11 += slot.d11 * vertex;
    d.d22 += slot.d22 * vertex;
    d.d12 += slot.d12 * vertex;
  }
  return d;
}

void ShellTiles::push(const Irregular& element, const ShellGradient<double>& g, double* gradient) const {
  for (std::uint32_t i = element.slots.begin; i < element.slots.end; ++i) {
    const Slot& slot = slots_[i];
    const Vector3<double> force =
        slot.d1 * g.z1 + slot.d2 * g.z2 + (slot.d11 * g.q11 + slot.d22 * g.q22 + slot.d12 * g.q12) * g.normal;
    double* const to = gradient + stride * slot.vertex;
    to[0] += force.x;
    to[1] += force.y;
    to[2] += force.z;
  }
}

template <unsigned want>
double ShellTiles::irregular(const Irregular& element, const double* x, double* gradient) const {
  const ShellStrain<double> strain = shell_strain(element.rest, wall_, derivatives_of(element, x));
  if constexpr ((want & gradient_only) != 0) push(element, shell_gradient(element.rest, strain), gradient);
  return (want & energy_only) != 0 ? element.rest.area() * strain.energy_density() : 0;
}

template <unsigned want>
double ShellTiles::evaluate(const Tile& tile, const double* x, double* gradient) const {
  if constexpr ((want & gradient_only) != 0) {
    const std::size_t count = tile.vertices.end - tile.vertices.begin + tile.ghosts.end - tile.ghosts.begin;
    std::fill_n(gradient, stride * count, 0.0);
  }
  double energy = 0;
  for (std::uint32_t b = tile.blocks.begin; b < tile.blocks.end; ++b) energy += regular<want>(blocks_[b], x, gradient);
  for (std::uint32_t e = tile.irregular.begin; e < tile.irregular.end; ++e)
    energy += irregular<want>(irregular_[e], x, gradient);
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
        double* const to = p + 3 * index(vertices_[i]);
        for (std::size_t c = 0; c < 3; ++c) to[c] -= h * gradient[c];
      }
    });
  }
}

void ShellTiles::kick(const exec::Executor& exec, const double* x, double h, double* p) const {
  kick_tiles(exec, h, p, [&](const Tile& tile, Work& work) {
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    evaluate<gradient_only>(tile, work.x, work.y);
  });
}

void ShellTiles::apply_damping(const exec::Executor& exec, const double* x, const double* v, double h,
                               double* p) const {
  kick_tiles(exec, h, p, [&](const Tile& tile, Work& work) {
    Work moving;
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    load(tile, v, moving.x);
    make_ghosts(tile, moving.x, false);
    resist(tile, work.x, moving.x, work.y);
  });
}

void ShellTiles::resist(const Tile& tile, const double* x, const double* v, double* gradient) const {
  const std::size_t count = tile.vertices.end - tile.vertices.begin + tile.ghosts.end - tile.ghosts.begin;
  std::fill_n(gradient, stride * count, 0.0);
  const auto resist_one = [&](const auto& element, const auto& rest) {
    const auto rates = shell_rates(rest, wall_, derivatives_of(element, x), derivatives_of(element, v));
    push(element, shell_gradient(rest, rates), gradient);
  };
  for (std::uint32_t b = tile.blocks.begin; b < tile.blocks.end; ++b) resist_one(blocks_[b], rest_of(blocks_[b]));
  for (std::uint32_t e = tile.irregular.begin; e < tile.irregular.end; ++e)
    resist_one(irregular_[e], irregular_[e].rest);
  return_ghosts(tile, gradient);
}

template <class TileEnergy>
double ShellTiles::sum_tiles(const exec::Executor& exec, TileEnergy energy) const {
  constexpr std::size_t max_groups = exec::Executor::max_blocks;
  double partial[max_groups];
  const std::size_t length = (tiles_.size() + max_groups - 1) / max_groups;
  const std::size_t groups = (tiles_.size() + length - 1) / length;
  exec.for_items(groups, [&](std::size_t group) {
    partial[group] = 0;
    for (std::size_t t = group * length; t < std::min((group + 1) * length, tiles_.size()); ++t)
      partial[group] += energy(tiles_[t]);
  });
  double sum = 0;
  for (std::size_t group = 0; group < groups; ++group) sum += partial[group];
  return sum;
}

double ShellTiles::energy(const exec::Executor& exec, const double* x, const double* p, const double* w,
                          double time) const {
  return sum_tiles(exec, [&](const Tile& tile) {
    Work work;
    load(tile, x, work.x);
    if (time != 0) {
      double* local = work.x;
      for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, local += stride) {
        const std::size_t k = 3 * index(vertices_[i]);
        for (std::size_t c = 0; c < 3; ++c) local[c] += time * (w[k + c] * p[k + c]);
      }
    }
    make_ghosts(tile, work.x);
    return evaluate<energy_only>(tile, work.x, work.y);
  });
}

double ShellTiles::interval_energy(const exec::Executor& exec, const double* x, const double* p, const double* w,
                                   double h) const {
  return sum_tiles(exec, [&](const Tile& tile) {
    Work work;
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    double energy = evaluate<both>(tile, work.x, work.y);
    const double* gradient = work.y;
    for (std::uint32_t i = tile.vertices.begin; i < tile.vertices.end; ++i, gradient += stride) {
      const std::size_t k = 3 * index(vertices_[i]);
      for (std::size_t c = 0; c < 3; ++c) energy += 0.5 * h * gradient[c] * (w[k + c] * p[k + c]);
    }
    return energy;
  });
}

std::array<math::Vec3, 2> ShellTiles::resultant(const double* x) const {
  std::array<math::Vec3, 2> sum{math::Vec3::Zero(), math::Vec3::Zero()};
  for (const Tile& tile : tiles_) {
    Work work;
    load(tile, x, work.x);
    make_ghosts(tile, work.x);
    evaluate<gradient_only>(tile, work.x, work.y);
    for (std::uint32_t i = 0; i < tile.vertices.end - tile.vertices.begin; ++i) {
      const math::Vec3 force = -math::Vec3::Map(work.y + stride * i);
      sum[0] += force;
      sum[1] += math::Vec3::Map(work.x + stride * i).cross(force);
    }
  }
  return sum;
}

ShellPatch ShellTiles::patch(std::size_t element) const {
  const ElementIndex& at = element_index_[element];
  const Tile& tile = tiles_[at.tile];
  ShellPatch result;
  const auto add = [&](std::uint16_t local, double d1, double d2, double d11, double d22, double d12) {
    const std::uint32_t own = tile.vertices.end - tile.vertices.begin;
    if (local < own) {
      result.push_back(
          {vertices_[tile.vertices.begin + local], Eigen::Matrix3d::Identity(), {}, d1, d2, d11, d22, d12});
      return;
    }
    const TileGhost& ghost = ghosts_[tile.ghosts.begin + local - own];
    for (std::uint32_t i = ghost.terms.begin; i < ghost.terms.end; ++i) {
      const GhostTerm& term = ghost_terms_[i];
      const std::array<double, 3> offset = i == ghost.terms.begin ? ghost.offset : std::array<double, 3>{};
      Eigen::Matrix3d map;
      for (int c = 0; c < 3; ++c) map.row(c) = math::Vec3::Map(term.map[index(c)].data());
      result.push_back({vertices_[tile.vertices.begin + term.vertex], map, offset, d1, d2, d11, d22, d12});
    }
  };
  if (at.lane < 0) {
    const Irregular& irregular = irregular_[at.number];
    for (std::uint32_t i = irregular.slots.begin; i < irregular.slots.end; ++i) {
      const Slot& s = slots_[i];
      add(s.vertex, s.d1, s.d2, s.d11, s.d22, s.d12);
    }
  } else {
    for (std::size_t i = 0; i < 12; ++i) {
      const geometry::Jet& f = geometry::loop::at_barycentre[i];
      add(blocks_[at.number].vertex[i][index(at.lane)], f.d1, f.d2, f.d11, f.d22, f.d12);
    }
  }
  return result;
}

ShellDerivatives<double> ShellTiles::derivatives(std::size_t element, const double* x) const {
  ShellDerivatives<double> d;
  for (const ShellPatchEntry& entry : patch(element)) {
    const math::Vec3 at =
        entry.map * math::Vec3::Map(x + 3 * index(entry.vertex)) + math::Vec3::Map(entry.offset.data());
    const Vector3<double> vertex{at.x(), at.y(), at.z()};
    d.d1 += entry.d1 * vertex;
    d.d2 += entry.d2 * vertex;
    d.d11 += entry.d11 * vertex;
    d.d22 += entry.d22 * vertex;
    d.d12 += entry.d12 * vertex;
  }
  return d;
}

ShellRest<double> ShellTiles::rest_of(std::size_t element) const {
  const ElementIndex& at = element_index_[element];
  if (at.lane < 0) return irregular_[at.number].rest;
  const auto& rest = blocks_[at.number].rest;
  const std::size_t lane = index(at.lane);
  return {rest[0][lane], rest[1][lane], rest[2][lane], rest[3][lane], rest[4][lane], rest[5][lane]};
}

}  // namespace ictus::mechanics
