#pragma once

#include <functional>
#include <ictus/dynamics/collision/multisymplectic.hpp>
#include <ictus/dynamics/collision/multisymplectic_prolonged.hpp>
#include <ictus/dynamics/dcr/dcr.hpp>
#include <ictus/dynamics/explicit/central_difference.hpp>
#include <ictus/dynamics/implicit/newmark.hpp>
#include <ictus/dynamics/implicit/theta_method.hpp>
#include <ictus/dynamics/scheme/capture_return.hpp>
#include <ictus/dynamics/scheme/cd_lagrange.hpp>
#include <ictus/dynamics/scheme/discrete_gradient.hpp>
#include <ictus/dynamics/scheme/reflection.hpp>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ictus::testing {

/// An integrator under test, with a name that may be part of a test's.
struct Subject {
  std::string name;
  std::function<std::unique_ptr<dynamics::Integrator>()> make;

  friend void PrintTo(const Subject& subject, std::ostream* out) { *out << subject.name; }
};

template <class Scheme, class... Options>
Subject subject(std::string name, Options... options) {
  return {std::move(name), [=] { return std::make_unique<Scheme>(options...); }};
}

/// Every integrator for bars. A new one joins by a line.
inline std::vector<Subject> subjects() {
  return {
      subject<dynamics::CentralDifference>("CentralDifference"),
      subject<dynamics::CdLagrange>("CdLagrange"),
      subject<dynamics::Reflection>("Reflection"),
      subject<dynamics::DiscreteGradient>("DiscreteGradient"),
      subject<dynamics::CaptureReturn>("CaptureReturn"),
      subject<dynamics::Multisymplectic>("Multisymplectic"),
      subject<dynamics::MultisymplecticProlonged>("MultisymplecticProlonged"),
      subject<dynamics::ThetaMethod>("ThetaMethodMidpoint", 0.5),
      subject<dynamics::ThetaMethod>("ThetaMethodImplicit", 1.0),
      subject<dynamics::Newmark>("Newmark", dynamics::NewmarkOptions{}),
      subject<dynamics::Newmark>("NewmarkDamped", dynamics::NewmarkOptions{0.7, 0.36}),
      subject<dynamics::Dcr>("Dcr", false),
      subject<dynamics::Dcr>("DcrCorrected", true),
  };
}

}  // namespace ictus::testing
