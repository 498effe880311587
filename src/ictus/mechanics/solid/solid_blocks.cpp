#include <ictus/mechanics/solid/solid_blocks.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>

namespace ictus::mechanics {

using geometry::VolumeMesh;
using math::Pack;
using math::Vec3;

namespace {

constexpr auto lanes = static_cast<std::size_t>(Pack::lanes);

/// Twenty-one bits spread to every third place.
std::uint64_t spread(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffff;
  v = (v | v << 16) & 0x1f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  return (v | v << 2) & 0x1249249249249249;
}

/// The elements sorted along Morton's curve through their first nodes; neighbours in space are neighbours in memory.
template <class Elements>
std::vector<int> along_curve(const VolumeMesh& mesh, const Elements& elements) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec3& x : mesh.nodes) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const double extent = std::max((high - low).maxCoeff(), std::numeric_limits<double>::min());
  std::vector<std::pair<std::uint64_t, int>> keys(elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    Vec3 centre = Vec3::Zero();
    for (const int node : elements[e]) centre += mesh.nodes[static_cast<std::size_t>(node)];
    centre = (centre / static_cast<double>(elements[e].size()) - low) / extent * 2097151.0;
    const auto code = [&](int c) { return spread(static_cast<std::uint64_t>(centre[c])); };
    keys[e] = {code(0) | code(1) << 1 | code(2) << 2, static_cast<int>(e)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<int> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
  return order;
}

/// Cuts blocks into tiles and colours these so that equal colours share no node.
template <class Block>
Tiling tile(const std::vector<Block>& blocks, std::size_t nodes) {
  constexpr std::size_t max_blocks = 256;  // 2048 elements, whose nodes stay in a core's second cache
  const std::size_t length = std::clamp<std::size_t>(blocks.size() / 256, 16, max_blocks);
  std::vector<std::uint64_t> used_colors(nodes, 0);  // colours of the tiles at each node
  std::vector<std::vector<Tiling::Tile>> by_colour;
  for (std::size_t begin = 0; begin < blocks.size(); begin += length) {
    const Tiling::Tile now{begin, std::min(begin + length, blocks.size())};
    std::uint64_t used = 0;
    const auto for_each_node = [&](auto&& f) {
      for (std::size_t b = now.begin; b < now.end; ++b) {
        for (const auto& corner : blocks[b].node) {
          for (const int offset : corner) f(used_colors[static_cast<std::size_t>(offset) / 3]);
        }
      }
    };
    for_each_node([&](std::uint64_t colours) { used |= colours; });
    const auto colour = static_cast<std::size_t>(std::countr_one(used));
    if (colour >= 64) throw std::logic_error("a mesh whose tiles need more than 64 colours");
    for_each_node([&](std::uint64_t& colours) { colours |= std::uint64_t{1} << colour; });
    if (by_colour.size() <= colour) by_colour.resize(colour + 1);
    by_colour[colour].push_back(now);
  }
  Tiling tiling{{}, {0}};
  for (const auto& tiles : by_colour) {
    tiling.tiles.insert(tiling.tiles.end(), tiles.begin(), tiles.end());
    tiling.colours.push_back(tiling.tiles.size());
  }
  return tiling;
}

}  // namespace

SolidBlocks::SolidBlocks(const VolumeMesh& mesh, bool nodal_volumes)
    : tetrahedra_(mesh.tetrahedra.size()), hexahedra_(mesh.hexahedra.size()) {
  if (mesh.nodes.size() > std::numeric_limits<int>::max() / 3) throw std::logic_error("a mesh of too many nodes");
  reference_.reserve(3 * mesh.nodes.size());
  for (const Vec3& x : mesh.nodes) reference_.insert(reference_.end(), x.begin(), x.end());
  make_tetrahedra(mesh);
  make_hexahedra(mesh);
  if (nodal_volumes && tetrahedra_ > 0) nodal_means_.emplace(tetrahedron_blocks_, mesh.nodes.size());
}

void SolidBlocks::make_tetrahedra(const VolumeMesh& mesh) {
  number_ = along_curve(mesh, mesh.tetrahedra);
  tetrahedron_blocks_.resize((tetrahedra_ + lanes - 1) / lanes);
  for (std::size_t i = 0; i < tetrahedron_blocks_.size() * lanes; ++i) {
    TetrahedronBlock& block = tetrahedron_blocks_[i / lanes];
    const std::size_t lane = i % lanes, slot = std::min(i, tetrahedra_ - 1);
    const auto& element = mesh.tetrahedra[static_cast<std::size_t>(number_[slot])];
    const auto node = [&](std::size_t a) -> const Vec3& { return mesh.nodes[static_cast<std::size_t>(element[a])]; };
    const Vec3 d1 = node(1) - node(0), d2 = node(2) - node(0), d3 = node(3) - node(0);
    const double six_volumes = d1.cross(d2).dot(d3);
    const Vec3 rows[3] = {d2.cross(d3) / six_volumes, d3.cross(d1) / six_volumes, d1.cross(d2) / six_volumes};
    for (int k = 0; k < 3; ++k) {
      for (int c = 0; c < 3; ++c) block.gradient[3 * k + c][lane] = rows[k][c];
    }
    block.volume[lane] = i < tetrahedra_ ? six_volumes / 6 : 0;
    for (std::size_t a = 0; a < 4; ++a) block.node[a][lane] = 3 * element[a];
  }
  tetrahedron_tiling_ = tile(tetrahedron_blocks_, mesh.nodes.size());
}

void SolidBlocks::make_hexahedra(const VolumeMesh& mesh) {
  const std::vector<int> order = along_curve(mesh, mesh.hexahedra);
  for (const int e : order) number_.push_back(static_cast<int>(tetrahedra_) + e);
  hexahedron_blocks_.resize((hexahedra_ + lanes - 1) / lanes);
  for (std::size_t i = 0; i < hexahedron_blocks_.size() * lanes; ++i) {
    HexahedronBlock& block = hexahedron_blocks_[i / lanes];
    const std::size_t lane = i % lanes;
    const auto& element = mesh.hexahedra[static_cast<std::size_t>(order[std::min(i, hexahedra_ - 1)])];
    block.weight[lane] = i < hexahedra_ ? 1 : 0;
    for (std::size_t a = 0; a < 8; ++a) block.node[a][lane] = 3 * element[a];
  }
  hexahedron_tiling_ = tile(hexahedron_blocks_, mesh.nodes.size());
  make_points();
}

void SolidBlocks::make_points() {
  constexpr std::size_t numbers = solid_kernel::RestPoint<Pack>::numbers * lanes;
  constexpr double rounding = 1e-13;
  std::vector<double> all(8 * numbers);
  for (HexahedronBlock& block : hexahedron_blocks_) {
    math::Vector3<Pack> node[8];
    for (int a = 0; a < 8; ++a) node[a] = solid_kernel::gather(reference_.data(), block.node[a]);
    const HexahedronSlopes<Pack> slopes = hexahedron_modes::slopes(node);
    bool is_same = true;
    for (int q = 0; q < 8; ++q) {
      double* at = all.data() + static_cast<std::size_t>(q) * numbers;
      const auto [cofactor, volume] = solid_kernel::reference_point(slopes, q);
      for (const auto& column : {cofactor.a, cofactor.b, cofactor.c}) {
        for (const Pack& number : {column.x, column.y, column.z}) number.store(at), at += lanes;
      }
      volume.store(at);
      const double* first = all.data();
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        double scale = 0;
        for (std::size_t i = 0; i < 9; ++i) scale = std::max(scale, std::abs(first[i * lanes + lane]));
        const double* now = first + static_cast<std::size_t>(q) * numbers;
        for (std::size_t i = 0; i < 10; ++i) {
          const double largest = rounding * (i < 9 ? scale : first[9 * lanes + lane]);
          is_same = is_same && std::abs(now[i * lanes + lane] - first[i * lanes + lane]) <= largest;
        }
      }
    }
    block.first = points_.size();
    block.stride = is_same ? 0 : numbers;
    points_.insert(points_.end(), all.begin(), is_same ? all.begin() + numbers : all.end());
  }
}

