#include <ictus/build/rigid/radii.hpp>

#include <cmath>
#include <ictus/build/rigid/chance.hpp>
#include <numeric>
#include <optional>

namespace ictus::build {

namespace {

struct Draw {
  Chance& chance;

  double operator()(const scene::UniformRadii& spec) const { return chance.between(spec.from, spec.to); }
  double operator()(const scene::NormalRadii& spec) const { return spec.mean + spec.deviation * chance.normal(); }
  double operator()(const scene::LognormalRadii& spec) const {
    return spec.median * std::exp(spec.deviation * chance.normal());
  }
  double operator()(const scene::TableOfRadii& spec) const {
    double left = chance.number() * std::accumulate(spec.shares.begin(), spec.shares.end(), 0.0);
    for (std::size_t i = 0; i < spec.shares.size(); ++i) {
      left -= spec.shares[i];
      if (left < 0) return spec.values[i];
    }
    return spec.values.back();
  }
};

bool within_bounds(const scene::RadiiSpec& spec, double radius) {
  return std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.from; }) return radius >= own.from && radius <= own.to;
        return radius > 0;
      },
      spec);
}

/// Again where a bound cuts it off.
std::optional<double> draw_one(const scene::RadiiSpec& spec, Chance& chance) {
  constexpr int patience = 10000;
  for (int i = 0; i < patience; ++i) {
    const double radius = std::visit(Draw{chance}, spec);
    if (within_bounds(spec, radius)) return radius;
  }
  return std::nullopt;
}

}  // namespace

std::vector<double> draw_radii(const scene::RadiiSpec& spec, std::size_t bodies, const std::string& key,
                               Mistakes& mistakes) {
  Chance chance(std::visit([](const auto& own) { return own.seed; }, spec));
  std::vector<double> radii;
  for (std::size_t i = 0; i < bodies; ++i) {
    const std::optional<double> radius = draw_one(spec, chance);
    if (!radius) {
      mistakes.add(key, "next to nothing of the distribution lies between from and to; move them towards its middle");
      return std::vector<double>(bodies, 1.0);
    }
    radii.push_back(*radius);
  }
  return radii;
}

}  // namespace ictus::build
