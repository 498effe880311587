#pragma once

#include <cstdint>
#include <ictus/exec/device/tile_steps.hpp>
#include <ictus/geometry/subdivision/loop_functions.hpp>
#include <ictus/mechanics/shell/shell_element.hpp>
#include <utility>
#include <vector>

namespace ictus::mechanics {

/// The elements of a shell as exec::TileSteps takes them: regular elements with a common edge in pairs, which read and
/// write fourteen vertices instead of twice twelve, all others one by one with the weights of their patch.
class ShellItems {
 public:
  /// The vertices of a pair: those of the first element's patch, whose corners 1 and 2 are the ends of the common edge,
  /// and two more; and where the vertices of the second's patch lie among them, its corners 1 and 2 being the same
  /// ends.
  static constexpr std::size_t pair_vertices = 14;
  static constexpr std::array<std::uint8_t, 12> second{4, 2, 1, 11, 0, 8, 12, 13, 5, 10, 9, 3};

  /// Lists of the items in the order of the tiling.
  struct Lists {
    /// Where a tile's pairs and patches begin.
    struct Tile {
      std::uint32_t pairs, patches;
    };
    /// ∂₁, ∂₂, ∂₁₁, ∂₂₂, ∂₁₂ of a vertex's function.
    struct Weight {
      double d1, d2, d11, d22, d12;
    };
    /// A patch by itself: where its slots begin and how far apart they lie, where its weights begin, and how many there
    /// are of both. In a tile patches of the same weights follow each other, and their slots lie side by side.
    struct Patch {
      std::uint32_t slots, stride, weights, count;
    };
    std::vector<Tile> tiles;                    ///< with one more, where the last ends
    std::vector<exec::Tiling::Slot> pair_slot;  ///< slot k of pair i at k · pairs + i
    std::vector<double> pair_rest;              ///< of both elements, likewise
    std::vector<Patch> patch;
    std::vector<ShellRest<double>> patch_rest;
    std::vector<exec::Tiling::Slot> patch_slot;
    std::vector<Weight> weight;  ///< of each kind of patch once
    ShellWall wall{};
  };

  ShellItems(Lists lists, const exec::Device* device)
      : pairs_(lists.pair_slot.size() / pair_vertices),
        wall_(lists.wall),
        tiles_(std::move(lists.tiles), device),
        pair_slot_(std::move(lists.pair_slot), device),
        pair_rest_(std::move(lists.pair_rest), device),
        patch_(std::move(lists.patch), device),
        patch_rest_(std::move(lists.patch_rest), device),
        patch_slot_(std::move(lists.patch_slot), device),
        weight_(std::move(lists.weight), device) {}

  struct View {
    const Lists::Tile* tiles;
    const exec::Tiling::Slot* pair_slot;
    const double* pair_rest;
    const Lists::Patch* patch;
    const ShellRest<double>* patch_rest;
    const exec::Tiling::Slot* patch_slot;
    const Lists::Weight* weight;
    std::size_t pairs;
    ShellWall wall;

    /// What a thread asks for before its tile's positions are there.
    struct Asked {
      exec::Tiling::Slot slot[pair_vertices];
      ShellRest<double> rest;
    };
    constexpr Asked ask(std::uint32_t tile, std::uint32_t thread) const {
      Asked asked{};
      const std::size_t pair = tiles[tile].pairs + thread;
      if (pair < tiles[tile + 1].pairs) ask_pair(pair, asked);
      return asked;
    }

    /// −f of the tile's items, see exec::TileSteps. Patches begin with the last thread, so that few warps have both.
    constexpr void act(std::uint32_t tile, std::uint32_t thread, std::uint32_t threads, const Asked& asked,
                       const double* x, double* places, std::uint32_t pitch) const {
      const Lists::Tile &begin = tiles[tile], &end = tiles[tile + 1];
      const std::size_t pair = begin.pairs + thread, other = begin.patches + threads - 1 - thread;
      if (pair < end.pairs) act_pair(pair, asked, x, {places, pitch});
      if (other < end.patches) act_patch(other, x, {places, pitch});
    }

