#pragma once

#include <atomic>
#include <ictus/math/pack_pair.hpp>
#include <ictus/mechanics/shell/shell_layers.hpp>
#include <type_traits>

// One law in all layers of a wall [eq. layers-1]:
//   E(z) = ε − z κ,   n = Σ w S,   m = −Σ w z S.

namespace ictus::mechanics {

/// Where the layers of a shell remember: those of a block of eight elements after those of the block before it, and
/// irregular elements behind all blocks. In a block each number has two layers of eight lanes side by side, then comes
/// the next number, then the next two layers.
template <class Law>
struct LayerMemory {
  static constexpr std::size_t lanes = math::Pack::lanes;
  static constexpr std::size_t numbers = Law::template Point<double>::numbers;

  std::size_t points, blocks;

  std::size_t size(std::size_t irregular) const { return points * numbers * (lanes * blocks + irregular); }
  std::size_t of_block(std::size_t number) const { return points * numbers * lanes * number; }
  std::size_t of_irregular(std::size_t number) const { return points * numbers * (lanes * blocks + number); }

  template <class T>
  static typename Law::template Point<T> load(const double* from) {
    typename Law::template Point<T> result{};
    result.each([&](T& number) { read(from, number), from += sizeof(T) / sizeof(double); });
    return result;
  }
  template <class T>
  static void store(typename Law::template Point<T>& point, double* to) {
    point.each([&](const T& number) { write(number, to), to += sizeof(T) / sizeof(double); });
  }
  typename Law::template Point<double> point(const ShellTiles::Place& place, std::size_t layer,
                                             const double* history) const {
    typename Law::template Point<double> result{};
    const bool is_single = place.lane < 0;
    const std::size_t stride = is_single ? 1 : 2 * lanes;
    const double* from = history;
    if (is_single)
      from += of_irregular(place.number) + layer * numbers;
    else
      from +=
          of_block(place.number) + (layer / 2 * 2 * numbers + layer % 2) * lanes + static_cast<std::size_t>(place.lane);
    result.each([&](double& number) { number = *from, from += stride; });
    return result;
  }

 private:
  static void read(const double* from, math::PackPair& number) {
    number = {math::Pack::load(from), math::Pack::load(from + lanes)};
  }
  static void read(const double* from, double& number) { number = *from; }
  static void write(const math::PackPair& number, double* to) {
    number.a.store(to);
    number.b.store(to + lanes);
  }
  static void write(double number, double* to) { *to = number; }
};

/// A wall as the loops over elements ask for it; with its history taken to where the strains are if it `remembers`.
template <bool remembers, class Law, class Number>
class LayeredWall {
 public:
  LayeredWall(const Law& law, const LayerRule& rule, LayerStrain strain, const LayerMemory<Law>& memory,
              Number* history, double time)
      : law_(law), rule_(rule), strain_(strain), memory_(memory), history_(history), time_(time) {}

  math::Pack operator()(std::size_t block, ShellStrain<math::Pack>& s) const {
    return respond(s, history_ + memory_.of_block(block));
  }
  double operator()(std::size_t irregular, ShellStrain<double>& s) const {
    return respond(s, history_ + memory_.of_irregular(irregular));
  }
  bool good() const { return good_.load(std::memory_order_relaxed); }

 private:
  template <class T>
  using Group = std::conditional_t<std::is_same_v<T, math::Pack>, math::PackPair, double>;
  template <class T>
  static constexpr std::size_t group = sizeof(Group<T>) / sizeof(T);

  template <class T>
  T respond(ShellStrain<T>& s, Number* history) const {
    return strain_ == LayerStrain::logarithmic ? respond<LogarithmicStrain<Group<T>>>(s, history)
                                               : respond<GreenStrain<Group<T>>>(s, history);
  }
  /// Sets n and m; answers with the energy per area. Layers of blocks are worked on two by two.
  template <class Measure, class T, class U = Group<T>>
  T respond(ShellStrain<T>& s, Number* history) const {
    const PlaneTensor<U> membrane{U(s.e11 + s.e22), U(s.e11 - s.e22), U(s.e12)};
    const PlaneTensor<U> bending{U(s.k11 + s.k22), U(s.k11 - s.k22), U(s.k12)};
    PlaneTensor<U> n, m;
    U density(0.0);
    U least(1.0);
    for (std::size_t k = 0; k < rule_.points; k += group<T>) {
      const U z = in_layers<U>(rule_.at, k), w = in_layers<U>(rule_.weight, k), arm = w * z;
      const Measure measure(PlaneTensor<U>{membrane.sum - z * bending.sum, membrane.difference - z * bending.difference,
                                           membrane.shear - z * bending.shear});
      least = min_of(least, U(measure.sign()));
      auto point = LayerMemory<Law>::template load<U>(history);
      const PlaneResponse<U> response = law_.template respond<remembers>(measure.value, time_, point);
      if constexpr (remembers) LayerMemory<Law>::template store<U>(point, history);
      history += LayerMemory<Law>::numbers * sizeof(U) / sizeof(double);
      const PlaneTensor<U> stress = measure.to_green(response.stress);
      n.sum += w * stress.sum, n.difference += w * stress.difference, n.shear += w * stress.shear;
      m.sum -= arm * stress.sum, m.difference -= arm * stress.difference, m.shear -= arm * stress.shear;
      density += w * (response.stored + response.taken);
    }
    using math::largest_lane;
    if (!(largest_lane(-least) < 0)) good_.store(false, std::memory_order_relaxed);
    const T half(0.5);
    s.n11 = half * folded(n.sum + n.difference), s.n22 = half * folded(n.sum - n.difference), s.n12 = folded(n.shear);
    s.m11 = half * folded(m.sum + m.difference), s.m22 = half * folded(m.sum - m.difference), s.m12 = folded(m.shear);
    return folded(density);
  }

  template <class U>
  static U in_layers(const std::array<double, LayerRule::max_points>& values, std::size_t k) {
    if constexpr (std::is_same_v<U, double>)
      return values[k];
    else
      return {math::Pack(values[k]), math::Pack(values[k + 1])};
  }
  template <class U>
  static U min_of(const U& a, const U& b) {
    using math::is_greater;
    using math::select;
    return select(is_greater(a, b), b, a);
  }
  static double folded(double value) { return value; }
  static math::Pack folded(const math::PackPair& value) { return value.a + value.b; }

  const Law& law_;
  const LayerRule& rule_;
  LayerStrain strain_;
  LayerMemory<Law> memory_;
  Number* history_;
  double time_;
  mutable std::atomic<bool> good_ = true;
};

}  // namespace ictus::mechanics
