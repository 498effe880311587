#pragma once

// What TileSteps does, for the host and for a device. Only .cu files, which instantiate it, include this.
//
// A step has two loops. The first takes the tiles: their positions are copied, the items act, each vertex adds up its
// places, and the tile's own vertices move. The second takes the shared vertices, which add up their copies and move.
// Both are written once, as what a thread does between two barriers.

#include <algorithm>
#include <ictus/exec/device/tile_steps.hpp>
#include <stdexcept>

namespace ictus::exec {

namespace tile_steps {

/// Threads of a tile, and shared vertices of a block.
inline constexpr std::uint32_t threads = 256;
inline constexpr std::uint32_t warp = 32;

struct Three {
  double x, y, z;
};
template <std::size_t c>
constexpr double component(const Three& a) {
  return c == 0 ? a.x : c == 1 ? a.y : a.z;
}

/// What a vertex moves by besides its force.
struct Vertex {
  Three x, p, w;
};
constexpr Three three(const double* from) { return {from[0], from[1], from[2]}; }

/// One dof of a vertex, the c-th of three: p⁺ and q_{n+1} from the derivative g of the energy by it.
template <std::size_t c>
constexpr void move_along(const TileViews& v, std::size_t k, const Vertex& vertex, double g, StepSums& sums) {
  const double before = component<c>(vertex.p), w = component<c>(vertex.w), at = component<c>(vertex.x);
  double after = before - v.h * g;
  if (v.weighs) {
    after += v.h * v.mass[k] * v.gravity[c];
    sums.place[c] += v.h * v.mass[k] * at;
  }
  if (v.holds && w == 0) {
    constexpr std::size_t i = (c + 1) % 3, j = (c + 2) % 3;
    sums.held[c] -= after;
    sums.turn[i] -= component<j>(vertex.x) * after;
    sums.turn[j] += component<i>(vertex.x) * after;
    after = 0;
  } else {
    sums.work += 0.5 * w * (after - before) * (after + before);
  }
  v.p[k] = after;
  v.next[k] = at + v.h * w * after;
}

constexpr void move(const TileViews& v, std::size_t k, const Vertex& vertex, const Three& gradient, StepSums& sums) {
  move_along<0>(v, k, vertex, gradient.x, sums);
  move_along<1>(v, k + 1, vertex, gradient.y, sums);
  move_along<2>(v, k + 2, vertex, gradient.z, sums);
}

/// The positions of a tile, and where the rows of its places begin.
constexpr void load(const TileViews& v, std::uint32_t tile, std::uint32_t thread, double* x, std::uint16_t* rows) {
  const Tiling::Tile &begin = v.tiles[tile], &end = v.tiles[tile + 1];
  const std::uint32_t own = end.own - begin.own, copies = end.copies - begin.copies;
  for (std::uint32_t i = thread; i < copies; i += threads) {
    const std::size_t from = 3 * (std::size_t{v.own_count} + v.copy[begin.copies + i]), to = 3 * (own + i);
    x[to] = v.x[from];
    x[to + 1] = v.x[from + 1];
    x[to + 2] = v.x[from + 2];
  }
  for (std::uint32_t i = thread; i < 3 * own; i += threads) {
    const std::size_t k = 3 * std::size_t{begin.own} + i;
    x[i] = v.x[k];
    prefetch(v.p + k);
    prefetch(v.inverse_mass + k);
  }
  for (std::uint32_t i = thread; i < end.rows - begin.rows; i += threads) rows[i] = v.row[begin.rows + i];
  prefetch(v.count + begin.counts + thread);
}

constexpr void add_up(const TileViews& v, std::uint32_t tile, std::uint32_t thread, const double* x,
                      const double* places, std::uint32_t pitch, const std::uint16_t* rows, StepSums& sums) {
  const Tiling::Tile &begin = v.tiles[tile], &end = v.tiles[tile + 1];
  const std::uint32_t own = end.own - begin.own, locals = end.counts - begin.counts;
  // The first vertices of both kinds have a place in each of their rows.
  const std::uint32_t own_rows = own > 0 ? v.count[begin.counts] : 0;
  for (std::uint32_t i = thread; i < locals; i += threads) {
    const bool is_own = i < own;
    const std::size_t k = 3 * (std::size_t{begin.own} + i);
    Vertex vertex{};
    if (is_own) vertex = {three(x + 3 * i), three(v.p + k), three(v.inverse_mass + k)};
    const std::uint16_t* const row = rows + (is_own ? 0 : own_rows);
    const double* const first = places + (is_own ? i : i - own);
    const std::uint32_t count = v.count[begin.counts + i];
    Three sum{0, 0, 0};
    for (std::uint32_t n = 0; n < count; ++n) {
      const double* const at = first + row[n];
      sum.x += at[0];
      sum.y += at[pitch];
      sum.z += at[2 * pitch];
    }
    if (is_own) {
      move(v, k, vertex, sum, sums);
    } else {
      double* const to_copy = v.copy_sum + 3 * (std::size_t{begin.copies} + i - own);
      to_copy[0] = sum.x;
      to_copy[1] = sum.y;
      to_copy[2] = sum.z;
    }
  }
}

constexpr void join(const TileViews& v, std::uint32_t block, std::uint32_t thread, StepSums& sums) {
  const std::uint32_t shared = block * threads + thread;
  if (shared >= v.shared_count) return;
  const std::size_t k = 3 * (std::size_t{v.own_count} + shared);
  const Vertex vertex{three(v.x + k), three(v.p + k), three(v.inverse_mass + k)};
  Three sum{0, 0, 0};
  for (std::uint32_t n = shared == 0 ? 0 : v.shared_end[shared - 1]; n < v.shared_end[shared]; ++n) {
    const double* const from = v.copy_sum + 3 * std::size_t{v.shared_copy[n]};
    sum.x += from[0];
    sum.y += from[1];
    sum.z += from[2];
  }
  move(v, k, vertex, sum, sums);
}

constexpr std::uint32_t blocks(std::uint32_t items) { return (items + threads - 1) / threads; }

#if defined(__CUDACC__)

/// Sums of a block: within warps by halves, then warp after warp; those that a run has no use for are left out.
__device__ inline void book(const TileViews& v, StepSums sums, StepSums* of_warps, StepSums& to) {
  const auto halve = [](double& value) {
    for (int by = warp / 2; by > 0; by /= 2) value += __shfl_down_sync(0xffffffffU, value, by);
  };
  halve(sums.work);
  for (int c = 0; c < 3; ++c) {
    if (v.holds) {
      halve(sums.held[c]);
      halve(sums.turn[c]);
    }
    if (v.weighs) halve(sums.place[c]);
  }
  if (threadIdx.x % warp == 0) of_warps[threadIdx.x / warp] = sums;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (std::uint32_t i = 1; i < threads / warp; ++i) sums.add(of_warps[i], v.weighs, v.holds);
  to.add(sums, v.weighs, v.holds);
}

template <class View>
__global__ void __launch_bounds__(threads, 2)
    step_tiles(TileViews v, View items, std::uint32_t local, std::uint32_t pitch) {
  extern __shared__ double memory[];
  __shared__ StepSums of_warps[threads / warp];
  double *const x = memory, *const places = memory + 3 * local;
  auto* const rows = reinterpret_cast<std::uint16_t*>(places + 3 * pitch);
  typename View::Asked asked = items.ask(blockIdx.x, threadIdx.x);
  load(v, blockIdx.x, threadIdx.x, x, rows);
  __syncthreads();
  items.act(blockIdx.x, threadIdx.x, threads, asked, x, places, pitch);
  __syncthreads();
  StepSums sums;
  add_up(v, blockIdx.x, threadIdx.x, x, places, pitch, rows, sums);
  book(v, sums, of_warps, v.sums[blockIdx.x]);
}

template <int>
__global__ void step_shared(TileViews v, std::uint32_t tiles) {
  __shared__ StepSums of_warps[threads / warp];
  StepSums sums;
  join(v, blockIdx.x, threadIdx.x, sums);
  book(v, sums, of_warps, v.sums[tiles + blockIdx.x]);
}

#endif

/// The same on the host.
inline void book_block(const TileViews& v, StepSums* of_threads, StepSums& to) {
  for (std::uint32_t first = 0; first < threads; first += warp) {
    for (std::uint32_t by = warp / 2; by > 0; by /= 2)
      for (std::uint32_t i = 0; i < by; ++i) of_threads[first + i].add(of_threads[first + i + by], v.weighs, v.holds);
  }
  for (std::uint32_t first = warp; first < threads; first += warp)
    of_threads[0].add(of_threads[first], v.weighs, v.holds);
  to.add(of_threads[0], v.weighs, v.holds);
}

/// The numbers of each vertex, in the order of the tiling.
inline std::vector<double> renumbered(std::span<const std::uint32_t> vertex, std::span<const double> values) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < vertex.size(); ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(3 * std::size_t{vertex[i]}), 3,
                result.begin() + static_cast<std::ptrdiff_t>(3 * i));
  return result;
}

