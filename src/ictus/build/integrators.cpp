#include <fmt/format.h>

#include <ictus/build/integrators.hpp>
#include <ictus/dynamics/cd_lagrange.hpp>
#include <ictus/dynamics/central_difference.hpp>

namespace ictus::build {

namespace {

using IntegratorPtr = std::unique_ptr<dynamics::Integrator>;

struct IntegratorMaker {
  IntegratorPtr operator()(const scene::CentralDifferenceSpec&) const {
    return std::make_unique<dynamics::CentralDifference>();
  }
  IntegratorPtr operator()(const scene::CdLagrangeSpec&) const { return std::make_unique<dynamics::CdLagrange>(); }
};

}  // namespace

scene::Integrator default_integrator(const scene::Scene& scene) {
  if (scene.contacts.empty()) return scene::CentralDifferenceSpec{};
  return scene::CdLagrangeSpec{};
}

IntegratorPtr make_integrator(const scene::Integrator& spec) { return std::visit(IntegratorMaker{}, spec); }

void check_capabilities(const scene::Scene& scene, const dynamics::Integrator& integrator, Mistakes& mistakes) {
  const dynamics::Capabilities can = integrator.capabilities();
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const scene::ContactSpec& contact = scene.contacts[i];
    const std::string key = fmt::format("contacts.{}", i);
    if (!can.contact) {
      mistakes.add(
          key, fmt::format("{} has no contact; choose another integrator or leave the contact out", integrator.name()));
      continue;
    }
    if (contact.restitution &&
        (*contact.restitution < can.restitution_min || *contact.restitution > can.restitution_max)) {
      const std::string allowed = can.restitution_min == can.restitution_max
                                      ? fmt::format("only {:g}", can.restitution_min)
                                      : fmt::format("{:g} to {:g}", can.restitution_min, can.restitution_max);
      mistakes.add(key + ".restitution", fmt::format("{} cannot honour a restitution of {:g}; it allows {}",
                                                     integrator.name(), *contact.restitution, allowed));
    }
    if (contact.friction > 0 && !can.friction) {
      mistakes.add(key + ".friction", fmt::format("{} has no friction; it allows only 0", integrator.name()));
    }
  }
}

}  // namespace ictus::build
