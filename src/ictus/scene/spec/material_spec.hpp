#pragma once

/// What bodies are made of, as plain data in SI units.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ictus::scene {

/// `own`: of a program, by the name of the material.
enum class SolidLaw { linear, st_venant_kirchhoff, neo_hookean, hencky, j2, own };

struct LinearHardeningSpec {
  double modulus = 0;            ///< Pa, ≥ 0
  double kinematic_modulus = 0;  ///< Pa, ≥ 0
  bool operator==(const LinearHardeningSpec&) const = default;
};
struct VoceHardeningSpec {
  double saturation = 0;  ///< Pa, > 0
  double rate = 0;        ///< > 0
  double modulus = 0;     ///< Pa, ≥ 0
  double kinematic_modulus = 0;
  bool operator==(const VoceHardeningSpec&) const = default;
};
struct TableHardeningSpec {
  std::vector<std::array<double, 2>> points;  ///< plastic strain, flow stress (Pa)
  bool operator==(const TableHardeningSpec&) const = default;
};
/// How a metal softens with the heat of its own flow.
struct SofteningSpec {
  double exponent = 1;       ///< > 0
  double melting = 0;        ///< K, above start
  double start = 293.15;     ///< K
  double heat_capacity = 0;  ///< J/(kg K), > 0
  bool operator==(const SofteningSpec&) const = default;
};
struct JohnsonCookHardeningSpec {
  double modulus = 0;         ///< Pa, ≥ 0
  double exponent = 1;        ///< > 0
  double rate_factor = 0;     ///< ≥ 0
  double reference_rate = 1;  ///< 1/s, > 0
  std::optional<SofteningSpec> softening;
  bool operator==(const JohnsonCookHardeningSpec&) const = default;
};
using HardeningSpec =
    std::variant<LinearHardeningSpec, VoceHardeningSpec, TableHardeningSpec, JohnsonCookHardeningSpec>;

/// Stress of shape that fades, beside the law: one term of a Prony series.
struct RelaxationSpec {
  double shear_modulus = 0;  ///< Pa, > 0
  double time = 0;           ///< s, > 0
  bool operator==(const RelaxationSpec&) const = default;
};

struct StrainFailureSpec {
  double strain = 0;  ///< > 0
  bool operator==(const StrainFailureSpec&) const = default;
};
struct JohnsonCookFailureSpec {
  double d1 = 0, d2 = 0, d3 = 0, d4 = 0, d5 = 0;
  double reference_rate = 1;  ///< 1/s, > 0
  bool operator==(const JohnsonCookFailureSpec&) const = default;
};
using FailureSpec = std::variant<StrainFailureSpec, JohnsonCookFailureSpec>;

struct MaterialSpec {
  SolidLaw law = SolidLaw::neo_hookean;
  std::optional<double> density;         ///< kg/m³, > 0
  std::optional<double> youngs_modulus;  ///< Pa, > 0
  std::optional<double> poissons_ratio;  ///< in [0, 0.5)
  std::optional<double> yield_stress;    ///< Pa, > 0; of j2
  std::optional<HardeningSpec> hardening;
  std::optional<double> heat_share;  ///< in [0, 1]
  std::vector<RelaxationSpec> relaxation{};
  std::optional<FailureSpec> failure{};
  bool operator==(const MaterialSpec&) const = default;
};

/// What a body says of its material: a law, the name of a material of the scene or of the library, or a material of its
/// own.
struct MaterialUse {
  SolidLaw law = SolidLaw::neo_hookean;
  std::string name;                 ///< empty: none
  std::optional<MaterialSpec> own;  ///< instead of a name
  bool operator==(const MaterialUse&) const = default;
};

/// A material that comes with the program.
struct LibraryMaterial {
  std::string_view name;
  std::string_view title;
  std::string_view source;
  MaterialSpec material;
};
const std::vector<LibraryMaterial>& material_library();

}  // namespace ictus::scene