inline void renumber_back(std::span<const std::uint32_t> vertex, std::span<const double> values, std::span<double> to) {
  for (std::size_t i = 0; i < vertex.size(); ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(3 * i), 3,
                to.begin() + static_cast<std::ptrdiff_t>(3 * std::size_t{vertex[i]}));
}

}  // namespace tile_steps

template <class Items>
TileSteps<Items>::TileSteps(const Tiling& tiling, Items items, const MassPoints& points, const Executor& exec)
    : exec_(exec),
      items_(std::move(items)),
      vertex_(tiling.vertex),
      tiles_(tiling.tile_count()),
      max_local_(tiling.max_local()),
      max_places_(tiling.max_places()),
      max_rows_(tiling.max_rows()),
      own_count_(tiling.own_count),
      shared_count_(static_cast<std::uint32_t>(tiling.shared_count())),
      gravity_(points.gravity),
      holds_(std::find(points.inverse_mass.begin(), points.inverse_mass.end(), 0.0) != points.inverse_mass.end()),
      tile_list_(tiling.tiles, exec_.device().get()),
      count_(tiling.count, exec_.device().get()),
      row_(tiling.row, exec_.device().get()),
      copy_(tiling.copy, exec_.device().get()),
      shared_copy_(tiling.shared_copy, exec_.device().get()),
      shared_end_(tiling.shared_end, exec_.device().get()),
      mass_(tile_steps::renumbered(vertex_, points.mass), exec_.device().get()),
      host_inverse_mass_(tile_steps::renumbered(vertex_, points.inverse_mass)),
      inverse_mass_(host_inverse_mass_, exec_.device().get()),
      x_{PlacedArray<double>(std::vector<double>(3 * vertex_.size()), exec_.device().get()),
         PlacedArray<double>(std::vector<double>(3 * vertex_.size()), exec_.device().get())},
      p_(std::vector<double>(3 * vertex_.size()), exec_.device().get()),
      copy_sum_(std::vector<double>(3 * tiling.copy.size()), exec_.device().get()),
      sums_(std::vector<StepSums>(tiles_ + tile_steps::blocks(shared_count_)), exec_.device().get()) {
  for (std::size_t k = 0; k < points.mass.size(); ++k) total_mass_[k % 3] += points.mass[k];
#if defined(__CUDACC__)
  if (exec_.device()) {
    const std::size_t bytes = tile_memory();
    void (*const kernel)(TileViews, typename Items::View, std::uint32_t, std::uint32_t) =
        &tile_steps::step_tiles<typename Items::View>;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
        cudaSuccess)
      throw std::logic_error("a tile does not fit the shared memory of the GPU");
  }