ElementShape SolidBlocks::shape(std::size_t slot) const {
  ElementShape shape;
  if (slot < tetrahedra_) {
    const TetrahedronBlock& block = tetrahedron_blocks_[slot / lanes];
    const std::size_t lane = slot % lanes;
    shape.nodes = 4;
    shape.points = 1;
    shape.volume[0] = block.volume[lane];
    math::Vector3<double> sum;
    for (int a = 0; a < 4; ++a) shape.node[static_cast<std::size_t>(a)] = block.node[a][lane];
    for (int k = 0; k < 3; ++k) {
      const math::Vector3<double> g{block.gradient[3 * k][lane], block.gradient[3 * k + 1][lane],
                                    block.gradient[3 * k + 2][lane]};
      shape.gradient[0][k + 1] = g;
      sum += g;
    }
    shape.gradient[0][0] = -sum;
    return shape;
  }
  const HexahedronBlock& block = hexahedron_blocks_[(slot - tetrahedra_) / lanes];
  const std::size_t lane = (slot - tetrahedra_) % lanes;
  shape.nodes = 8;
  shape.points = 8;
  math::Vector3<double> reference[8];
  for (int a = 0; a < 8; ++a) {
    const int offset = shape.node[static_cast<std::size_t>(a)] = block.node[a][lane];
    const double* x = reference_.data() + offset;
    reference[a] = {x[0], x[1], x[2]};
  }
  const HexahedronSlopes<double> slopes = hexahedron_modes::slopes(reference);
  for (int q = 0; q < 8; ++q) {
    const auto point = solid_kernel::reference_point(slopes, q);
    shape.volume[q] = point.volume;
    for (int a = 0; a < 8; ++a) {
      const double* d = solid_kernel::hexahedron_shape.derivative[q][a];
      shape.gradient[q][a] = point.cofactor * math::Vector3<double>{d[0], d[1], d[2]};
    }
  }
  return shape;
}

