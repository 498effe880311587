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

/// The equivalent plastic strains of a block; none of what only relaxes.
template <class Kind, class One>
void read_strains(const double* history, Pack* strains) {
  if constexpr (requires { load_point<One>(history).memory.alpha; }) {
    for (std::size_t q = 0; q < Kind::points; ++q)
      strains[q] = load_point<One>(history + q * point_numbers<One>).memory.alpha;
  }
}

/// Marks of elements: of those that are there, that are to be removed, and that were.
constexpr double present = 1, marked = -1, removed = 0;

}  // namespace

PlasticBlocks::PlasticBlocks(const SolidBlocks& blocks, const Lame& lame, double density, const Plasticity& plasticity)
    : PlasticBlocks(blocks, law_of(lame.mu, plasticity), plastic_kernel::bulk_modulus(lame), density) {
  heat_share_ = plasticity.heat_share;
  failure_ = plasticity.failure;
}

PlasticBlocks::PlasticBlocks(const SolidBlocks& blocks, double density, const MaxwellArm& arm)
    : PlasticBlocks(blocks, arm, 0.0, density) {}

PlasticBlocks::PlasticBlocks(const SolidBlocks& blocks, const Law& law, double bulk, double density)
    : blocks_(blocks), law_(law), bulk_(bulk), node_mass_(blocks.reference().size() / 3) {
  if (bulk > 0 && blocks_.tetrahedra() > 0 && !blocks_.nodal_means())
    throw std::logic_error("tetrahedra that yield would lock");
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
std::size_t PlasticBlocks::block_size() const {
  return block_numbers<Kind, One> + (failure_ ? (Kind::points + 1) * element_lanes : 0);
}

template <class Kind, class One>
std::size_t PlasticBlocks::first_history() const {
  if constexpr (std::is_same_v<Kind, Hexahedra>) return 0;
  return blocks_.of_kind<Hexahedra>().size() * block_size<Hexahedra, One>();
}

template <class Kind, class One>
plastic_kernel::Presence PlasticBlocks::presence(const typename Kind::Block& block, const double* history) const {
  const Pack whole = Kind::weight(block);
  if (!failure_) return {whole};
  const Pack mark = Pack::load(history + block_size<Kind, One>() - element_lanes);
  const Pack::Mask gone = mark.v == removed;
  return {select(gone, Pack(0.0), whole), math::is_any(gone) ? blocks_.reference().data() : nullptr};
}

template <class One, class F>
void PlasticBlocks::for_each_block(F&& f) const {
  for_each_kind([&]<class Kind>(Kind kind) {
    const auto blocks = blocks_.of_kind<Kind>();
    for (std::size_t b = 0; b < blocks.size(); ++b)
      f(kind, blocks[b], b, first_history<Kind, One>() + b * block_size<Kind, One>());
  });
}

template <class One, class F>
double PlasticBlocks::sum_blocks(const exec::Executor& exec, F&& f) const {
  double total = 0;
  for_each_kind([&]<class Kind>(Kind kind) {
    const auto blocks = blocks_.of_kind<Kind>();
    total += exec.sum(blocks.size(), [&](std::size_t b) {
      return f(kind, blocks[b], first_history<Kind, One>() + b * block_size<Kind, One>());
    });
  });
  return total;
}

PlasticBlocks::Volumes PlasticBlocks::find_volumes(const exec::Executor& exec, const Place& place,
                                                   const double* history, bool all) const {
  const NodalMeans* means = blocks_.nodal_means();
  if (!means || bulk_ == 0) return {{bulk_}, {}};
  double* pressures = means->buffer(Use::pressure);
  double* energies = means->buffer(Use::energy);
  double* stiffenings = means->buffer(Use::stiffening);
  double* volumes = failure_ ? means->buffer(Use::volume) : nullptr;
  const auto blocks = blocks_.of_kind<Tetrahedra>();
  std::visit(
      [&]<class One>(const One&) {
        const auto presence_of = [&](const TetrahedronBlock& block) {
          const auto b = static_cast<std::size_t>(&block - blocks.data());
          return presence<Tetrahedra, One>(
              block, history + first_history<Tetrahedra, One>() + b * block_size<Tetrahedra, One>());
        };
        const auto now = [&](const TetrahedronBlock& block) {
          const plastic_kernel::Presence there = presence_of(block);
          const auto slopes = plastic_kernel::slopes_of<Tetrahedra>(block, place, there);
          return there.weight * plastic_kernel::Volume::of<Tetrahedra>(slopes, blocks_.points(block)).now;
        };
        means->gather(exec, blocks, blocks_.tiling<Tetrahedra>(), now, pressures);
        const auto rest = [&](const TetrahedronBlock& block) {
          return presence_of(block).weight * Pack::load(block.volume);
        };
        if (volumes) means->gather(exec, blocks, blocks_.tiling<Tetrahedra>(), rest, volumes);
      },
      law_);
  means->for_each_pack(exec, [&](std::size_t node, Pack volume, Pack::Mask has_elements) {
    if (volumes) {
      volume = Pack::load(volumes + node);
      has_elements = volume.v > 0.0;
      volume = select(has_elements, volume, Pack(1.0));
    }
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
        return first_history<Tetrahedra, One>() + blocks_.of_kind<Tetrahedra>().size() * block_size<Tetrahedra, One>() +
               (failure_ ? 1 : 0);
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
          double* const end = history + at + block_size<Kind, One>();
          std::fill(history + at + block_numbers<Kind, One>, end, 0.0);
          if (failure_) std::fill(end - element_lanes, end, present);
        });
      },
      law_);
  if (failure_) history[this->history() - 1] = 0;  // what removed elements held
}

