#include <ictus/mechanics/shell/shell_layers.hpp>

#include <cmath>
#include <ictus/base/index.hpp>
#include <ictus/mechanics/shell/layered_wall.hpp>
#include <ictus/mechanics/shell/shell_tile_loops.hpp>
#include <stdexcept>

namespace ictus::mechanics {

using math::Pack;
using math::PackPair;

LayerRule::LayerRule(int count, double thickness) : points(static_cast<std::size_t>(count)), at{}, weight{} {
  if (count != 4 && count != 6) throw std::logic_error("a shell has four or six layers");
  const std::size_t half = points / 2;
  const double offset = count == 4 ? 1 / std::sqrt(12.0) : std::sqrt(0.15);
  for (std::size_t i = 0; i < points; ++i) {
    const std::size_t in_half = i % half;
    const double from_middle = in_half == 0 ? -offset : in_half == half - 1 ? offset : 0;
    at[i] = 0.5 * thickness * ((i < half ? -0.5 : 0.5) + from_middle);
    weight[i] = 0.5 * thickness * (count == 4 ? 0.5 : in_half == 1 ? 4.0 / 9 : 5.0 / 18);
  }
}

ShellLayers::ShellLayers(const ShellTiles& tiles, double youngs_modulus, double poissons_ratio, double thickness,
                         const LayerProperties& properties)
    : tiles_(tiles),
      properties_(properties),
      rule_(properties.points, thickness),
      elasticity_(youngs_modulus, poissons_ratio),
      law_(law_of(elasticity_, properties)) {}

ShellLayers::Law ShellLayers::law_of(const PlaneElasticity& elasticity, const LayerProperties& properties) {
  if (!properties.plasticity) return ElasticLayer{elasticity};
  if (properties.plasticity->back_modulus > 0) throw std::logic_error("layers of shells harden isotropically alone");
  return std::visit(
      [&]<class Hardening>(const Hardening& hardening) -> Law {
        if constexpr (std::is_same_v<Hardening, JohnsonCook>) {
          return PlasticLayer<JohnsonCook>{elasticity, hardening};
        } else {
          return PlasticLayer<FlowByStrain<Hardening>>{elasticity, {hardening}};
        }
      },
      properties.plasticity->hardening);
}

/// f(law, where it remembers).
template <class F>
decltype(auto) ShellLayers::with_wall(F&& f) const {
  return std::visit(
      [&]<class One>(const One& law) {
        return f(law, LayerMemory<One>{rule_.points, tiles_.block_count()});
      },
      law_);
}

std::size_t ShellLayers::history() const {
  return with_wall([&](const auto&, const auto& memory) { return memory.size(tiles_.irregular_count()); });
}

bool ShellLayers::kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const {
  return with_wall([&](const auto& law, const auto& memory) {
    const LayeredWall<false, std::decay_t<decltype(law)>, const double> wall(law, rule_, properties_.strain, memory,
                                                                             history, 0);
    tiles_.kick(exec, wall, x, h, p);
    return wall.good();
  });
}

bool ShellLayers::advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
                          double* p) const {
  return with_wall([&](const auto& law, const auto& memory) {
    const LayeredWall<true, std::decay_t<decltype(law)>, double> wall(law, rule_, properties_.strain, memory, history,
                                                                      elapsed);
    tiles_.kick(exec, wall, x, h, p);
    return wall.good();
  });
}

ShellTiles::Measured ShellLayers::measure(const exec::Executor& exec, const double* x, const double* history,
                                          const double* p, const double* w, double time) const {
  return with_wall([&](const auto& law, const auto& memory) {
    const LayeredWall<false, std::decay_t<decltype(law)>, const double> wall(law, rule_, properties_.strain, memory,
                                                                             history, time);
    return tiles_.measure<ShellTiles::both>(exec, wall, x, p, w, time);
  });
}

std::array<math::Vec3, 2> ShellLayers::resultant(const double* x, const double* history) const {
  return with_wall([&](const auto& law, const auto& memory) {
    const LayeredWall<false, std::decay_t<decltype(law)>, const double> wall(law, rule_, properties_.strain, memory,
                                                                             history, 0);
    return tiles_.resultant(wall, x);
  });
}

