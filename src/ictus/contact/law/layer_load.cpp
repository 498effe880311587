#include <ictus/contact/law/layer_load.hpp>

#include <ictus/contact/detect/detect.hpp>

namespace ictus::contact {

std::vector<model::LayerLoad> layer_loads(std::span<const ContactPair> pairs, std::span<const double> q,
                                          std::span<const double> v) {
  std::vector<model::LayerLoad> loads;
  model::ConstraintSet constraints;
  detect(pairs, q, constraints);
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const double gap = constraints.gap(i), compliance = constraints.compliance(i);
    if (gap >= 0 || compliance == 0) continue;
    const double force = -gap / compliance, force_rate = -model::dot(constraints.row(i), v) / compliance;
    const auto add = [&](const model::Surface* surface, std::size_t point) {
      if (surface->plane()) return;
      const double own = surface->layer_compliance(point);
      if (own > 0) loads.push_back({surface, point, own * force, own * force_rate, force});
    };
    const ContactPair& pair = pairs[static_cast<std::size_t>(constraints.contact(i).pair)];
    add(pair.first_surface, pair.first_point);
    add(pair.second_surface, pair.second_point);
  }
  return loads;
}

}  // namespace ictus::contact
