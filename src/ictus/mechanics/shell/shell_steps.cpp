// Cuts a shell into pairs of regular elements and patches, and these into tiles.
#include <ictus/mechanics/shell/shell.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/mechanics/shell/shell_items.hpp>
#include <map>
#include <optional>
#include <stdexcept>

namespace ictus::mechanics {

using base::index;

namespace {

using Vertices = std::array<int, 12>;

/// The patch of a triangle turned so that its corner `by` comes first.
Vertices turned(Vertices v, std::size_t by) {
  for (; by > 0; --by) v = {v[1], v[2], v[0], v[4], v[5], v[3], v[8], v[9], v[10], v[11], v[6], v[7]};
  return v;
}

/// What pairs of elements look for: both have patches like those of the inside of a regular mesh.
class Pairing {
 public:
  explicit Pairing(const Shell& shell) : regular_(shell.elements().element_count()), partner_(regular_.size(), none) {
    for (std::size_t e = 0; e < regular_.size(); ++e) regular_[e] = regular_vertices(shell.elements().patch(e));
    find_neighbours();
    match();
  }

  struct Pair {
    std::size_t first, second;
    std::array<int, ShellItems::pair_vertices> vertices;
    Vertices first_vertices, second_vertices;
  };
  const std::vector<Pair>& pairs() const { return pairs_; }
  bool paired(std::size_t element) const { return partner_[element] != none; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  static std::optional<Vertices> regular_vertices(const ShellPatch& patch) {
    if (patch.size() != 12) return std::nullopt;
    Vertices vertices;
    for (std::size_t k = 0; k < 12; ++k) {
      const geometry::Jet& f = geometry::loop::at_barycentre[k];
      const ShellPatchEntry& entry = patch[k];
      if (!entry.map.isIdentity(0) || entry.d1 != f.d1 || entry.d2 != f.d2 || entry.d11 != f.d11 ||
          entry.d22 != f.d22 || entry.d12 != f.d12)
        return std::nullopt;
      vertices[k] = entry.vertex;
    }
    return vertices;
  }

  void find_neighbours() {
    struct Side {
      int low, high;
      std::size_t element, corner;  ///< the corner across
    };
    std::vector<Side> sides;
    for (std::size_t e = 0; e < regular_.size(); ++e) {
      if (!regular_[e]) continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const int a = (*regular_[e])[(c + 1) % 3], b = (*regular_[e])[(c + 2) % 3];
        sides.push_back({std::min(a, b), std::max(a, b), e, c});
      }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
      return std::tie(a.low, a.high, a.element) < std::tie(b.low, b.high, b.element);
    });
    neighbours_.resize(regular_.size());
    for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
      const Side &a = sides[i], &b = sides[i + 1];
      if (a.low != b.low || a.high != b.high) continue;
      neighbours_[a.element][a.corner] = {b.element, b.corner};
      neighbours_[b.element][b.corner] = {a.element, a.corner};
    }
  }

  int free_neighbours(std::size_t e) const {
    return static_cast<int>(std::count_if(neighbours_[e].begin(), neighbours_[e].end(), [&](const Neighbour& n) {
      return n.element != none && partner_[n.element] == none;
    }));
  }

  /// Elements with the fewest free neighbours first, each with that of its neighbours that has the fewest.
  void match() {
    std::array<std::vector<std::size_t>, 4> waiting;
    for (std::size_t e = regular_.size(); e-- > 0;)
      if (regular_[e]) waiting[index(free_neighbours(e))].push_back(e);
    for (std::size_t least = 1; least < waiting.size();) {
      if (waiting[least].empty()) {
        ++least;
        continue;
      }
      const std::size_t e = waiting[least].back();
      waiting[least].pop_back();
      if (partner_[e] != none || free_neighbours(e) == 0) continue;
      if (index(free_neighbours(e)) != least) continue;  // it waits elsewhere, too
      const std::size_t corner = best_corner(e);
      if (corner == 3) continue;
      const Neighbour other = neighbours_[e][corner];
      partner_[e] = other.element;
      partner_[other.element] = e;
      for (const std::size_t of : {e, other.element}) {
        for (const Neighbour& n : neighbours_[of]) {
          if (n.element == none || partner_[n.element] != none) continue;
          const std::size_t now = index(free_neighbours(n.element));
          if (now == 0) continue;
          waiting[now].push_back(n.element);
          least = std::min(least, now);
        }
      }
    }
    std::sort(pairs_.begin(), pairs_.end(), [](const Pair& a, const Pair& b) { return a.first < b.first; });
  }

  /// The corner across which lies the neighbour to take, whose pair is added; 3: none fits.
  std::size_t best_corner(std::size_t e) {
    std::size_t best = 3;
    int fewest = 4;
    Pair found;
    for (std::size_t c = 0; c < 3; ++c) {
      const Neighbour n = neighbours_[e][c];
      if (n.element == none || partner_[n.element] != none || free_neighbours(n.element) >= fewest) continue;
      if (const std::optional<Pair> pair = pair_of(e, c, n.element, n.corner)) {
        best = c;
        fewest = free_neighbours(n.element);
        found = *pair;
      }
    }
    if (best != 3) pairs_.push_back(found);
    return best;
  }

