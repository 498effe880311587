#include <ictus/mechanics/shell/shell_tiles.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/subdivision/loop_patch.hpp>
#include <ictus/mechanics/shell/shell_tile_loops.hpp>

namespace ictus::mechanics {

using base::index;

using math::Pack;
using math::Vector3;

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

void ShellTiles::kick(const exec::Executor& exec, const double* x, double h, double* p) const {
  kick(exec, elastic(), x, h, p);
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

double ShellTiles::energy(const exec::Executor& exec, const double* x, const double* p, const double* w,
                          double time) const {
  return measure<energy_only>(exec, elastic(), x, p, w, time).energy;
}

double ShellTiles::interval_energy(const exec::Executor& exec, const double* x, const double* p, const double* w,
                                   double h) const {
  const Measured now = measure<both>(exec, elastic(), x, p, w, 0);
  return now.energy + 0.5 * h * now.power;
}

std::array<math::Vec3, 2> ShellTiles::resultant(const double* x) const { return resultant(elastic(), x); }

Pack ShellTiles::block_area(std::size_t number) const {
  Pack area = rest_of(blocks_[number]).area();
  for (std::size_t lane = blocks_[number].used; lane < lanes; ++lane) area.v[lane] = 0;
  return area;
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