   private:
    using Vector = math::Vector3<double>;

    struct Places {
      double* value;
      std::uint32_t pitch;

      constexpr void put(std::uint32_t place, const Vector& f) const {
        value[place] = f.x;
        value[pitch + place] = f.y;
        value[2 * pitch + place] = f.z;
      }
    };

    static constexpr Vector at(const double* x, std::uint16_t vertex) {
      return {x[3 * vertex], x[3 * vertex + 1], x[3 * vertex + 2]};
    }

    /// Weights that vanish but for rounding are left out, and so is what would be added to nothing.
    static constexpr bool counts(double weight) { return weight > 1e-14 || weight < -1e-14; }

    /// The slot of an element of a pair at a vertex of the pair, or twelve.
    static constexpr std::size_t slot_at(std::size_t element, std::size_t vertex) {
      if (element == 0) return vertex < 12 ? vertex : 12;
      std::size_t k = 0;
      while (k < second.size() && second[k] != vertex) ++k;
      return k;
    }
    static constexpr bool counts_at(std::size_t element, std::size_t vertex, double geometry::Jet::*weight) {
      const std::size_t k = slot_at(element, vertex);
      return k < 12 && counts(geometry::loop::at_barycentre[k].*weight);
    }
    static constexpr bool counts_before(std::size_t element, std::size_t vertex, double geometry::Jet::*weight) {
      for (std::size_t v = 0; v < vertex; ++v)
        if (counts_at(element, v, weight)) return true;
      return false;
    }
    template <std::size_t element, std::size_t vertex, double geometry::Jet::*weight>
    static constexpr void add(Vector& sum, const Vector& x) {
      if constexpr (counts_at(element, vertex, weight)) {
        constexpr double f = geometry::loop::at_barycentre[slot_at(element, vertex)].*weight;
        put_or_add<counts_before(element, vertex, weight)>(sum, f * x);
      }
    }
    template <std::size_t element, std::size_t vertex>
    static constexpr void add(ShellDerivatives<double>& d, const Vector& x) {
      using geometry::Jet;
      add<element, vertex, &Jet::d1>(d.d1, x);
      add<element, vertex, &Jet::d2>(d.d2, x);
      add<element, vertex, &Jet::d11>(d.d11, x);
      add<element, vertex, &Jet::d22>(d.d22, x);
      add<element, vertex, &Jet::d12>(d.d12, x);
    }

    template <bool begun, class T>
    static constexpr void put_or_add(T& sum, const T& term) {
      if constexpr (begun)
        sum += term;
      else
        sum = term;
    }
    template <std::size_t k>
    static constexpr Vector gradient(const ShellGradient<double>& g) {
      constexpr geometry::Jet f = geometry::loop::at_barycentre[k];
      constexpr bool c1 = counts(f.d1), c11 = counts(f.d11), c22 = counts(f.d22);
      double along = 0;
      if constexpr (c11) along = f.d11 * g.q11;
      if constexpr (c22) put_or_add<c11>(along, f.d22 * g.q22);
      if constexpr (counts(f.d12)) put_or_add<c11 || c22>(along, f.d12 * g.q12);
      Vector sum = along * g.normal;
      if constexpr (c1) sum += f.d1 * g.z1;
      if constexpr (counts(f.d2)) sum += f.d2 * g.z2;
      return sum;
    }

    constexpr ShellGradient<double> element(const ShellRest<double>& rest, const ShellDerivatives<double>& d) const {
      return shell_gradient(rest, shell_strain(rest, wall, d));
    }
    constexpr ShellRest<double> rest_of(std::size_t pair, std::size_t which) const {
      const double* const r = pair_rest + 6 * which * pairs + pair;
      return {r[0], r[pairs], r[2 * pairs], r[3 * pairs], r[4 * pairs], r[5 * pairs]};
    }

