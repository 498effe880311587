// Cuts a shell into tiles. Elements come in the order of the mesh, which should follow a space-filling curve.
#include <ictus/mechanics/shell/shell_tiles.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>
#include <ictus/geometry/subdivision/loop_patch.hpp>
#include <stdexcept>

namespace ictus::mechanics {

using base::index;

using geometry::Jet;
using geometry::Patch;
using math::Vec3;
using math::Vector3;

namespace {

template <class T>
std::uint32_t count(const std::vector<T>& items) {
  return static_cast<std::uint32_t>(items.size());
}

ShellRest<double> rest_of_patch(const Patch& patch, const std::vector<Vec3>& positions) {
  ShellDerivatives<double> d;
  for (std::size_t i = 0; i < patch.vertices.size(); ++i) {
    const Vec3& at = positions[index(patch.vertices[i])];
    const Vector3<double> x{at.x(), at.y(), at.z()};
    const Jet& f = patch.functions[i];
    d.d1 += f.d1 * x;
    d.d2 += f.d2 * x;
    d.d11 += f.d11 * x;
    d.d22 += f.d22 * x;
    d.d12 += f.d12 * x;
  }
  return shell_rest(d);
}

}  // namespace

class ShellTiles::Builder {
 public:
  Builder(const GhostedMesh& ghosted, ShellTiles& tiles)
      : ghosted_(ghosted), topology_(ghosted.mesh), tiles_(tiles), last_tile_(ghosted.mesh.positions.size(), -1) {}

  void build() {
    tiles_.element_index_.resize(ghosted_.real_triangles);
    tiles_.vertex_area_.resize(ghosted_.real_vertices);
    for (std::size_t e = 0; e < ghosted_.real_triangles; ++e) {
      Patch patch = barycentre_patch(ghosted_.mesh, topology_, static_cast<int>(e));
      const std::size_t fresh = claim(patch);
      if (elements_.size() == max_elements || claimed_ + fresh > max_vertices) {
        close_tile();
        claimed_ = 0;
        claim(patch);
      }
      claimed_ += vertices_needed_;
      elements_.push_back({e, std::move(patch)});
    }
    close_tile();
    colour();
  }

 private:
  struct Element {
    std::size_t number;
    Patch patch;
  };

  bool is_real(int v) const { return index(v) < ghosted_.real_vertices; }
  const Ghost& ghost(int v) const { return ghosted_.ghosts[index(v) - ghosted_.real_vertices]; }

  /// Counts the vertices that the open tile does not have yet, an upper bound: terms of ghosts may repeat.
  std::size_t claim(const Patch& patch) {
    vertices_needed_ = 0;
    for (const int v : patch.vertices) {
      if (seen_in(v) == tile_number()) continue;
      mark(v);
      ++vertices_needed_;
      if (is_real(v)) continue;
      for (const Ghost::Term& term : ghost(v).terms) {
        if (seen_in(term.vertex) == tile_number()) continue;
        mark(term.vertex);
        ++vertices_needed_;
      }
    }
    return vertices_needed_;
  }

  int tile_number() const { return static_cast<int>(tiles_.tiles_.size()); }
  int seen_in(int v) const { return last_tile_[index(v)]; }
  void mark(int v) { last_tile_[index(v)] = tile_number(); }

  void close_tile() {
    Tile tile;
    tile.vertices.begin = count(tiles_.vertices_);
    tile.ghosts.begin = count(tiles_.ghosts_);
    tile.blocks.begin = count(tiles_.blocks_);
    tile.irregular.begin = count(tiles_.irregular_);
    number_vertices();
    for (const Element& element : elements_) {
      if (element.patch.regular)
        add_regular(element);
      else
        add_irregular(element);
    }
    tile.vertices.end = count(tiles_.vertices_);
    tile.ghosts.end = count(tiles_.ghosts_);
    tile.blocks.end = count(tiles_.blocks_);
    tile.irregular.end = count(tiles_.irregular_);
    tiles_.tiles_.push_back(tile);
    elements_.clear();
    open_block_ = false;
  }