Dissipated ShellLayers::dissipated(const exec::Executor& exec, const double* history) const {
  return std::visit(
      [&]<class One>(const One& law) -> Dissipated {
        if constexpr (std::is_same_v<One, ElasticLayer>) {
          return {};
        } else {
          using Memory = LayerMemory<One>;
          const Memory memory{rule_.points, tiles_.block_count()};
          const auto in_block = [&](const double* at, auto&& density) {
            Pack sum(0.0);
            for (std::size_t k = 0; k < rule_.points; k += 2, at += 2 * Memory::lanes * Memory::numbers) {
              const PackPair taken = density(Memory::template load<PackPair>(at).memory);
              sum += Pack(rule_.weight[k]) * taken.a + Pack(rule_.weight[k + 1]) * taken.b;
            }
            return sum;
          };
          const auto in_one = [&](const double* at, auto&& density) {
            double sum = 0;
            for (std::size_t k = 0; k < rule_.points; ++k, at += Memory::numbers)
              sum += rule_.weight[k] * density(Memory::template load<double>(at).memory);
            return sum;
          };
          const auto total = [&](auto&& density) {
            return exec.sum(tiles_.block_count(), [&](std::size_t b) {
              return sum(tiles_.block_area(b) * in_block(history + memory.of_block(b), density));
            }) + exec.sum(tiles_.irregular_count(), [&](std::size_t e) {
              return tiles_.irregular_area(e) * in_one(history + memory.of_irregular(e), density);
            });
          };
          const double work = total([&](const auto& remembered) { return law.flow.work(remembered); });
          const std::optional<double> share = properties_.plasticity->heat_share;
          const double heat =
              share ? *share * work : total([&](const auto& remembered) { return law.flow.heat(remembered); });
          return {heat, work - heat};
        }
      },
      law_);
}

namespace {

/// The smaller eigenvalue of a symmetric tensor of the plane.
template <class T>
T smaller_of(const T& t11, const T& t22, const T& t12) {
  using math::sqrt;
  const T d = T(0.5) * (t11 - t22);
  return T(0.5) * (t11 + t22) - sqrt(d * d + t12 * t12);
}

template <class T>
T larger(const T& a, const T& b) {
  using math::is_greater;
  using math::select;
  return select(is_greater(a, b), a, b);
}

}  // namespace

double ShellLayers::frequency_scale(const exec::Executor& exec, const double* x) const {
  const double wall = tiles_.wall().bending / tiles_.wall().membrane, reach = rule_.at[rule_.points - 1];
  const bool is_logarithmic = properties_.strain == LayerStrain::logarithmic;
  return tiles_.largest(exec, x, [&]<class T>(const ShellRest<T>& rest, const ShellStrain<T>& s, const auto& shapes) {
    const T &t11 = rest.t11, &t21 = rest.t21, &t22 = rest.t22, two(2.0), one(1.0);
    // Inverse metric of the present tangents, and Christoffel's symbols a_αβ·a^γ.
    const T g11 = norm_sq(s.a1), g22 = norm_sq(s.a2), g12 = dot(s.a1, s.a2);
    const T inverse = one / (g11 * g22 - g12 * g12);
    const T i11 = inverse * g22, i22 = inverse * g11, i12 = -(inverse * g12);
    const auto dual = [&](const math::Vector3<T>& a) {
      const T c1 = dot(a, s.a1), c2 = dot(a, s.a2);
      return std::array{i11 * c1 + i12 * c2, i12 * c1 + i22 * c2};
    };
    const auto c11 = dual(s.a11), c22 = dual(s.a22), c12 = dual(s.a12);
    T membrane(0.0), bending(0.0);
    shapes([&](const auto& f) {
      const T n1 = t11 * T(f.d1), n2 = t21 * T(f.d1) + t22 * T(f.d2);
      const T h11 = t11 * t11 * T(f.d11) - c11[0] * n1 - c11[1] * n2;
      const T h12 = t11 * t21 * T(f.d11) + t11 * t22 * T(f.d12) - c12[0] * n1 - c12[1] * n2;
      const T h22 =
          t21 * t21 * T(f.d11) + two * t21 * t22 * T(f.d12) + t22 * t22 * T(f.d22) - c22[0] * n1 - c22[1] * n2;
      membrane += i11 * n1 * n1 + two * i12 * n1 * n2 + i22 * n2 * n2;
      // Components of the first index raised, then the square.
      const T u11 = i11 * h11 + i12 * h12, u12 = i11 * h12 + i12 * h22, u21 = i12 * h11 + i22 * h12,
              u22 = i12 * h12 + i22 * h22;
      bending += u11 * u11 + u22 * u22 + two * u12 * u21;
    });
    const T sum = membrane + T(wall) * bending;
    if (!is_logarithmic) {
      // Green and Lagrange's strain resists by the square of the stretch.
      const T stretch = T(0.5) * (g11 + g22);
      return sum * stretch * stretch;
    }
    // The outermost layers where a tight fold presses them more than the middle.
    T worst(1.0);
    const T middle = smaller_of(g11, g22, g12);
    for (const double z : {-reach, reach}) {
      const T far(2 * z), layer = smaller_of(g11 - far * s.k11, g22 - far * s.k22, g12 - far * s.k12);
      const T ratio = middle / larger(layer, T(1e-3) * middle);
      worst = larger(worst, ratio * ratio);
    }
    return sum * worst;
  });
}