namespace {

/// Asks for a block that is needed soon: blocks are read once and in order, but hardware stops looking ahead where a
/// page of memory ends.
template <class Block>
void look_ahead(const std::vector<Block>& blocks, std::size_t now) {
  constexpr std::size_t ahead = 3, line = 64;
  const auto* next = reinterpret_cast<const char*>(blocks.data() + std::min(now + ahead, blocks.size() - 1));
  for (std::size_t at = 0; at < sizeof(Block); at += line) __builtin_prefetch(next + at);
}

}  // namespace

/// λ times the mean of θ, or of its rate, around each node.
template <class Law, class... Positions>
double* SolidBlocks::nodal_pressures(const exec::Executor& exec, double lambda, const Positions*... of) const {
  double* pressure = nodal_means_->buffer(NodalMeans::Use::pressure);
  nodal_means_->gather(
      exec, tetrahedron_blocks_, tetrahedron_tiling_,
      [&](const TetrahedronBlock& block) { return solid_kernel::dilated<Law>(block, of...); }, pressure);
  nodal_means_->for_each_pack(exec, [&](std::size_t node, const Pack& volume, Pack::Mask) {
    (Pack(lambda) * Pack::load(pressure + node) / volume).store(pressure + node);
  });
  return pressure;
}

template <class Law>
const double* SolidBlocks::nodal_pressure(const exec::Executor& exec, const double* x, const Lame& lame) const {
  return nodal_pressures<Law>(exec, lame.lambda, x);
}

template <class Law>
bool SolidBlocks::kick(const exec::Executor& exec, const double* x, double h, const Lame& lame, double* p) const {
  std::atomic<bool> good = true;
  const auto tetrahedra = [&](const auto& pressure) {
    tetrahedron_tiling_.for_each_block(exec, [&](std::size_t b) {
      look_ahead(tetrahedron_blocks_, b);
      const Pack bad = solid_kernel::kick<Law>(tetrahedron_blocks_[b], x, h, lame.mu, pressure, p);
      if (Law::fails_inverted && sum(bad) != 0) good.store(false, std::memory_order_relaxed);
    });
  };
  if (nodal_means_) {
    tetrahedra(solid_kernel::NodalPressure{nodal_pressures<Law>(exec, lame.lambda, x)});
  } else {
    tetrahedra(solid_kernel::OwnPressure{lame.lambda});
  }
  hexahedron_tiling_.for_each_block(exec, [&](std::size_t b) {
    const Pack bad = solid_kernel::kick<Law>(hexahedron_blocks_[b], points_.data(), x, h, lame, p);
    if (Law::fails_inverted && sum(bad) != 0) good.store(false, std::memory_order_relaxed);
  });
  return good;
}

template <class Viscosity>
void SolidBlocks::apply_damping(const exec::Executor& exec, const double* x, const double* v, double h,
                                const Lame& lame, double* p) const {
  const auto tetrahedra = [&](const auto& pressure) {
    tetrahedron_tiling_.for_each_block(exec, [&](std::size_t b) {
      look_ahead(tetrahedron_blocks_, b);
      solid_kernel::apply_damping<Viscosity>(tetrahedron_blocks_[b], x, v, h, lame.mu, pressure, p);
    });
  };
  if (nodal_means_) {
    tetrahedra(solid_kernel::NodalPressure{nodal_pressures<Viscosity>(exec, lame.lambda, x, v)});
  } else {
    tetrahedra(solid_kernel::OwnPressure{lame.lambda});
  }
  hexahedron_tiling_.for_each_block(exec, [&](std::size_t b) {
    solid_kernel::apply_damping<Viscosity>(hexahedron_blocks_[b], points_.data(), x, v, h, lame, p);
  });
}

template void SolidBlocks::apply_damping<SmallRates>(const exec::Executor&, const double*, const double*, double,
                                                     const Lame&, double*) const;
template void SolidBlocks::apply_damping<TurningRates>(const exec::Executor&, const double*, const double*, double,
                                                       const Lame&, double*) const;
template const double* SolidBlocks::nodal_pressure<LinearLaw>(const exec::Executor&, const double*, const Lame&) const;
template const double* SolidBlocks::nodal_pressure<StVenantKirchhoffLaw>(const exec::Executor&, const double*,
                                                                         const Lame&) const;
template const double* SolidBlocks::nodal_pressure<NeoHookeanLaw>(const exec::Executor&, const double*,
                                                                  const Lame&) const;
template bool SolidBlocks::kick<LinearLaw>(const exec::Executor&, const double*, double, const Lame&, double*) const;
template bool SolidBlocks::kick<StVenantKirchhoffLaw>(const exec::Executor&, const double*, double, const Lame&,
                                                      double*) const;
template bool SolidBlocks::kick<NeoHookeanLaw>(const exec::Executor&, const double*, double, const Lame&,
                                               double*) const;

}  // namespace ictus::mechanics