  /// Real vertices first, in the order of the mesh, then the ghosts.
  void number_vertices() {
    std::vector<int> real, ghosts;
    for (const Element& element : elements_) {
      for (const int v : element.patch.vertices) {
        if (is_real(v)) {
          real.push_back(v);
          continue;
        }
        ghosts.push_back(v);
        for (const Ghost::Term& term : ghost(v).terms) real.push_back(term.vertex);
      }
    }
    for (std::vector<int>* list : {&real, &ghosts}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    local_.clear();
    local_.insert(local_.end(), real.begin(), real.end());
    local_.insert(local_.end(), ghosts.begin(), ghosts.end());
    tiles_.vertices_.insert(tiles_.vertices_.end(), real.begin(), real.end());
    for (const int v : ghosts) {
      const Ghost& from = ghost(v);
      TileGhost to{{count(tiles_.ghost_terms_), 0}, {from.offset.x(), from.offset.y(), from.offset.z()}};
      for (const Ghost::Term& term : from.terms) {
        const auto row = [&](int c) { return std::array<double, 3>{term.map(c, 0), term.map(c, 1), term.map(c, 2)}; };
        tiles_.ghost_terms_.push_back({local(term.vertex), {row(0), row(1), row(2)}});
      }
      to.terms.end = count(tiles_.ghost_terms_);
      tiles_.ghosts_.push_back(to);
    }
  }

  /// Ghosts have higher numbers than real vertices, so that the list of both is sorted.
  std::uint16_t local(int v) const {
    return static_cast<std::uint16_t>(std::lower_bound(local_.begin(), local_.end(), v) - local_.begin());
  }

  void add_regular(const Element& element) {
    if (!open_block_ || tiles_.blocks_.back().used == lanes) {
      tiles_.blocks_.push_back({});
      open_block_ = true;
    }
    Block& block = tiles_.blocks_.back();
    const ShellRest<double> rest = rest_of_element(element);
    const std::array<double, 6> values{rest.t11, rest.t21, rest.t22, rest.b11, rest.b22, rest.b12};
    // The lanes that stay free repeat the first element.
    for (std::size_t lane = block.used; lane < (block.used == 0 ? lanes : block.used + 1); ++lane) {
      for (std::size_t i = 0; i < 12; ++i) block.vertex[i][lane] = local(element.patch.vertices[i]);
      for (std::size_t i = 0; i < 6; ++i) block.rest[i][lane] = values[i];
    }
    tiles_.element_index_[element.number] = {static_cast<std::uint32_t>(tile_number()), count(tiles_.blocks_) - 1,
                                             static_cast<std::int32_t>(block.used)};
    ++block.used;
  }

  void add_irregular(const Element& element) {
    Irregular irregular{{count(tiles_.slots_), 0}, rest_of_element(element)};
    for (std::size_t i = 0; i < element.patch.vertices.size(); ++i) {
      const Jet& f = element.patch.functions[i];
      tiles_.slots_.push_back({local(element.patch.vertices[i]), f.d1, f.d2, f.d11, f.d22, f.d12});
    }
    irregular.slots.end = count(tiles_.slots_);
    tiles_.element_index_[element.number] = {static_cast<std::uint32_t>(tile_number()), count(tiles_.irregular_), -1};
    tiles_.irregular_.push_back(irregular);
  }

  /// Shares out the element's area on the way.
  ShellRest<double> rest_of_element(const Element& element) {
    const ShellRest<double> rest = rest_of_patch(element.patch, ghosted_.mesh.positions);
    for (std::size_t i = 0; i < element.patch.vertices.size(); ++i) {
      const int v = element.patch.vertices[i];
      const double share = rest.area() * element.patch.functions[i].value;
      if (is_real(v)) {
        tiles_.vertex_area_[index(v)] += share;
        continue;
      }
      for (const Ghost::Term& term : ghost(v).terms) tiles_.vertex_area_[index(term.vertex)] += term.weight * share;
    }
    return rest;
  }

  /// The lowest colour that no tile with a vertex in common has.
  void colour() {
    std::vector<std::uint64_t> used_colors(ghosted_.real_vertices, 0);
    std::vector<std::vector<std::uint32_t>> colours;
    for (std::uint32_t t = 0; t < count(tiles_.tiles_); ++t) {
      const Range range = tiles_.tiles_[t].vertices;
      std::uint64_t near = 0;
      for (std::uint32_t i = range.begin; i < range.end; ++i) near |= used_colors[index(tiles_.vertices_[i])];
      std::size_t own = 0;
      while ((near >> own & 1U) != 0) ++own;
      if (own >= 63) throw std::logic_error("tiles of a shell need too many colours");
      for (std::uint32_t i = range.begin; i < range.end; ++i)
        used_colors[index(tiles_.vertices_[i])] |= std::uint64_t{1} << own;
      if (own >= colours.size()) colours.resize(own + 1);
      colours[own].push_back(t);
    }
    for (const std::vector<std::uint32_t>& of_colour : colours) {
      tiles_.by_colour_.insert(tiles_.by_colour_.end(), of_colour.begin(), of_colour.end());
      tiles_.colour_start_.push_back(tiles_.by_colour_.size());
    }
  }

  const GhostedMesh& ghosted_;
  geometry::EdgeTopology topology_;
  ShellTiles& tiles_;
  std::vector<int> last_tile_;  ///< by vertex: the last tile that claimed it
  std::vector<Element> elements_;
  std::vector<int> local_;
  std::size_t claimed_ = 0;
  std::size_t vertices_needed_ = 0;
  bool open_block_ = false;
};

ShellTiles::ShellTiles(const GhostedMesh& ghosted, const ShellWall& wall) : wall_(wall) {
  Builder(ghosted, *this).build();
}

}  // namespace ictus::mechanics
