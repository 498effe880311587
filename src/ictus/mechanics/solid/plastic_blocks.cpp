#include <ictus/mechanics/solid/plastic_blocks.hpp>

#include <atomic>
#include <ictus/mechanics/solid/plastic_kernel.hpp>
#include <ictus/mechanics/solid/solid_element.hpp>
#include <limits>
#include <stdexcept>

namespace ictus::mechanics {

using math::Pack;
using plastic_kernel::block_numbers;
using plastic_kernel::load_point;
using plastic_kernel::point_numbers;

PlasticBlocks::PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, double density, const Plasticity& plasticity)
    : blocks_(blocks),
      law_(law_of(lame.mu, plasticity)),
      bulk_(plastic_kernel::bulk_modulus(lame)),
      heat_share_(plasticity.heat_share) {
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < shape.nodes; ++a) least = std::min(least, density * solid_element::share_of_volume(shape, a));
    least_mass_.push_back(least);
  }
  least_mass_.resize(blocks_.hexahedra().size() * Pack::lanes, least_mass_.empty() ? 0 : least_mass_.back());
}

PlasticBlocks::Law PlasticBlocks::law_of(double mu, const Plasticity& plasticity) {
  return std::visit(
      [&]<class Hardening>(const Hardening& hardening) -> Law {
        constexpr bool can_be_kinematic =
            std::is_same_v<Hardening, LinearHardening> || std::is_same_v<Hardening, VoceHardening>;
        if constexpr (can_be_kinematic) {
          if (plasticity.back_modulus > 0)
            return KinematicJ2<FlowByStrain<Hardening>>{mu, plasticity.back_modulus, {hardening}};
        } else if (plasticity.back_modulus > 0) {
          throw std::logic_error("kinematic hardening goes with linear hardening or Voce's alone");
        }
        if constexpr (std::is_same_v<Hardening, JohnsonCook>) {
          return IsotropicJ2<JohnsonCook>{mu, hardening};
        } else {
          return IsotropicJ2<FlowByStrain<Hardening>>{mu, {hardening}};
        }
      },
      plasticity.hardening);
}

std::size_t PlasticBlocks::history() const {
  return std::visit([&]<class One>(const One&) { return blocks_.hexahedra().size() * block_numbers<One>; }, law_);
}

void PlasticBlocks::begin(double* history) const {
  std::visit(
      [&]<class One>(const One&) {
        for (const HexahedronBlock& block : blocks_.hexahedra()) {
          for (int q = 0; q < 8; ++q, history += point_numbers<One>)
            plastic_kernel::store_point(One::begin(blocks_.points(block).at(q).cofactor), history);
        }
      },
      law_);
}

template <bool remembers, class History>
bool PlasticBlocks::push(const exec::Executor& exec, const double* x, double elapsed, History* history, double h,
                         double* p) const {
  std::atomic<bool> good = true;
  std::visit(
      [&]<class One>(const One& law) {
        blocks_.hexahedron_tiling().for_each_block(exec, [&](std::size_t b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          const plastic_kernel::Since<History> since{history + b * block_numbers<One>, elapsed};
          const Pack bad = plastic_kernel::kick<remembers>(block, blocks_.points(block), x, h, law, bulk_, since, p);
          if (sum(bad) != 0) good.store(false, std::memory_order_relaxed);
        });
      },
      law_);
  return good;
}

bool PlasticBlocks::kick(const exec::Executor& exec, const double* x, const double* history, double h,
                         double* p) const {
  return push<false>(exec, x, 0, history, h, p);
}

bool PlasticBlocks::advance(const exec::Executor& exec, const double* x, double elapsed, double* history, double h,
                            double* p) const {
  return push<true>(exec, x, elapsed, history, h, p);
}

PlasticBlocks::Held PlasticBlocks::measure(const exec::Executor& exec, const double* x, const double* history,
                                           const double* inverse_mass, const double* p, double time) const {
  return std::visit(
      [&]<class One>(const One& law) {
        const auto held = [&](std::size_t b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          return plastic_kernel::measure(block, blocks_.points(block), x, inverse_mass, p, law, bulk_,
                                         {history + b * block_numbers<One>, time});
        };
        const std::size_t count = blocks_.hexahedra().size();
        return Held{exec.sum(count, [&](std::size_t b) { return sum(held(b).potential); }),
                    exec.sum(count, [&](std::size_t b) { return sum(held(b).power); })};
      },
      law_);
}

Dissipated PlasticBlocks::dissipated(const exec::Executor& exec, const double* history) const {
  return std::visit(
      [&]<class One>(const One& law) {
        const auto total = [&](auto&& density) {
          return exec.sum(blocks_.hexahedra().size(), [&](std::size_t b) {
            const HexahedronBlock& block = blocks_.hexahedra()[b];
            Pack work(0.0);
            for (int q = 0; q < 8; ++q) {
              const double* at = history + b * block_numbers<One> + static_cast<std::size_t>(q) * point_numbers<One>;
              work += blocks_.points(block).volume(q) * density(load_point<One>(at).memory);
            }
            return sum(Pack::load(block.weight) * work);
          });
        };
        const double work = total([&](const auto& memory) { return law.flow.work(memory); });
        const double heat =
            heat_share_ ? *heat_share_ * work : total([&](const auto& memory) { return law.flow.heat(memory); });
        return Dissipated{heat, work - heat};
      },
      law_);
}

std::optional<double> PlasticBlocks::frequency_sq_bound(const exec::Executor& exec, const double* x,
                                                        const double* history) const {
  std::atomic<double> highest = 0;
  std::visit(
      [&]<class One>(const One& law) {
        exec.for_items(blocks_.hexahedra().size(), [&](std::size_t b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          const Pack stiffness = plastic_kernel::stiffness_bound(block, blocks_.points(block), x, law, bulk_,
                                                                 history + b * block_numbers<One>);
          const double here = largest_lane(stiffness / Pack::load(least_mass_.data() + b * Pack::lanes));
          double known = highest.load(std::memory_order_relaxed);
          while (!(here <= known) && !highest.compare_exchange_weak(known, here, std::memory_order_relaxed)) {
          }
        });
      },
      law_);
  return highest.load();
}

PlasticBlocks::Fields PlasticBlocks::show(const double* x, const double* history) const {
  Fields fields;
  const auto add = [](const Pack& values, std::vector<double>& to) {
    for (int lane = 0; lane < Pack::lanes; ++lane) to.push_back(values[lane]);
  };
  std::visit(
      [&]<class One>(const One& law) {
        for (std::size_t b = 0; b < blocks_.hexahedra().size(); ++b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          const auto shown =
              plastic_kernel::show(block, blocks_.points(block), x, law, bulk_, history + b * block_numbers<One>);
          add(shown.von_mises, fields.von_mises);
          add(shown.pressure, fields.pressure);
          add(shown.energy_density, fields.energy_density);
          add(shown.point.memory.alpha, fields.strain);
          if constexpr (requires { shown.point.memory.rate; }) {
            add(shown.point.memory.rate, fields.rate);
            add(law.flow.temperature(shown.point.memory), fields.temperature);
          }
        }
      },
      law_);
  return fields;
}

}  // namespace ictus::mechanics