template <bool remembers, class History>
bool PlasticBlocks::push(const exec::Executor& exec, const double* x, double elapsed, History* history, double h,
                         double* p) const {
  std::atomic<bool> good = true, fails = false;
  const Volumes volumes = find_volumes(exec, {x}, history, false);
  std::visit(
      [&]<class One>(const One& law) {
        for_each_kind([&]<class Kind>(Kind) {
          const auto blocks = blocks_.of_kind<Kind>();
          History* const first = history + first_history<Kind, One>();
          blocks_.tiling<Kind>().for_each_block(exec, [&](std::size_t b) {
            History* const own = first + b * block_size<Kind, One>();
            Pack before[Kind::points];
            if (remembers && failure_) read_strains<Kind, One>(own, before);
            const plastic_kernel::Presence there = presence<Kind, One>(blocks[b], own);
            const plastic_kernel::Since<History> since{own, elapsed};
            const Pack bad = plastic_kernel::kick<Kind, remembers>(blocks[b], blocks_.points(blocks[b]), x, h, law,
                                                                   volumes.of<Kind>(), since, there, p);
            if (sum(bad) != 0) good.store(false, std::memory_order_relaxed);
            if constexpr (remembers) {
              if (failure_ && damage<Kind>(blocks[b], law, x, volumes, elapsed, before, own))
                fails.store(true, std::memory_order_relaxed);
            }
          });
        });
      },
      law_);
  if constexpr (remembers) {
    if (fails) remove_marked(exec, x, history, h, p);
  }
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

template <class Kind, class One>
bool PlasticBlocks::damage(const typename Kind::Block& block, const One& law, const double* x, const Volumes& volumes,
                           double elapsed, const Pack* before, double* history) const {
  if constexpr (std::is_same_v<One, MaxwellArm>) return false;
  Pack grown[Kind::points], triaxiality[Kind::points], any(0.0);
  read_strains<Kind, One>(history, grown);
  for (int q = 0; q < Kind::points; ++q) any += grown[q] = grown[q] - before[q];
  if (!math::is_any(any.v > 0.0)) return false;
  const plastic_kernel::Presence there = presence<Kind, One>(block, history);
  const auto points = blocks_.points(block);
  plastic_kernel::triaxialities<Kind>(block, points, x, law, volumes.of<Kind>(), history, there, triaxiality);
  double* const damages = history + block_numbers<Kind, One>;
  Pack mean(0.0), rest(0.0);
  for (int q = 0; q < Kind::points; ++q) {
    Pack way(0.0);
    if constexpr (requires { law.flow.way(load_point<One>(history).memory); })
      way = law.flow.way(load_point<One>(history + static_cast<std::size_t>(q) * point_numbers<One>).memory);
    const Pack rate = elapsed > 0 ? Pack(1 / elapsed) * grown[q] : Pack(0.0);
    double* const at = damages + q * Pack::lanes;
    const Pack damaged = Pack::load(at) + there.weight * grown[q] / failure_->strain(triaxiality[q], rate, way);
    damaged.store(at);
    mean += points.volume(q) * damaged;
    rest += points.volume(q);
  }
  const Pack::Mask broken = (there.weight.v > 0.0) & (mean.v >= rest.v);
  double* const marks = damages + Kind::points * Pack::lanes;
  select(broken, Pack(marked), Pack::load(marks)).store(marks);
  return math::is_any(broken);
}

void PlasticBlocks::remove_marked(const exec::Executor& exec, const double* x, double* history, double h,
                                  double* p) const {
  const double* now = history;
  const auto stored = [&] { return measure(exec, x, now, x, x, 0).potential; };
  const double before = stored();
  push<false>(exec, x, 0, now, -0.5 * h, p);
  std::visit(
      [&]<class One>(const One&) {
        for_each_block<One>([&]<class Kind>(Kind, const auto& block, std::size_t, std::size_t at) {
          double* const own = history + at;
          double* const marks = own + block_size<Kind, One>() - element_lanes;
          for (std::size_t lane = 0; lane < element_lanes; ++lane) {
            if (marks[lane] != marked) continue;
            marks[lane] = removed;
            for (std::size_t q = 0; q < Kind::points; ++q) {  // as it was at the start, but for how it has flowed
              auto fresh = One::begin(blocks_.points(block).at(static_cast<int>(q)).cofactor);
              std::size_t i = 0;
              fresh.each([&](const Pack& number) {
                if (i < 6) own[q * point_numbers<One> + i * element_lanes + lane] = number[static_cast<int>(lane)];
                ++i;
              });
            }
          }
        });
      },
      law_);
  push<false>(exec, x, 0, now, 0.5 * h, p);
  history[this->history() - 1] += before - stored();
}

PlasticBlocks::Held PlasticBlocks::measure(const exec::Executor& exec, const double* x, const double* history,
                                           const double* inverse_mass, const double* p, double time) const {
  const Place place{x, inverse_mass, p, time};
  const Volumes volumes = find_volumes(exec, place, history, true);
  return std::visit(
      [&]<class One>(const One& law) {
        const auto total = [&](auto part) {
          return sum_blocks<One>(exec, [&]<class Kind>(Kind, const auto& block, std::size_t at) {
            return sum(plastic_kernel::measure<Kind>(block, blocks_.points(block), place, law, volumes.of<Kind>(),
                                                     {history + at, time}, presence<Kind, One>(block, history + at)).*
                       part);
          });
        };
        return Held{total(&plastic_kernel::Held::potential), total(&plastic_kernel::Held::power)};
      },
      law_);
}

std::vector<model::Loss> PlasticBlocks::losses() const {
  if (std::holds_alternative<MaxwellArm>(law_)) return {model::Loss::viscous};
  if (failure_) return {model::Loss::heat, model::Loss::hardening, model::Loss::failure};
  return {model::Loss::heat, model::Loss::hardening};
}

Dissipated PlasticBlocks::dissipated(const exec::Executor& exec, const double* history) const {
  return std::visit(
      [&]<class One>(const One& law) {
        const auto total = [&](auto&& density) {
          return sum_blocks<One>(exec, [&]<class Kind>(Kind, const auto& block, std::size_t at) {
            Pack work(0.0);
            for (std::size_t q = 0; q < Kind::points; ++q) {
              const double* from = history + at + q * point_numbers<One>;
              work += blocks_.points(block).volume(static_cast<int>(q)) * density(load_point<One>(from));
            }
            return sum(Kind::weight(block) * work);
          });
        };
        Dissipated taken;
        if constexpr (std::is_same_v<One, MaxwellArm>) {
          taken.viscous = total([](const auto& point) { return point.taken; });
        } else {
          const double work = total([&](const auto& point) { return law.flow.work(point.memory); });
          taken.heat =
              heat_share_ ? *heat_share_ * work : total([&](const auto& point) { return law.flow.heat(point.memory); });
          taken.hardening = work - taken.heat;
          if (failure_) taken.failure = history[this->history() - 1];
        }
        return taken;
      },
      law_);
}

/// The smaller of the bounds by elements and by nodes.
std::optional<double> PlasticBlocks::frequency_sq_bound(const exec::Executor& exec, const double* x,
                                                        const double* history) const {
  const Volumes volumes = find_volumes(exec, {x}, history, true);
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
                history + first_history<Kind, One>() + b * block_size<Kind, One>(),
                presence<Kind, One>(blocks[b], history + first_history<Kind, One>() + b * block_size<Kind, One>()),
                at_node);
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
  const Volumes volumes = find_volumes(exec::Executor(1), {x}, history, true);
  std::visit(
      [&]<class One>(const One& law) {
        for_each_block<One>([&]<class Kind>(Kind, const auto& block, std::size_t b, std::size_t at) {
          const auto shown = plastic_kernel::show<Kind>(block, blocks_.points(block), x, law, volumes.of<Kind>(),
                                                        history + at, presence<Kind, One>(block, history + at));
          const auto [first, count] = blocks_.slots<Kind>();
          const auto add = [&](const Pack& values, std::vector<double>& to) {
            to.resize(blocks_.count());
            for (std::size_t lane = 0; lane < element_lanes && b * element_lanes + lane < count; ++lane)
              to[first + b * element_lanes + lane] = values[static_cast<int>(lane)];
          };
          const auto& s = shown.deviator;
          fields.deviator.resize(blocks_.count());
          for (std::size_t lane = 0; lane < element_lanes && b * element_lanes + lane < count; ++lane) {
            const int i = static_cast<int>(lane);
            fields.deviator[first + b * element_lanes + lane] = {s.xx[i], s.yy[i], s.zz[i], s.xy[i], s.yz[i], s.zx[i]};
          }
          add(shown.pressure, fields.pressure);
          add(shown.energy_density, fields.energy_density);
          if constexpr (requires { shown.point.memory; }) add(shown.point.memory.alpha, fields.strain);
          if (failure_) {
            Pack damage(0.0), rest(0.0);
            for (int q = 0; q < Kind::points; ++q) {
              const Pack volume = blocks_.points(block).volume(q);
              damage += volume * Pack::load(history + at + block_numbers<Kind, One> + q * Pack::lanes);
              rest += volume;
            }
            add(damage / rest, fields.damage);
          }
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