#endif
}

/// Of positions, places and rows (bytes).
template <class Items>
std::size_t TileSteps<Items>::tile_memory() const {
  return 3 * (max_local_ + max_places_) * sizeof(double) + max_rows_ * sizeof(std::uint16_t);
}

template <class Items>
TileViews TileSteps<Items>::views(double h) {
  return {tile_list_.data(),
          count_.data(),
          row_.data(),
          copy_.data(),
          shared_copy_.data(),
          shared_end_.data(),
          own_count_,
          shared_count_,
          mass_.data(),
          inverse_mass_.data(),
          x_[now_].data(),
          x_[1 - now_].data(),
          p_.data(),
          copy_sum_.data(),
          sums_.data(),
          gravity_,
          h,
          gravity_ != std::array<double, 3>{},
          holds_};
}

template <class Items>
void TileSteps<Items>::set(std::span<const double> q, std::span<const double> p, double h) {
  std::vector<double> x = tile_steps::renumbered(vertex_, q);
  const std::vector<double> momenta = tile_steps::renumbered(vertex_, p);
  x_[now_].write(x);
  p_.write(momenta);
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = x[k] + h * host_inverse_mass_[k] * momenta[k];
  x_[1 - now_].write(x);
}

template <class Items>
void TileSteps<Items>::run(double h, std::int64_t steps) {
  elapsed_ += h * static_cast<double>(steps);
  if (exec_.device() && steps >= graph_steps) {
    if (graph_.is_empty() || graph_h_ != h || graph_now_ != now_) {
      graph_h_ = h;
      graph_now_ = now_;
      graph_.record(
          [](void* self, void* stream) {
            auto& of = *static_cast<TileSteps*>(self);
            for (std::int64_t n = 0; n < graph_steps; ++n) of.step_on(of.graph_h_, stream);
          },
          this);
    }
    for (; steps >= graph_steps; steps -= graph_steps) graph_.replay();
  }
  for (; steps > 0; --steps) step_on(h, nullptr);
}

