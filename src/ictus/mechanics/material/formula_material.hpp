#pragma once

#include <concepts>
#include <ictus/math/dual.hpp>
#include <ictus/mechanics/material/material.hpp>

namespace ictus::mechanics {

/// What FormulaMaterial asks of a formula: the energy w over any scalar type S,
///   template <class S> S shape(const math::Matrix3<S>& F) const          of a material that remembers nothing, or
///   template <class S> S shape(const math::Matrix3<S>& F, const double* memory) const
///   static constexpr std::size_t memory                                  how many numbers a point remembers
///   void remember(const math::Matrix3<double>& F, double* memory) const  takes them to F
///   void begin(double* memory) const                                     those of the start, if they are not zero
///   Taken taken(const double* memory) const                              what flow has taken
/// and, where it is wanted, `template <class S> S volume(S J) const`.
template <class F>
concept MaterialFormula = requires(const F& formula, const math::Matrix3<double>& f) {
  { formula.shape(f) } -> std::convertible_to<double>;
}
|| requires(const F& formula, const math::Matrix3<double>& f, double* memory) {
  { F::memory } -> std::convertible_to<std::size_t>;
  { formula.shape(f, memory) } -> std::convertible_to<double>;
  formula.remember(f, memory);
  { formula.taken(memory) } -> std::convertible_to<Taken>;
};

/// A material from the formula of its energy: stresses come from dual numbers, exact and in no need of thought. A
/// Material with stresses by hand is some times faster.
template <MaterialFormula F>
class FormulaMaterial final : public Material {
 public:
  static constexpr bool remembers = requires { F::memory; };

  explicit FormulaMaterial(F formula) : formula_(std::move(formula)) {
    if constexpr (remembers) static_assert(F::memory <= max_memory);
  }

  void respond(std::span<DeformedPoint> points) const override {
    for (DeformedPoint& point : points) {
      if constexpr (remembers) formula_.remember(point.f, point.memory);
      const auto [energy, slope] = shape(lift(point.f), point.memory);
      point.energy = energy;
      const auto& s = slope.x;
      point.stress = {{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
    }
  }
  VolumeEnergy volume(double growth) const override {
    if constexpr (requires { formula_.volume(growth); }) {
      const math::Dual energy = formula_.volume(math::Dual(growth, 1.0));
      return {energy.v, energy.d};
    }
    return {};
  }
  std::size_t memory() const override {
    if constexpr (remembers) return F::memory;
    return 0;
  }
  void begin(std::span<double> memory) const override {
    if constexpr (requires { formula_.begin(memory.data()); }) formula_.begin(memory.data());
  }
  Taken taken(std::span<const double> memory) const override {
    if constexpr (remembers) return formula_.taken(memory.data());
    return {};
  }

 private:
  using Scalar = math::DualAlong<math::Numbers<9>>;

  static math::Matrix3<Scalar> lift(const math::Matrix3<double>& f) {
    const auto entry = [](double value, std::size_t direction) {
      Scalar s(value);
      s.d.x[direction] = 1;
      return s;
    };
    return {{entry(f.a.x, 0), entry(f.a.y, 1), entry(f.a.z, 2)},
            {entry(f.b.x, 3), entry(f.b.y, 4), entry(f.b.z, 5)},
            {entry(f.c.x, 6), entry(f.c.y, 7), entry(f.c.z, 8)}};
  }
  Scalar shape(const math::Matrix3<Scalar>& f, const double* memory) const {
    if constexpr (remembers) {
      return formula_.shape(f, memory);
    } else {
      return formula_.shape(f);
    }
  }

  F formula_;
};

}  // namespace ictus::mechanics
