#pragma once

#include <ictus/mechanics/body/body.hpp>
#include <ictus/mechanics/material/plane_stress.hpp>
#include <ictus/mechanics/shell/shell_tiles.hpp>
#include <ictus/mechanics/solid/plastic_blocks.hpp>
#include <optional>
#include <variant>

namespace ictus::mechanics {

/// How strains of a layer are measured.
enum class LayerStrain { logarithmic, green_lagrange };

/// What the layers of a shell are made of, and how many there are.
struct LayerProperties {
  std::optional<Plasticity> plasticity = std::nullopt;  ///< none: it never yields
  LayerStrain strain = LayerStrain::logarithmic;
  int points = 4;  ///< through the thickness: 4 or 6, Gauss' two or three in each half of it
};

/// Gauss' points in each half of a thickness h, so that elastic bending and the fully plastic moment are exact
/// [eq. layers-3].
struct LayerRule {
  static constexpr std::size_t max_points = 6;

  std::size_t points;
  std::array<double, max_points> at;      ///< z along the normal (m), from below
  std::array<double, max_points> weight;  ///< m

  LayerRule(int points, double thickness);
};

/// The wall of a shell as layers in plane stress, which may yield: forces and moments, energies, and what the layers
/// remember, a list of numbers for the whole shell that is given to each call [eq. layers-1].
class ShellLayers {
 public:
  ShellLayers(const ShellTiles& tiles, double youngs_modulus, double poissons_ratio, double thickness,
              const LayerProperties& properties);

  const LayerProperties& properties() const { return properties_; }
  std::size_t history() const;

  /// p += h f(x), f = −∂/∂x of the potential of the step [eq. plasticity-2], at once: what flows by its rate does not.
  /// Answers whether no layer is turned inside out.
  bool kick(const exec::Executor& exec, const double* x, const double* history, double h, double* p) const;
  /// The same with the history, which is `elapsed` old, taken to x.
  bool advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h, double* p) const;
  /// The potential at x + t v, v = w ∘ p, a time t after the history, and −f·v there.
  ShellTiles::Measured measure(const exec::Executor& exec, const double* x, const double* history, const double* p,
                               const double* w, double time) const;
  /// Σ f and Σ x × f: zero but for what mirrors and clamps push.
  std::array<math::Vec3, 2> resultant(const double* x, const double* history) const;
  /// What flow has taken so far.
  Dissipated dissipated(const exec::Executor& exec, const double* history) const;
  /// To which the squares of the largest frequencies are in proportion as the shell deforms [eq. layers-7].
  double frequency_scale(const exec::Executor& exec, const double* x) const;

  /// Of one element, for pictures.
  struct Shown {
    double n11, n22, n12, m11, m22, m12;
    double von_mises = 0;                     ///< largest of the layers (Pa)
    double energy_density = 0;                ///< J/m³
    double thickness = 0;                     ///< m, as the layers are stretched [eq. layers-6]
    double bottom = 0, top = 0, largest = 0;  ///< plastic strain of the outermost layers, and of any
    double plastic_work = 0;                  ///< mean (J/m³)
    double temperature = 0;                   ///< largest (K), of Johnson and Cook's law
  };
  Shown show(std::size_t element, const double* x, const double* history) const;
  bool heats() const;

 private:
  using Law =
      std::variant<ElasticLayer, PlasticLayer<FlowByStrain<LinearHardening>>, PlasticLayer<FlowByStrain<VoceHardening>>,
                   PlasticLayer<FlowByStrain<TableHardening>>, PlasticLayer<JohnsonCook>>;
  static Law law_of(const PlaneElasticity& elasticity, const LayerProperties& properties);
  template <class F>
  decltype(auto) with_wall(F&& f) const;

  const ShellTiles& tiles_;
  LayerProperties properties_;
  LayerRule rule_;
  PlaneElasticity elasticity_;
  Law law_;
};

}  // namespace ictus::mechanics
