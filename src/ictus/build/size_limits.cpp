#include <ictus/build/size_limits.hpp>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <ictus/build/rigid/rigid.hpp>
#include <limits>
#include <vector>

namespace ictus::build {

namespace {

constexpr double bar_element_bytes = 750;
constexpr double beam_element_bytes = 1500;
constexpr double frame_element_bytes = 3200;
constexpr double hexahedron_bytes = 1800;
constexpr double cell_of_tetrahedra_bytes = 5300;
/// A section of a beam at one instant, where the run goes along the beam and keeps all of them.
constexpr double instant_bytes = 300;
/// A watched rectangle of space and time.
constexpr double noether_bytes = 200;

/// 1.2 TB, 350 MB: two or three digits are enough.
std::string shown_bytes(double bytes) {
  constexpr std::array units{"MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (bytes /= 1e6; bytes >= 1000 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

double product(const std::array<int, 3>& counts) { return 1.0 * counts[0] * counts[1] * counts[2]; }

double solid_bytes(scene::SolidElement element) {
  return element == scene::SolidElement::hexahedron ? hexahedron_bytes : cell_of_tetrahedra_bytes;
}

/// Triangles of the shapes that are made here; those of a file are counted once it is read.
struct TriangleCounter {
  double operator()(const scene::ShellSphereSpec& spec) const {
    return (spec.base == scene::SphereBase::octahedron ? 8.0 : 20.0) * spec.cells * spec.cells;
  }
  double operator()(const scene::ShellBoxSpec& spec) const {
    const std::array<int, 3>& n = spec.cells;
    return 4 * (1.0 * n[0] * n[1] + 1.0 * n[1] * n[2] + 1.0 * n[2] * n[0]);
  }
  double operator()(const scene::ShellDiscSpec& spec) const { return 6.0 * spec.cells * spec.cells; }
  double operator()(const scene::ShellPlateSpec& spec) const { return 2.0 * spec.cells[0] * spec.cells[1]; }
  double operator()(const scene::ShellTubeSpec& spec) const { return 2.0 * spec.cells[0] * spec.cells[1]; }
  double operator()(const scene::ShellCylinderSpec& spec) const {
    return 2.0 * spec.cells[0] * (spec.cells[1] + spec.cells[0] / 12.0);
  }
  double operator()(const scene::ShellMeshSpec&) const { return 1; }
};

/// What one body asks for.
struct PartCounter {
  const scene::Scene& scene;
  std::string key;

  PartCount operator()(const scene::BarSpec& bar) const {
    return {key + ".cells", "elements", 1.0 * bar.cells, bar_element_bytes, 1};
  }
  PartCount operator()(const scene::LieBeamSpec& beam) const {
    const auto* integrator =
        scene.integrator ? std::get_if<scene::MultisymplecticBeamSpec>(&*scene.integrator) : nullptr;
    if (integrator && integrator->direction == scene::BeamDirection::space && scene.time.step)
      return {"time.step", "instants", scene.time.end / *scene.time.step, instant_bytes, 12};
    return {key + ".cells", "elements", 1.0 * beam.cells, beam_element_bytes, 12};
  }
  PartCount operator()(const scene::SolidSpec& solid) const {
    if (const auto* box = std::get_if<scene::BoxShapeSpec>(&solid.shape))
      return {key + ".shape.cells", "cells", product(box->cells), solid_bytes(box->element)};
    if (const auto* block = std::get_if<scene::BlockShapeSpec>(&solid.shape))
      return {key + ".shape.cells", "cells", product(block->cells), solid_bytes(block->element)};
    if (const auto* ball = std::get_if<scene::BallShapeSpec>(&solid.shape))
      return {key + ".shape.cells", "cells", 0.5 * std::pow(ball->cells, 3),
              solid_bytes(scene::SolidElement::hexahedron)};
    if (const auto* rod = std::get_if<scene::CylinderShapeSpec>(&solid.shape))
      return {key + ".shape", "cells", (rod->cells[0] + 4.0 * rod->rings) * rod->cells[0] * rod->cells[1],
              solid_bytes(rod->element)};
    if (const auto* tube = std::get_if<scene::TubeShapeSpec>(&solid.shape))
      return {key + ".shape", "cells", product(tube->cells), solid_bytes(tube->element)};
    return {};
  }
  PartCount operator()(const scene::ShellSpec& shell) const {
    const auto* grid = shell.copies ? std::get_if<scene::ShellGridSpec>(&*shell.copies) : nullptr;
    const double copies = grid != nullptr ? product(grid->count) : 1;
    return {key + ".shape", "triangles",
            std::visit(TriangleCounter{}, shell.shape) * std::pow(4.0, shell.refine) * copies, shell_triangle_bytes,
            1.5};
  }
  PartCount operator()(const scene::FrameSpec& frame) const {
    PartCount elements{key + ".members", "elements", 0, frame_element_bytes, 6};
    for (const scene::FrameMemberSpec& member : frame.members) {
      const scene::Vec3 &from = *frame.nodes.find(member.from), &to = *frame.nodes.find(member.to);
      elements.count += std::ceil(std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) / member.element_size);
    }
    return elements;
  }
  template <class Spec>
  PartCount operator()(const Spec& spec) const {
    if constexpr (std::is_same_v<Spec, scene::RigidSpec>) {
      if (spec.copies && !std::holds_alternative<scene::RigidFileSpec>(*spec.copies))
        return {key + ".copies.count", "bodies", copies_count(*spec.copies), rigid_body_bytes, 7};
    }
    return {};
  }
};

}  // namespace

double available_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  for (const auto kind : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  }
  return bytes;
}

bool check_part_count(const PartCount& parts, double memory, Mistakes& mistakes) {
  constexpr double max_dofs = std::numeric_limits<int>::max();
  const double bytes = parts.count * parts.bytes_each, max_count = std::floor(memory / parts.bytes_each);
  if (bytes > memory) {
    mistakes.add(parts.key, fmt::format("{:.6g} {} would take about {} of memory, of which there are {} here; at most "
                                        "{:.6g} fit",
                                        parts.count, parts.what, shown_bytes(bytes), shown_bytes(memory), max_count));
    return false;
  }
  if (parts.count * parts.dofs_each <= max_dofs) return true;
  mistakes.add(parts.key, fmt::format("{:.6g} {} are more than can be numbered; at most {:.6g} can", parts.count,
                                      parts.what, std::floor(max_dofs / parts.dofs_each)));
  return false;
}

void check_sizes(const scene::Scene& scene, double memory, Mistakes& mistakes) {
  PartCount all{"bodies", "parts of all bodies", 0, 0, 0};
  const auto add = [&](const PartCount& parts) {
    if (parts.count == 0) return true;
    const double count = all.count + parts.count;
    all.bytes_each = (all.count * all.bytes_each + parts.count * parts.bytes_each) / count;
    all.dofs_each = (all.count * all.dofs_each + parts.count * parts.dofs_each) / count;
    all.count = count;
    return check_part_count(parts, memory, mistakes);
  };
  bool each_fits = true;
  for (const auto& [name, body] : scene.bodies)
    each_fits = add(std::visit(PartCounter{scene, "bodies." + name}, body)) && each_fits;
  if (scene.integrator) {
    const auto* beam = std::get_if<scene::MultisymplecticBeamSpec>(&*scene.integrator);
    if (beam) each_fits = add({"integrator.noether", "rectangles", 1.0 * beam->noether, noether_bytes, 0}) && each_fits;
  }
  if (each_fits && all.count > 0) check_part_count(all, memory, mistakes);
}

}  // namespace ictus::build
