#include <ictus/build/bodies/solid_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/solid.hpp>

namespace ictus::build {

using geometry::VolumeMesh;
using math::Vec3;

namespace {

/// Calls f(number, nodes) for every element.
template <class F>
void for_each_element(const VolumeMesh& mesh, F&& f) {
  std::size_t number = 0;
  for (const auto& element : mesh.tetrahedra) f(number++, std::span<const int>(element));
  for (const auto& element : mesh.hexahedra) f(number++, std::span<const int>(element));
}

/// What a domain takes of a solid.
class Region {
 public:
  Region(const VolumeMesh& mesh, const scene::ImplicitDomainSpec& domain, const std::string& key, Mistakes& mistakes)
      : mesh_(mesh), box_(domain.box) {
    if (!domain.set) return;
    in_set_.resize(mesh.nodes.size());
    const auto set = mesh.node_sets.find(*domain.set);
    if (set == mesh.node_sets.end()) {
      mistakes.add(key + ".set", unknown_set(mesh.node_sets, *domain.set));
      return;
    }
    for (const int node : set->second) in_set_[static_cast<std::size_t>(node)] = 1;
  }

  bool takes(std::span<const int> element) const {
    const auto in_set = [&](int node) { return in_set_[static_cast<std::size_t>(node)] != 0; };
    if (!in_set_.empty() && !std::all_of(element.begin(), element.end(), in_set)) return false;
    if (!box_) return true;
    Vec3 middle = Vec3::Zero();
    for (const int node : element) middle += mesh_.nodes[static_cast<std::size_t>(node)];
    return is_inside(*box_, middle / static_cast<double>(element.size()));
  }

 private:
  const VolumeMesh& mesh_;
  const std::optional<scene::RegionSpec>& box_;
  std::vector<char> in_set_;  // of each node; empty: no set is asked for
};

}  // namespace

bool is_inside(const scene::RegionSpec& box, const Vec3& x) {
  const Vec3 low = to_vector(box.from), high = to_vector(box.to);
  return (x - low).minCoeff() >= 0 && (high - x).minCoeff() >= 0;
}

std::map<std::size_t, SolidPart> divide_solid(const std::string& name, const VolumeMesh& mesh,
                                              const scene::CoupledSpec& coupled, Mistakes& mistakes) {
  std::map<std::size_t, Region> regions;
  for (std::size_t d = 0; d < coupled.implicit.size(); ++d) {
    const scene::ImplicitDomainSpec& domain = coupled.implicit[d];
    if (std::find(domain.bodies.begin(), domain.bodies.end(), name) != domain.bodies.end())
      regions.emplace(d, Region(mesh, domain, fmt::format("integrator.implicit.{}", d), mistakes));
  }
  std::map<std::size_t, SolidPart> parts;
  std::map<std::size_t, std::vector<char>> touches;
  const std::size_t elements = mesh.tetrahedra.size() + mesh.hexahedra.size();
  for_each_element(mesh, [&](std::size_t number, std::span<const int> element) {
    const auto taker =
        std::find_if(regions.begin(), regions.end(), [&](const auto& region) { return region.second.takes(element); });
    const std::size_t domain = taker == regions.end() ? explicit_part : taker->first;
    SolidPart& part = parts[domain];
    std::vector<char>& touched = touches[domain];
    part.takes.resize(elements);
    touched.resize(mesh.nodes.size());
    part.takes[number] = 1;
    for (const int node : element) touched[static_cast<std::size_t>(node)] = 1;
  });
  std::vector<char> owned(mesh.nodes.size());
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {  // the explicit one has the last number
    part->second.whole = name;
    for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
      if (!touches[part->first][node]) continue;
      part->second.nodes.push_back(static_cast<int>(node));
      part->second.owns.push_back(!owned[node]);
      owned[node] = 1;
    }
  }
  return parts;
}

VolumeMesh part_of(VolumeMesh mesh, const SolidPart& part) {
  std::vector<std::string> names;
  for (std::size_t e = 0; e < part.takes.size(); ++e) {
    if (part.takes[e]) names.push_back(mesh.element_names.empty() ? std::to_string(e) : mesh.element_names[e]);
  }
  const auto keep = [&](auto& elements, std::size_t first) {
    std::size_t kept = 0;
    for (std::size_t e = 0; e < elements.size(); ++e) {
      if (part.takes[first + e]) elements[kept++] = elements[e];
    }
    elements.resize(kept);
  };
  const std::size_t tetrahedra = mesh.tetrahedra.size();
  keep(mesh.tetrahedra, 0);
  keep(mesh.hexahedra, tetrahedra);
  mesh.element_names = std::move(names);
  geometry::remove_unused_nodes(mesh);
  return mesh;
}

}  // namespace ictus::build
