#include <ictus/build/rigid/rigid_poses.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/base/text_file.hpp>
#include <ictus/build/beside_scene.hpp>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/rigid/chance.hpp>
#include <ictus/build/size_limits.hpp>
#include <ictus/math/whole.hpp>
#include <map>
#include <numbers>
#include <random>
#include <sstream>

namespace ictus::build {

namespace {

using math::Rotation;
using Vec = math::Vector3<double>;

/// Some ten million poses; more bodies than can be run.
constexpr std::uintmax_t max_bytes_of_file = std::uintmax_t{256} << 20;

Rotation<double> from_vector(const scene::Vec3& rotation) {
  const Vec v = to_triple(rotation);
  const double angle = std::sqrt(math::norm_sq(v));
  if (angle == 0) return {};
  return {std::cos(0.5 * angle), (std::sin(0.5 * angle) / angle) * v};
}

std::vector<RigidPose> on_grid(const scene::RigidSpec& spec, const scene::RigidGridSpec& grid) {
  Chance chance(grid.seed);
  std::vector<RigidPose> poses;
  const Vec origin = to_triple(spec.position);
  const auto jitter = [&] { return grid.jitter > 0 ? chance.between(-grid.jitter, grid.jitter) : 0.0; };
  for (int k = 0; k < grid.count[2]; ++k) {
    for (int j = 0; j < grid.count[1]; ++j) {
      for (int i = 0; i < grid.count[0]; ++i) {
        const double x = jitter(), y = jitter(), z = jitter();
        const Vec at{i * grid.spacing[0] + x, j * grid.spacing[1] + y, k * grid.spacing[2] + z};
        poses.push_back({origin + at, grid.turned ? chance.turn() : from_vector(spec.rotation)});
      }
    }
  }
  return poses;
}

/// One after the other at random, again where it would meet one that is there.
class RandomPacking {
 public:
  /// `reach` is the radius of a sphere about each body in turn, the last one's for the rest.
  RandomPacking(const scene::RigidRandomSpec& spec, std::span<const double> reach)
      : spec_(spec), reach_(reach), largest_(*std::max_element(reach.begin(), reach.end())), chance_(spec.seed) {}

  /// False where the box is too full.
  bool fill(const scene::RigidSpec& body, std::vector<RigidPose>& poses) {
    constexpr int patience = 2000;
    for (int i = 0; i < spec_.count; ++i) {
      const double reach = reach_[std::min(static_cast<std::size_t>(i), reach_.size() - 1)];
      int tries = 0;
      Vec at;
      do {
        if (++tries > patience) return false;
        at = {chance_.between(spec_.from[0], spec_.to[0]), chance_.between(spec_.from[1], spec_.to[1]),
              chance_.between(spec_.from[2], spec_.to[2])};
      } while (is_occupied(at, reach));
      cells_[cell(at, 0, 0, 0)].push_back({at, reach});
      poses.push_back({to_triple(body.position) + at, spec_.turned ? chance_.turn() : from_vector(body.rotation)});
    }
    return true;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;

  Cell cell(const Vec& at, int dx, int dy, int dz) const {
    const auto index = [&](double x) {
      return math::whole<std::int64_t>(std::clamp(std::floor(x / (2 * largest_)), -1e18, 1e18));
    };
    return {index(at.x) + dx, index(at.y) + dy, index(at.z) + dz};
  }
  bool is_occupied(const Vec& at, double reach) const {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dz = -1; dz <= 1; ++dz) {
          const auto found = cells_.find(cell(at, dx, dy, dz));
          if (found == cells_.end()) continue;
          for (const auto& [other, its_reach] : found->second) {
            const double apart = reach + its_reach;
            if (math::norm_sq(other - at) < apart * apart) return true;
          }
        }
      }
    }
    return false;
  }

  const scene::RigidRandomSpec& spec_;
  std::span<const double> reach_;
  double largest_;
  Chance chance_;
  std::map<Cell, std::vector<std::pair<Vec, double>>> cells_;
};

std::vector<RigidPose> from_file(const scene::RigidSpec& spec, const std::string& name, const std::string& key,
                                 const scene::Document& document, Mistakes& mistakes) {
  std::vector<RigidPose> poses;
  std::istringstream file;
  try {
    file.str(base::read_whole_file(beside_scene(name, document), max_bytes_of_file));
  } catch (const base::InputError& error) {
    mistakes.add(key, error.what());
    return poses;
  }
  const double max_bodies = available_memory() / rigid_body_bytes;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line[0] == '#') continue;
    std::istringstream words(line);
    Vec at;
    std::string rest;
    if (!(words >> at.x >> at.y >> at.z) || words >> rest) {
      mistakes.add(key, fmt::format("{}:{}: expected three numbers x y z, found '{}'", name, number, line));
      return poses;
    }
    poses.push_back({to_triple(spec.position) + at, from_vector(spec.rotation)});
    if (static_cast<double>(poses.size()) > max_bodies) {
      check_part_count({key, "bodies", static_cast<double>(poses.size()), rigid_body_bytes, 7}, available_memory(),
                       mistakes);
      return poses;
    }
  }
  if (poses.empty()) mistakes.add(key, fmt::format("the file {} has no places", name));
  return poses;
}

}  // namespace

std::vector<RigidPose> rigid_poses(const scene::RigidSpec& spec, const std::string& name,
                                   const scene::Document& document, std::span<const double> reach, Mistakes& mistakes) {
  const auto key = [&](const char* last) { return fmt::format("bodies.{}.{}", name, last); };
  if (!spec.copies) return {{to_triple(spec.position), from_vector(spec.rotation)}};
  if (const auto* grid = std::get_if<scene::RigidGridSpec>(&*spec.copies)) return on_grid(spec, *grid);
  if (const auto* file = std::get_if<scene::RigidFileSpec>(&*spec.copies))
    return from_file(spec, file->file, key("copies.file"), document, mistakes);
  const auto& random = std::get<scene::RigidRandomSpec>(*spec.copies);
  std::vector<RigidPose> poses;
  if (!RandomPacking(random, reach).fill(spec, poses)) {
    mistakes.add(key("copies.count"),
                 fmt::format("only {} of {} bodies found room without touching; use a larger box or fewer bodies",
                             poses.size(), random.count));
  }
  return poses;
}

}  // namespace ictus::build