    constexpr void ask_pair(std::size_t pair, Asked& asked) const {
      for (std::size_t k = 0; k < pair_vertices; ++k) asked.slot[k] = pair_slot[k * pairs + pair];
      asked.rest = rest_of(pair, 0);
      for (std::size_t k = 6; k < 12; ++k) exec::prefetch(pair_rest + k * pairs + pair);
    }

    template <std::size_t vertex>
    static constexpr Vector pair_gradient(const ShellGradient<double>& one, const ShellGradient<double>& other) {
      constexpr std::size_t j = slot_at(0, vertex), k = slot_at(1, vertex);
      if constexpr (j == 12)
        return gradient<k>(other);
      else if constexpr (k == 12)
        return gradient<j>(one);
      else
        return gradient<j>(one) + gradient<k>(other);
    }

    /// Each vertex is read once and added to the derivatives of both elements.
    constexpr void act_pair(std::size_t pair, const Asked& asked, const double* x, const Places& places) const {
      ShellDerivatives<double> one, other;
      const auto read = [&]<std::size_t vertex>(std::integral_constant<std::size_t, vertex>) {
        const Vector position = at(x, asked.slot[vertex].vertex);
        add<0, vertex>(one, position);
        add<1, vertex>(other, position);
      };
      [&]<std::size_t... vertex>(std::index_sequence<vertex...>) {
        (read(std::integral_constant<std::size_t, vertex>{}), ...);
      }
      (std::make_index_sequence<pair_vertices>{});
      const ShellGradient<double> first = element(asked.rest, one);
      const ShellGradient<double> last = element(rest_of(pair, 1), other);
      [&]<std::size_t... vertex>(std::index_sequence<vertex...>) {
        (places.put(asked.slot[vertex].place, pair_gradient<vertex>(first, last)), ...);
      }
      (std::make_index_sequence<pair_vertices>{});
    }

    constexpr void act_patch(std::size_t number, const double* x, const Places& places) const {
      const Lists::Patch from = patch[number];
      const exec::Tiling::Slot* const slot = patch_slot + from.slots;
      const Lists::Weight* const f = weight + from.weights;
      ShellDerivatives<double> d;
      for (std::uint32_t k = 0; k < from.count; ++k) {
        const Vector vertex = at(x, slot[k * from.stride].vertex);
        d.d1 += f[k].d1 * vertex;
        d.d2 += f[k].d2 * vertex;
        d.d11 += f[k].d11 * vertex;
        d.d22 += f[k].d22 * vertex;
        d.d12 += f[k].d12 * vertex;
      }
      const ShellGradient<double> g = element(patch_rest[number], d);
      for (std::uint32_t k = 0; k < from.count; ++k)
        places.put(
            slot[k * from.stride].place,
            f[k].d1 * g.z1 + f[k].d2 * g.z2 + (f[k].d11 * g.q11 + f[k].d22 * g.q22 + f[k].d12 * g.q12) * g.normal);
    }
  };

  View view() const {
    return {tiles_.data(),
            pair_slot_.data(),
            pair_rest_.data(),
            patch_.data(),
            patch_rest_.data(),
            patch_slot_.data(),
            weight_.data(),
            pairs_,
            wall_};
  }

 private:
  std::size_t pairs_;
  ShellWall wall_;
  exec::PlacedArray<Lists::Tile> tiles_;
  exec::PlacedArray<exec::Tiling::Slot> pair_slot_;
  exec::PlacedArray<double> pair_rest_;
  exec::PlacedArray<Lists::Patch> patch_;
  exec::PlacedArray<ShellRest<double>> patch_rest_;
  exec::PlacedArray<exec::Tiling::Slot> patch_slot_;
  exec::PlacedArray<Lists::Weight> weight_;
};

}  // namespace ictus::mechanics
