#include <ictus/mechanics/solid/nodal_blocks.hpp>

#include <ictus/mechanics/solid/solid_element.hpp>

namespace ictus::mechanics {

using namespace solid_element;

template <class Law>
bool NodalBlocks<Law>::kick(const exec::Executor& exec, const double* x, const double* /*history*/, double h,
                            double* p) const {
  return blocks_.kick<Law>(exec, x, h, lame_, p);
}

template <class Law>
bool NodalBlocks<Law>::advance(const exec::Executor& exec, const double* x, double /*elapsed*/, double* history,
                               double h, double* p) const {
  return kick(exec, x, history, h, p);
}

template <class Law>
NodalBlocks<Law>::Held NodalBlocks<Law>::measure(const exec::Executor& exec, const double* x, const double* /*history*/,
                                                 const double* inverse_mass, const double* p, double time) const {
  const std::size_t dofs = blocks_.reference().size();
  std::vector<double> moved;
  if (time != 0) {
    moved.assign(x, x + dofs);
    for (std::size_t k = 0; k < dofs; ++k) moved[k] += time * inverse_mass[k] * p[k];
    x = moved.data();
  }
  const double* pressures = blocks_.nodal_pressure<Law>(exec, x, lame_);
  const auto volumes = blocks_.nodal_means()->volumes();
  Held held;
  held.potential = exec.sum(
      volumes.size(), [&](std::size_t a) { return volumes[a] * pressures[a] * pressures[a] / (2 * lame_.lambda); });
  const auto sum = [&](auto&& of) {
    return exec.sum(blocks_.count(), [&](std::size_t slot) {
      const ElementShape shape = blocks_.shape(slot);
      Vector at[8], velocity[8];
      read_nodes(shape, x, at);
      for (int a = 0; a < shape.nodes; ++a) {
        const auto k = static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)]);
        velocity[a] = {inverse_mass[k] * p[k], inverse_mass[k + 1] * p[k + 1], inverse_mass[k + 2] * p[k + 2]};
      }
      return of(shape, at, velocity);
    });
  };
  held.potential += sum([&](const ElementShape& shape, const Vector* at, const Vector*) {
    return shape.nodes == 4 ? shear_energy<Law>(shape, lame_.mu, at) : energy<Law>(shape, lame_, at);
  });
  held.power = sum([&](const ElementShape& shape, const Vector* at, const Vector* velocity) {
    const double stress = shape.nodes == 4 ? nodal_mean(shape, pressures) : pressure<Law>(shape, lame_, at);
    return power<Law>(shape, lame_.mu, stress, at, velocity);
  });
  return held;
}

template <class Law>
NodalBlocks<Law>::Fields NodalBlocks<Law>::show(const double* x, const double* /*history*/) const {
  const double* pressures = blocks_.nodal_pressure<Law>(exec::Executor(1), x, lame_);
  Fields fields;
  for (std::size_t slot = 0; slot < blocks_.count(); ++slot) {
    const ElementShape shape = blocks_.shape(slot);
    Vector at[8];
    read_nodes(shape, x, at);
    const bool is_nodal = shape.nodes == 4;
    const double stress = is_nodal ? nodal_mean(shape, pressures) : pressure<Law>(shape, lame_, at);
    double density = shear_energy<Law>(shape, lame_.mu, at) / shape.total_volume();
    if (is_nodal) {
      for (std::size_t a = 0; a < 4; ++a) {
        const double own = pressures[shape.node[a] / 3];
        density += own * own / (8 * lame_.lambda);
      }
    } else {
      density += stress * stress / (2 * lame_.lambda);
    }
    const math::Symmetric3<double> cauchy = cauchy_stress<Law>(shape, lame_.mu, stress, at);
    fields.deviator.push_back(deviator(cauchy));
    fields.pressure.push_back(-trace(cauchy) / 3);
    fields.energy_density.push_back(density);
  }
  return fields;
}

template class NodalBlocks<LinearLaw>;
template class NodalBlocks<StVenantKirchhoffLaw>;
template class NodalBlocks<NeoHookeanLaw>;

}  // namespace ictus::mechanics