  std::optional<Pair> pair_of(std::size_t e, std::size_t c, std::size_t other, std::size_t d) const {
    Pair pair{e, other, {}, turned(*regular_[e], c), turned(*regular_[other], d)};
    std::copy(pair.first_vertices.begin(), pair.first_vertices.end(), pair.vertices.begin());
    for (std::size_t k = 0; k < 12; ++k)
      if (ShellItems::second[k] >= 12) pair.vertices[ShellItems::second[k]] = pair.second_vertices[k];
    for (std::size_t k = 0; k < 12; ++k)
      if (pair.vertices[ShellItems::second[k]] != pair.second_vertices[k]) return std::nullopt;
    return pair;
  }

  struct Neighbour {
    std::size_t element = none, corner = 0;
  };
  std::vector<std::optional<Vertices>> regular_;
  std::vector<std::array<Neighbour, 3>> neighbours_;
  std::vector<std::size_t> partner_;
  std::vector<Pair> pairs_;
};

using Weight = ShellItems::Lists::Weight;

/// A patch with each vertex once, where all maps are multiples of 1 and nothing is added.
struct PlainPatch {
  std::vector<int> vertices;
  std::vector<Weight> weights;
};

std::optional<PlainPatch> plain(const ShellPatch& patch) {
  PlainPatch result;
  for (const ShellPatchEntry& entry : patch) {
    const double factor = entry.map(0, 0);
    if (!(entry.map / factor).isIdentity(0) || entry.offset != std::array<double, 3>{}) return std::nullopt;
    const auto found = std::find(result.vertices.begin(), result.vertices.end(), entry.vertex);
    const auto at = static_cast<std::size_t>(found - result.vertices.begin());
    if (found == result.vertices.end()) {
      result.vertices.push_back(entry.vertex);
      result.weights.push_back({});
    }
    Weight& weight = result.weights[at];
    weight.d1 += factor * entry.d1;
    weight.d2 += factor * entry.d2;
    weight.d11 += factor * entry.d11;
    weight.d22 += factor * entry.d22;
    weight.d12 += factor * entry.d12;
  }
  return result;
}

/// The lists of a shell's items, and how they are cut into tiles.
class ShellItemsMaker {
 public:
  explicit ShellItemsMaker(const Shell& shell) : shell_(shell), pairing_(shell) {
    for (std::size_t e = 0; e < shell.elements().element_count(); ++e) {
      if (pairing_.paired(e)) continue;
      elements_.push_back(e);
      patches_.push_back(plain(shell.elements().patch(e)).value());
      kinds_.push_back(kind_of(patches_.back()));
    }
    lists_.wall = shell.elements().wall();
    cut();
    fill();
  }

  const exec::Tiling& tiling() const { return tiling_; }
  ShellItems::Lists take() { return std::move(lists_); }

 private:
  /// Most items of a tile, and the fewest where there are not enough for every multiprocessor; and the memory that a
  /// tile may take where two are worked on at a time (bytes).
  static constexpr std::size_t largest_tile = 256, smallest_tile = 32, wanted_tiles = 264, tile_memory = 108 << 10;

  void cut() {
    std::vector<std::uint32_t> start{0}, vertices;
    std::vector<std::array<double, 3>> middle;
    std::vector<std::uint32_t> kind;
    const auto add = [&](std::span<const int> of_item, std::uint32_t its_kind) {
      std::array<double, 3> sum{};
      for (const int v : of_item) {
        vertices.push_back(static_cast<std::uint32_t>(v));
        for (std::size_t c = 0; c < 3; ++c)
          sum[c] +=
              shell_.properties().mesh.positions[index(v)][static_cast<int>(c)] / static_cast<double>(of_item.size());
      }
      start.push_back(static_cast<std::uint32_t>(vertices.size()));
      middle.push_back(sum);
      kind.push_back(its_kind);
    };
    for (const Pairing::Pair& pair : pairing_.pairs()) add(pair.vertices, 0);
    for (std::size_t i = 0; i < patches_.size(); ++i) add(patches_[i].vertices, 1 + kinds_[i]);
    std::size_t most = std::clamp(middle.size() / wanted_tiles, smallest_tile, largest_tile);
    const auto make = [&] {
      tiling_ = exec::make_tiling({start, vertices, middle, kind}, shell_.properties().mesh.positions.size(), most);
    };
    make();
    while (3 * sizeof(double) * (std::size_t{tiling_.max_local()} + tiling_.max_places()) > tile_memory) {
      most = most * 7 / 8;
      make();
    }
  }

