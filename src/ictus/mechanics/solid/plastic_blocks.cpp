#include <ictus/mechanics/solid/plastic_blocks.hpp>

#include <atomic>
#include <ictus/mechanics/solid/plastic_kernel.hpp>

namespace ictus::mechanics {

using math::Pack;
using plastic_kernel::block_numbers;
using plastic_kernel::point_numbers;

std::size_t PlasticBlocks::history() const { return blocks_.hexahedra().size() * block_numbers; }

void PlasticBlocks::begin(double* history) const {
  for (const HexahedronBlock& block : blocks_.hexahedra()) {
    for (int q = 0; q < 8; ++q, history += point_numbers) {
      const math::Matrix3<Pack> c = blocks_.points(block).at(q).cofactor;
      const PlasticPoint<Pack> point{
          {norm_sq(c.a), norm_sq(c.b), norm_sq(c.c), dot(c.a, c.b), dot(c.b, c.c), dot(c.c, c.a)}, Pack(0.0)};
      plastic_kernel::store_point(point, history);
    }
  }
}

template <bool remembers, class History>
bool PlasticBlocks::push(const exec::Executor& exec, const double* x, History* history, double h, double* p) const {
  std::atomic<bool> good = true;
  std::visit(
      [&](const auto& hardening) {
        blocks_.hexahedron_tiling().for_each_block(exec, [&](std::size_t b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          const Pack bad = plastic_kernel::kick<remembers>(block, blocks_.points(block), x, h, lame_, hardening,
                                                           history + b * block_numbers, p);
          if (sum(bad) != 0) good.store(false, std::memory_order_relaxed);
        });
      },
      plasticity_.hardening);
  return good;
}

bool PlasticBlocks::kick(const exec::Executor& exec, const double* x, const double* history, double h,
                         double* p) const {
  return push<false>(exec, x, history, h, p);
}

bool PlasticBlocks::advance(const exec::Executor& exec, const double* x, double* history, double h, double* p) const {
  return push<true>(exec, x, history, h, p);
}

PlasticBlocks::Held PlasticBlocks::measure(const exec::Executor& exec, const double* x, const double* history,
                                           const double* inverse_mass, const double* p, double time) const {
  return std::visit(
      [&](const auto& hardening) {
        const auto held = [&](std::size_t b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          return plastic_kernel::measure(block, blocks_.points(block), x, inverse_mass, p, time, lame_, hardening,
                                         history + b * block_numbers);
        };
        const std::size_t count = blocks_.hexahedra().size();
        return Held{exec.sum(count, [&](std::size_t b) { return sum(held(b).potential); }),
                    exec.sum(count, [&](std::size_t b) { return sum(held(b).power); })};
      },
      plasticity_.hardening);
}

Dissipated PlasticBlocks::dissipated(const exec::Executor& exec, const double* history) const {
  const auto total = [&](auto&& density) {
    return exec.sum(blocks_.hexahedra().size(), [&](std::size_t b) {
      const HexahedronBlock& block = blocks_.hexahedra()[b];
      Pack work(0.0);
      for (int q = 0; q < 8; ++q) {
        const double* at = history + b * block_numbers + static_cast<std::size_t>(q) * point_numbers;
        work += blocks_.points(block).volume(q) * density(plastic_kernel::load_point(at).alpha);
      }
      return sum(Pack::load(block.weight) * work);
    });
  };
  return std::visit(
      [&](const auto& hardening) {
        const double work = total([&](const Pack& alpha) { return hardening.work(alpha); });
        const double heat = plasticity_.heat_share ? *plasticity_.heat_share * work
                                                   : total([&](const Pack& alpha) { return hardening.heat(alpha); });
        return Dissipated{heat, work - heat};
      },
      plasticity_.hardening);
}

PlasticBlocks::Fields PlasticBlocks::show(const double* x, const double* history) const {
  Fields fields;
  std::visit(
      [&](const auto& hardening) {
        for (std::size_t b = 0; b < blocks_.hexahedra().size(); ++b) {
          const HexahedronBlock& block = blocks_.hexahedra()[b];
          const auto shown =
              plastic_kernel::show(block, blocks_.points(block), x, lame_, hardening, history + b * block_numbers);
          for (int lane = 0; lane < Pack::lanes; ++lane) {
            fields.von_mises.push_back(shown.von_mises[lane]);
            fields.pressure.push_back(shown.pressure[lane]);
            fields.strain.push_back(shown.strain[lane]);
            fields.energy_density.push_back(shown.energy_density[lane]);
          }
        }
      },
      plasticity_.hardening);
  return fields;
}

}  // namespace ictus::mechanics