bool ShellLayers::heats() const { return std::holds_alternative<PlasticLayer<JohnsonCook>>(law_); }

namespace {

double von_mises_of(const PlaneTensor<double>& s) {
  return std::sqrt(0.25 * s.sum * s.sum + 0.75 * s.difference * s.difference + 3 * s.shear * s.shear);
}

}  // namespace

ShellLayers::Shown ShellLayers::show(std::size_t element, const double* x, const double* history) const {
  return with_wall([&]<class One>(const One& law, const LayerMemory<One>& memory) {
    const ShellStrain<double> s = shell_strain(tiles_.rest_of(element), tiles_.derivatives(element, x));
    const ShellTiles::Place place = tiles_.place(element);
    Shown shown{};
    PlaneTensor<double> n, m;
    double thickness = 0;
    for (std::size_t k = 0; k < rule_.points; ++k) {
      const double z = rule_.at[k], w = rule_.weight[k];
      const PlaneTensor<double> green{s.e11 + s.e22 - z * (s.k11 + s.k22), s.e11 - s.e22 - z * (s.k11 - s.k22),
                                      s.e12 - z * s.k12};
      const bool is_logarithmic = properties_.strain == LayerStrain::logarithmic;
      const LogarithmicStrain<double> measure(green);
      auto point = memory.point(place, k, history);
      const PlaneResponse<double> response =
          law.template respond<false>(is_logarithmic ? measure.value : green, 0, point);
      const PlaneTensor<double> stress = is_logarithmic ? measure.to_green(response.stress) : response.stress;
      thickness += w;
      n.sum += w * stress.sum, n.difference += w * stress.difference, n.shear += w * stress.shear;
      m.sum -= w * z * stress.sum, m.difference -= w * z * stress.difference, m.shear -= w * z * stress.shear;
      shown.von_mises = std::max(shown.von_mises, von_mises_of(response.stress));
      shown.energy_density += w * response.stored;
      const double lateral = -point.plastic_sum() - elasticity_.lateral * response.stress.sum / elasticity_.sum_modulus;
      shown.thickness += w * (is_logarithmic ? std::exp(lateral) : std::sqrt(std::max(1 + 2 * lateral, 0.0)));
      if constexpr (!std::is_same_v<One, ElasticLayer>) {
        const double alpha = point.memory.alpha;
        if (k == 0) shown.bottom = alpha;
        shown.top = alpha;
        shown.largest = std::max(shown.largest, alpha);
        shown.plastic_work += w * law.flow.work(point.memory);
        if constexpr (requires { law.flow.temperature(point.memory); })
          shown.temperature = std::max(shown.temperature, law.flow.temperature(point.memory));
      }
    }
    shown.energy_density /= thickness;
    shown.plastic_work /= thickness;
    shown.n11 = 0.5 * (n.sum + n.difference), shown.n22 = 0.5 * (n.sum - n.difference), shown.n12 = n.shear;
    shown.m11 = 0.5 * (m.sum + m.difference), shown.m22 = 0.5 * (m.sum - m.difference), shown.m12 = m.shear;
    return shown;
  });
}

}  // namespace ictus::mechanics
