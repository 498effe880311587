#include <ictus/mechanics/solid/plastic_blocks.hpp>

#include <atomic>
#include <ictus/mechanics/solid/solid_element.hpp>
#include <limits>
#include <stdexcept>

namespace ictus::mechanics {

using math::Pack;
using plastic_kernel::block_numbers;
using plastic_kernel::load_point;
using plastic_kernel::NodalVolume;
using plastic_kernel::OwnVolume;
using plastic_kernel::Place;
using plastic_kernel::point_numbers;
using Use = NodalMeans::Use;

namespace {

constexpr auto element_lanes = static_cast<std::size_t>(Pack::lanes);

/// Calls f with each kind of elements.
template <class F>
void for_each_kind(F&& f) {
  f(Hexahedra{});
  f(Tetrahedra{});
}

}  // namespace

PlasticBlocks::PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, double density, const Plasticity& plasticity)
    : blocks_(blocks),
      law_(law_of(lame.mu, plasticity)),
      bulk_(plastic_kernel::bulk_modulus(lame)),
      node_mass_(blocks.reference().size() / 3),
      heat_share_(plasticity.heat_share) {
  if (blocks_.tetrahedra() > 0 && !blocks_.nodal_means()) throw std::logic_error("tetrahedra that yield would lock");
  for (std::size_t e = 0; e < blocks_.count(); ++e) {
    const ElementShape shape = blocks_.shape(e);
    double least = std::numeric_limits<double>::infinity();
    for (int a = 0; a < shape.nodes; ++a) {
      const double mass = density * solid_element::share_of_volume(shape, a);
      node_mass_[static_cast<std::size_t>(shape.node[static_cast<std::size_t>(a)]) / 3] += mass;
      least = std::min(least, mass);
    }
    least_mass_.push_back(least);
  }
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

template <class Kind, class One>
std::size_t PlasticBlocks::first_history() const {
  if constexpr (std::is_same_v<Kind, Hexahedra>) return 0;
  return blocks_.of_kind<Hexahedra>().size() * block_numbers<Hexahedra, One>;
}

template <class One, class F>
void PlasticBlocks::for_each_block(F&& f) const {
  for_each_kind([&]<class Kind>(Kind kind) {
    const auto blocks = blocks_.of_kind<Kind>();
    for (std::size_t b = 0; b < blocks.size(); ++b)
      f(kind, blocks[b], b, first_history<Kind, One>() + b * block_numbers<Kind, One>);
  });
}

template <class One, class F>
double PlasticBlocks::sum_blocks(const exec::Executor& exec, F&& f) const {
  double total = 0;
  for_each_kind([&]<class Kind>(Kind kind) {
    const auto blocks = blocks_.of_kind<Kind>();
    total += exec.sum(blocks.size(), [&](std::size_t b) {
      return f(kind, blocks[b], first_history<Kind, One>() + b * block_numbers<Kind, One>);
    });
  });
  return total;
}

PlasticBlocks::Volumes PlasticBlocks::find_volumes(const exec::Executor& exec, const Place& place, bool all) const {
  const NodalMeans* means = blocks_.nodal_means();
  if (!means) return {{bulk_}, {}};
  double* pressures = means->buffer(Use::pressure);
  double* energies = means->buffer(Use::energy);
  double* stiffenings = means->buffer(Use::stiffening);
  means->gather(
      exec, blocks_.of_kind<Tetrahedra>(), blocks_.tiling<Tetrahedra>(),
      [&](const TetrahedronBlock& block) {
        const Pack now = plastic_kernel::Volume::of<Tetrahedra>(plastic_kernel::slopes_of<Tetrahedra>(block, place),
                                                                blocks_.points(block))
                             .now;
        return Tetrahedra::weight(block) * now;
      },
      pressures);
  means->for_each_pack(exec, [&](std::size_t node, const Pack& volume, Pack::Mask has_elements) {
    const Pack growth = select(has_elements, Pack::load(pressures + node) / volume, Pack(1.0));
    plastic_kernel::pressure(bulk_, growth).store(pressures + node);
    if (!all) return;
    plastic_kernel::volume_energy(bulk_, growth).store(energies + node);
    (Pack(1.0) / growth).store(stiffenings + node);
  });
  return {{bulk_}, {pressures, energies, stiffenings}};
}

std::size_t PlasticBlocks::history() const {
  return std::visit(
      [&]<class One>(const One&) {
        return first_history<Tetrahedra, One>() + blocks_.of_kind<Tetrahedra>().size() * block_numbers<Tetrahedra, One>;
      },
      law_);
}

void PlasticBlocks::begin(double* history) const {
  std::visit(
      [&]<class One>(const One&) {
        for_each_block<One>([&]<class Kind>(Kind, const auto& block, std::size_t, std::size_t at) {
          for (std::size_t q = 0; q < Kind::points; ++q)
            plastic_kernel::store_point(One::begin(blocks_.points(block).at(static_cast<int>(q)).cofactor),
                                        history + at + q * point_numbers<One>);
        });
      },
      law_);
}

template <bool remembers, class History>
bool PlasticBlocks::push(const exec::Executor& exec, const double* x, double elapsed, History* history, double h,
                         double* p) const {
  std::atomic<bool> good = true;
  const Volumes volumes = find_volumes(exec, {x}, false);
  std::visit(
      [&]<class One>(const One& law) {
        for_each_kind([&]<class Kind>(Kind) {
          const auto blocks = blocks_.of_kind<Kind>();
          History* const first = history + first_history<Kind, One>();
          blocks_.tiling<Kind>().for_each_block(exec, [&](std::size_t b) {
            const plastic_kernel::Since<History> since{first + b * block_numbers<Kind, One>, elapsed};
            const Pack bad = plastic_kernel::kick<Kind, remembers>(blocks[b], blocks_.points(blocks[b]), x, h, law,
                                                                   volumes.of<Kind>(), since, p);
            if (sum(bad) != 0) good.store(false, std::memory_order_relaxed);
          });
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
  const Place place{x, inverse_mass, p, time};
  const Volumes volumes = find_volumes(exec, place, true);
  return std::visit(
      [&]<class One>(const One& law) {
        const auto total = [&](auto part) {
          return sum_blocks<One>(exec, [&]<class Kind>(Kind, const auto& block, std::size_t at) {
            return sum(plastic_kernel::measure<Kind>(block, blocks_.points(block), place, law, volumes.of<Kind>(),
                                                     {history + at, time}).*
                       part);
          });
        };
        return Held{total(&plastic_kernel::Held::potential), total(&plastic_kernel::Held::power)};
      },
      law_);
}

Dissipated PlasticBlocks::dissipated(const exec::Executor& exec, const double* history) const {
  return std::visit(
      [&]<class One>(const One& law) {
        const auto total = [&](auto&& density) {
          return sum_blocks<One>(exec, [&]<class Kind>(Kind, const auto& block, std::size_t at) {
            Pack work(0.0);
            for (std::size_t q = 0; q < Kind::points; ++q) {
              const double* from = history + at + q * point_numbers<One>;
              work += blocks_.points(block).volume(static_cast<int>(q)) * density(load_point<One>(from).memory);
            }
            return sum(Kind::weight(block) * work);
          });
        };
        const double work = total([&](const auto& memory) { return law.flow.work(memory); });
        const double heat =
            heat_share_ ? *heat_share_ * work : total([&](const auto& memory) { return law.flow.heat(memory); });
        return Dissipated{heat, work - heat};
      },
      law_);
}

/// The smaller of the bounds by elements and by nodes.
std::optional<double> PlasticBlocks::frequency_sq_bound(const exec::Executor& exec, const double* x,
                                                        const double* history) const {
  const Volumes volumes = find_volumes(exec, {x}, true);
  std::atomic<double> by_element = 0;
  const auto raise = [](std::atomic<double>& highest, double here) {
    double known = highest.load(std::memory_order_relaxed);
    while (!(here <= known) && !highest.compare_exchange_weak(known, here, std::memory_order_relaxed)) {
    }
  };
  thread_local std::vector<double> at_nodes;
  at_nodes.assign(node_mass_.size(), 0.0);
  double* const sums = at_nodes.data();
  std::visit(
      [&]<class One>(const One& law) {
        for_each_kind([&]<class Kind>(Kind) {
          const auto blocks = blocks_.of_kind<Kind>();
          const auto [first_slot, count] = blocks_.slots<Kind>();
          blocks_.tiling<Kind>().for_each_block(exec, [&](std::size_t b) {
            Pack at_node[Kind::nodes];
            const Pack stiffness = plastic_kernel::stiffness_bound<Kind>(
                blocks[b], blocks_.points(blocks[b]), x, law, bulk_, volumes.of<Kind>(),
                history + first_history<Kind, One>() + b * block_numbers<Kind, One>, at_node);
            for (int a = 0; a < Kind::nodes; ++a) {
              for (int lane = 0; lane < Pack::lanes; ++lane) sums[blocks[b].node[a][lane] / 3] += at_node[a][lane];
            }
            for (std::size_t lane = 0; lane < element_lanes && b * element_lanes + lane < count; ++lane)
              raise(by_element, stiffness[static_cast<int>(lane)] / least_mass_[first_slot + b * element_lanes + lane]);
          });
        });
      },
      law_);
  double by_node = 0;
  for (std::size_t a = 0; a < node_mass_.size(); ++a) {
    const double here = sums[a] / node_mass_[a];
    if (!(here <= by_node)) by_node = here;
  }
  return std::min(by_element.load(), by_node);
}

PlasticBlocks::Fields PlasticBlocks::show(const double* x, const double* history) const {
  Fields fields;
  const Volumes volumes = find_volumes(exec::Executor(1), {x}, true);
  std::visit(
      [&]<class One>(const One& law) {
        for_each_block<One>([&]<class Kind>(Kind, const auto& block, std::size_t b, std::size_t at) {
          const auto shown =
              plastic_kernel::show<Kind>(block, blocks_.points(block), x, law, volumes.of<Kind>(), history + at);
          const auto [first, count] = blocks_.slots<Kind>();
          const auto add = [&](const Pack& values, std::vector<double>& to) {
            to.resize(blocks_.count());
            for (std::size_t lane = 0; lane < element_lanes && b * element_lanes + lane < count; ++lane)
              to[first + b * element_lanes + lane] = values[static_cast<int>(lane)];
          };
          add(shown.von_mises, fields.von_mises);
          add(shown.pressure, fields.pressure);
          add(shown.energy_density, fields.energy_density);
          add(shown.point.memory.alpha, fields.strain);
          if constexpr (requires { shown.point.memory.rate; }) {
            add(shown.point.memory.rate, fields.rate);
            add(law.flow.temperature(shown.point.memory), fields.temperature);
          }
        });
      },
      law_);
  return fields;
}

}  // namespace ictus::mechanics