  void fill() {
    const std::size_t pairs = pairing_.pairs().size();
    lists_.pair_slot.resize(ShellItems::pair_vertices * pairs);
    lists_.pair_rest.resize(12 * pairs);
    std::uint32_t pair = 0;
    for (std::size_t tile = 0; tile < tiling_.tile_count(); ++tile) {
      lists_.tiles.push_back({pair, static_cast<std::uint32_t>(lists_.patch.size())});
      std::size_t i = tiling_.tiles[tile].items;
      const std::size_t end = tiling_.tiles[tile + 1].items;
      for (; i < end && tiling_.item[i] < pairs; ++i) add_pair(pairing_.pairs()[tiling_.item[i]], slots_of(i), pair++);
      while (i < end) {
        std::size_t last = i;
        while (last < end && kinds_[tiling_.item[last] - pairs] == kinds_[tiling_.item[i] - pairs]) ++last;
        add_patches(i, last);
        i = last;
      }
    }
    lists_.tiles.push_back({pair, static_cast<std::uint32_t>(lists_.patch.size())});
  }

  std::span<const exec::Tiling::Slot> slots_of(std::size_t item) const {
    return std::span(tiling_.slot)
        .subspan(tiling_.slot_start[item], tiling_.slot_start[item + 1] - tiling_.slot_start[item]);
  }

  ShellRest<double> rest_of(const Vertices& vertices) const {
    ShellDerivatives<double> d;
    for (std::size_t k = 0; k < 12; ++k) {
      const math::Vec3& at = shell_.properties().mesh.positions[index(vertices[k])];
      const math::Vector3<double> x{at.x(), at.y(), at.z()};
      const geometry::Jet& f = geometry::loop::at_barycentre[k];
      d.d1 += f.d1 * x;
      d.d2 += f.d2 * x;
      d.d11 += f.d11 * x;
      d.d22 += f.d22 * x;
      d.d12 += f.d12 * x;
    }
    return shell_rest(d);
  }

  void add_pair(const Pairing::Pair& pair, std::span<const exec::Tiling::Slot> slots, std::size_t number) {
    const std::size_t pairs = pairing_.pairs().size();
    for (std::size_t k = 0; k < slots.size(); ++k) lists_.pair_slot[k * pairs + number] = slots[k];
    const auto put = [&](const ShellRest<double>& rest, std::size_t first) {
      const std::array values{rest.t11, rest.t21, rest.t22, rest.b11, rest.b22, rest.b12};
      for (std::size_t k = 0; k < values.size(); ++k) lists_.pair_rest[(first + k) * pairs + number] = values[k];
    };
    put(rest_of(pair.first_vertices), 0);
    put(rest_of(pair.second_vertices), 6);
  }

  /// The number of the patch's weights, which are kept once.
  std::uint32_t kind_of(const PlainPatch& patch) {
    std::vector<std::array<double, 5>> key;
    for (const Weight& w : patch.weights) key.push_back({w.d1, w.d2, w.d11, w.d22, w.d12});
    const auto [found, is_new] = known_.try_emplace(std::move(key), static_cast<std::uint32_t>(known_.size()));
    if (is_new) {
      first_weight_.push_back(static_cast<std::uint32_t>(lists_.weight.size()));
      lists_.weight.insert(lists_.weight.end(), patch.weights.begin(), patch.weights.end());
    }
    return found->second;
  }

  /// A run of items that are patches of one kind.
  void add_patches(std::size_t first, std::size_t last) {
    const std::size_t pairs = pairing_.pairs().size(), begin = lists_.patch_slot.size(), count = slots_of(first).size();
    const auto stride = static_cast<std::uint32_t>(last - first);
    lists_.patch_slot.resize(begin + count * stride);
    for (std::size_t i = first; i < last; ++i) {
      const std::size_t number = tiling_.item[i] - pairs;
      for (std::size_t k = 0; k < count; ++k) lists_.patch_slot[begin + k * stride + (i - first)] = slots_of(i)[k];
      lists_.patch.push_back({static_cast<std::uint32_t>(begin + i - first), stride, first_weight_[kinds_[number]],
                              static_cast<std::uint32_t>(count)});
      lists_.patch_rest.push_back(shell_.elements().rest_of(elements_[number]));
    }
  }

  const Shell& shell_;
  Pairing pairing_;
  std::vector<std::size_t> elements_;  // of the patches
  std::vector<PlainPatch> patches_;
  std::vector<std::uint32_t> kinds_;  // of their weights
  std::map<std::vector<std::array<double, 5>>, std::uint32_t> known_;
  std::vector<std::uint32_t> first_weight_;  // of each kind
  exec::Tiling tiling_;
  ShellItems::Lists lists_;
};

}  // namespace

std::string Shell::free_steps_obstacle() const {
  if (layers_) return "walls of layers";
  if (!properties_.symmetries.empty()) return "planes of symmetry";
  if (!properties_.clamped.empty()) return "clamped edges";
  return {};
}

std::unique_ptr<exec::ElementSteps> Shell::free_steps(const exec::Executor& exec) const {
  if (!free_steps_obstacle().empty()) throw std::logic_error("these steps do not know the edges of " + name());
  ShellItemsMaker maker(*this);
  const math::Vec3& g = properties_.gravity;
  const exec::MassPoints points{mass_, inverse_mass_, {g.x(), g.y(), g.z()}};
  return std::make_unique<exec::TileSteps<ShellItems>>(maker.tiling(), ShellItems(maker.take(), exec.device().get()),
                                                       points, exec);
}

}  // namespace ictus::mechanics