template <class Items>
void TileSteps<Items>::step_on(double h, void* stream) {
  now_ = 1 - now_;
  step(views(h), stream);
}

template <class Items>
void TileSteps<Items>::step(const TileViews& v, [[maybe_unused]] void* stream) {
  const auto items = items_.view();
  const auto local = static_cast<std::uint32_t>(max_local_), pitch = static_cast<std::uint32_t>(max_places_);
  const auto tiles = static_cast<std::uint32_t>(tiles_);
  const std::uint32_t shared_blocks = tile_steps::blocks(shared_count_);
#if defined(__CUDACC__)
  if (exec_.device()) {
    const std::size_t bytes = tile_memory();
    auto* const to = static_cast<cudaStream_t>(stream);
    tile_steps::step_tiles<<<tiles, tile_steps::threads, bytes, to>>>(v, items, local, pitch);
    if (shared_blocks > 0) tile_steps::step_shared<0><<<shared_blocks, tile_steps::threads, 0, to>>>(v, tiles);
    return;
  }
#endif
  exec_.for_items(tiles, [&](std::size_t number) {
    const auto tile = static_cast<std::uint32_t>(number);
    std::vector<double> x(3 * local), places(3 * std::size_t{pitch});
    std::vector<std::uint16_t> rows(max_rows_);
    StepSums sums[tile_steps::threads];
    for (std::uint32_t i = 0; i < tile_steps::threads; ++i) tile_steps::load(v, tile, i, x.data(), rows.data());
    for (std::uint32_t i = 0; i < tile_steps::threads; ++i) {
      auto asked = items.ask(tile, i);
      items.act(tile, i, tile_steps::threads, asked, x.data(), places.data(), pitch);
    }
    for (std::uint32_t i = 0; i < tile_steps::threads; ++i)
      tile_steps::add_up(v, tile, i, x.data(), places.data(), pitch, rows.data(), sums[i]);
    tile_steps::book_block(v, sums, v.sums[tile]);
  });
  exec_.for_items(shared_blocks, [&](std::size_t block) {
    StepSums sums[tile_steps::threads];
    for (std::uint32_t i = 0; i < tile_steps::threads; ++i)
      tile_steps::join(v, static_cast<std::uint32_t>(block), i, sums[i]);
    tile_steps::book_block(v, sums, v.sums[tiles + block]);
  });
}

template <class Items>
FreeSums TileSteps<Items>::get(std::span<double> q, std::span<double> p) {
  if (exec_.device()) exec_.device()->wait();
  std::vector<double> values(3 * vertex_.size());
  x_[now_].read(values);
  tile_steps::renumber_back(vertex_, values, q);
  p_.read(values);
  tile_steps::renumber_back(vertex_, values, p);
  std::vector<StepSums> sums(sums_.size());
  sums_.read(sums);
  StepSums total;
  for (const StepSums& of_block : sums) total.add(of_block, true, true);
  sums_.write(std::vector<StepSums>(sums.size()));
  FreeSums free{total.work, total.held, total.turn, {}, {}};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t i = (c + 1) % 3, j = (c + 2) % 3;
    free.gravity[c] = elapsed_ * total_mass_[c] * gravity_[c];
    free.gravity_moment[c] = total.place[i] * gravity_[j] - total.place[j] * gravity_[i];
  }
  elapsed_ = 0;
  return free;
}

}  // namespace ictus::exec
