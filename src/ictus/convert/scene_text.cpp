#include <ictus/convert/convert.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ictus/base/error.hpp>
#include <set>

namespace ictus::convert {

namespace {

namespace fs = std::filesystem;

/// Numbers smaller than this share of the others are rounding of rotations.
constexpr double rounding = 1e-12;

double clean(double x, double size) { return std::abs(x) <= rounding * size ? 0 : x; }

std::string text_of(const Vec3& x) {
  const double size = std::max(1.0, x.lpNorm<Eigen::Infinity>());
  return fmt::format("[{:.12g}, {:.12g}, {:.12g}]", clean(x.x(), size), clean(x.y(), size), clean(x.z(), size));
}

Vec3 rotation_vector(const Eigen::Quaterniond& q) {
  const Eigen::AngleAxisd turn(q);
  const double angle = turn.angle() > M_PI ? turn.angle() - 2 * M_PI : turn.angle();
  return std::abs(angle) < rounding ? Vec3(Vec3::Zero()) : Vec3(angle * turn.axis());
}

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

/// Names of bodies and joints, which keys are made of: letters, digits, - and _, each once.
class Names {
 public:
  explicit Names(std::set<std::string> taken) : taken_(std::move(taken)) {}
  std::string make(const std::string& given) {
    std::string name = given.empty() ? "unnamed" : given;
    for (char& c : name) {
      const bool known =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
      if (!known) c = '_';
    }
    // YAML reads bare words such as these as other things than text.
    const bool is_number = name.find_first_not_of("0123456789-_eExXoO") == std::string::npos;
    if (is_number || name[0] == '-') name = "n" + name;
    std::string result = name;
    for (int k = 2; !taken_.insert(result).second; ++k) result = fmt::format("{}_{}", name, k);
    return result;
  }

 private:
  std::set<std::string> taken_;
};
const std::set<std::string> words{"world", "all", "true", "false", "yes", "no", "on", "off", "null", "y", "n"};

std::string shape_keys(const Shape& shape) {
  switch (shape.type) {
    case ShapeType::sphere:
      return fmt::format("radius: {:.12g}", shape.radius);
    case ShapeType::box:
      return fmt::format("size: {}", text_of(shape.size));
    default:
      return fmt::format("radius: {:.12g}, length: {:.12g}", shape.radius, shape.length);
  }
}

std::string_view shape_name(ShapeType type) {
  constexpr std::array<std::string_view, 5> names{"sphere", "box", "capsule", "cylinder", "convex"};
  return names[static_cast<std::size_t>(type)];
}

/// As the value of `shape`.
std::string shape_text(const Shape& shape) {
  const std::string keys = shape.type == ShapeType::mesh
                               ? fmt::format("file: {}{}", in_quotes(shape.file),
                                             shape.scale == 1 ? "" : fmt::format(", scale: {:.12g}", shape.scale))
                               : shape_keys(shape);
  return fmt::format("{{type: {}, {}}}", shape_name(shape.type), keys);
}

std::string pose_keys(const Pose& pose) {
  std::string text = fmt::format("position: {}", text_of(pose.place));
  const Vec3 turn = rotation_vector(pose.turn);
  if (turn != Vec3::Zero()) text += fmt::format(", rotation: {}", text_of(turn));
  return text;
}

bool is_diagonal(const Eigen::Matrix3d& m) {
  return std::max({std::abs(m(0, 1)), std::abs(m(0, 2)), std::abs(m(1, 2))}) <= rounding * m.trace();
}

class SceneWriter {
 public:
  SceneWriter(Mechanism& mechanism, const std::string& file, const std::string& folder)
      : mechanism_(mechanism), file_(file), folder_(folder) {}

  std::string write() {
    for (Link& link : mechanism_.links) {
      find_meshes(link);
      names_.push_back(bodies_.make(link.name));
    }
    for (const PlaneObstacle& plane : mechanism_.planes) plane_names_.push_back(bodies_.make(plane.name));
    text_ = fmt::format("title: {}\nsource: {}\n", in_quotes(mechanism_.title),
                        in_quotes("imported from " + fs::path(file_).filename().string()));
    text_ += mechanism_.step ? fmt::format("time: {{end: 1, step: {:.12g}}}\n", *mechanism_.step)
                             : "time: {end: 1, step: 1 ms}\n";
    text_ +=
        fmt::format("integrator: {{type: moreau-variational}}\ngravity: {}\nbodies:\n", text_of(mechanism_.gravity));
    for (std::size_t i = 0; i < mechanism_.links.size(); ++i) {
      if (!is_world(mechanism_.links[i])) write_body(mechanism_.links[i], names_[i]);
    }
    for (std::size_t i = 0; i < mechanism_.planes.size(); ++i)
      text_ += fmt::format("  {}: {{type: plane, position: {}, normal: {}}}\n", plane_names_[i],
                           text_of(mechanism_.planes[i].point), text_of(mechanism_.planes[i].normal));
    if (mechanism_.links.empty() && mechanism_.planes.empty()) text_ += "  {}\n";
    write_contacts();
    write_joints();
    return text_;
  }

 private:
  /// Makes paths of meshes those from the folder of the scene; what is not found or read is left out.
  void find_meshes(Link& link) {
    std::erase_if(link.shapes, [&](Shape& shape) {
      if (shape.type != ShapeType::mesh) return false;
      const std::string given = shape.file;
      std::string extension = fs::path(given).extension().string();
      std::transform(extension.begin(), extension.end(), extension.begin(),
                     [](char c) { return static_cast<char>(std::tolower(c)); });
      const bool readable = extension == ".stl" || extension == ".obj" || extension == ".ply";
      const fs::path found = readable ? find_mesh(given) : fs::path();
      if (found.empty()) {
        mechanism_.notes.push_back(
            {shape.line, readable ? fmt::format("the mesh {} is not found and left out", given)
                                  : fmt::format("the mesh {} is no STL, OBJ or PLY file and left out", given)});
        return true;
      }
      std::error_code error;
      const fs::path relative = fs::proximate(found, folder_.empty() ? fs::path(".") : fs::path(folder_), error);
      shape.file = (error ? found : relative).generic_string();
      return false;
    });
    if (!link.held && !link.inertia && link.shapes.empty())
      throw base::InputError(base::Mistake{
          file_, link.line, {}, fmt::format("the mass of '{}' is that of a mesh which is not read", link.name)});
    const auto meshes = std::count_if(link.shapes.begin(), link.shapes.end(),
                                      [](const Shape& shape) { return shape.type == ShapeType::mesh; });
    if (meshes == 0 || link.shapes.size() == 1) return;
    mechanism_.notes.push_back(
        {link.line, fmt::format("{} has meshes among other shapes; they are left out", link.name)});
    if (static_cast<std::size_t>(meshes) == link.shapes.size()) {
      link.shapes.resize(1);
    } else {
      std::erase_if(link.shapes, [](const Shape& shape) { return shape.type == ShapeType::mesh; });
    }
  }

  /// Beside the file, or where a package's address leads from a folder above it.
  fs::path find_mesh(std::string address) const {
    std::error_code error;
    for (const std::string_view scheme : {"package://", "model://", "file://"}) {
      if (!address.starts_with(scheme)) continue;
      address = address.substr(scheme.size());
    }
    fs::path above = fs::path(file_).parent_path();
    const fs::path within = address.substr(std::min(address.find('/'), address.size() - 1) + 1);
    for (int level = 0; level < 6; ++level) {
      for (const fs::path& candidate : {above / address, above / within}) {
        if (fs::is_regular_file(candidate, error)) return candidate.lexically_normal();
      }
      above /= "..";
    }
    return {};
  }

  /// Inertia as the scene has it, seen from axes that have this pose in those of the link.
  static std::string inertia_keys(const Inertia& of_link, const Pose& pose) {
    const Inertia own = of_link.seen_from(pose.inverse());
    const Eigen::Matrix3d& m = own.tensor;
    const double size = m.trace();
    std::string text =
        fmt::format("mass: {:.12g}, inertia: [{:.12g}, {:.12g}, {:.12g}, {:.12g}, {:.12g}, {:.12g}]", own.mass, m(0, 0),
                    m(1, 1), m(2, 2), clean(m(0, 1), size), clean(m(0, 2), size), clean(m(1, 2), size));
    if (own.centre.norm() > 1e-12) text += fmt::format(", centre_of_mass: {}", text_of(own.centre));
    return text;
  }

  /// Balls and capsules turn about their middle, and capsules about their axis.
  static bool fits(const Shape& shape, const Inertia& of_link) {
    if (shape.type != ShapeType::sphere && shape.type != ShapeType::capsule) return true;
    const Inertia own = of_link.seen_from(shape.pose.inverse());
    return own.centre.norm() <= 1e-12 && (shape.type == ShapeType::sphere || is_diagonal(own.tensor));
  }

  void write_body(const Link& link, const std::string& name) {
    std::string keys;
    if (link.shapes.size() == 1 && (link.held || !link.inertia || fits(link.shapes[0], *link.inertia))) {
      const Shape& shape = link.shapes[0];
      keys = fmt::format("shape: {}, {}", shape_text(shape), pose_keys(link.pose * shape.pose));
      if (!link.held)
        keys += ", " + (link.inertia ? inertia_keys(*link.inertia, shape.pose)
                        : shape.mass ? fmt::format("mass: {:.12g}", *shape.mass)
                                     : fmt::format("density: {:.12g}", shape.density));
    } else if (link.shapes.empty()) {
      // Nothing to touch: a ball about as large as what has this inertia.
      const Inertia& own = *link.inertia;
      const double radius = std::sqrt(2.5 * std::max(own.tensor.trace(), 1e-12 * own.mass) / 3 / own.mass);
      const Pose centre{Eigen::Quaterniond::Identity(), own.centre};
      keys = fmt::format("shape: {{type: sphere, radius: {:.6g}}}, {}, {}", radius, pose_keys(link.pose * centre),
                         inertia_keys(own, centre));
    } else {
      keys = pose_keys(link.pose);
      if (!link.held) keys += ", " + inertia_keys(*link.inertia, {});
      text_ += fmt::format("  {}:\n    {{type: rigid, {}{},\n     shape: {{type: compound, parts: [", name, keys,
                           link.held ? ", fixed: true" : "");
      for (std::size_t k = 0; k < link.shapes.size(); ++k)
        text_ += fmt::format("{}\n       {{shape: {}, {}}}", k ? "," : "", shape_text(link.shapes[k]),
                             pose_keys(link.shapes[k].pose));
      text_ += "]}}\n";
      return;
    }
    text_ += fmt::format("  {}: {{type: rigid, {}{}}}\n", name, keys, link.held ? ", fixed: true" : "");
  }

  bool are_joined(int first, int second) const {
    return std::any_of(mechanism_.connections.begin(), mechanism_.connections.end(), [&](const Connection& one) {
      return (one.first == first && one.second == second) || (one.first == second && one.second == first);
    });
  }
  bool are_apart(int first, int second) const {
    return std::any_of(mechanism_.apart.begin(), mechanism_.apart.end(), [&](const auto& pair) {
      return pair == std::pair(first, second) || pair == std::pair(second, first);
    });
  }

  /// One line for all where all touch with the same friction, else one for each pair.
  void write_contacts() {
    std::vector<int> links;
    bool all_alike = mechanism_.apart.empty();
    for (std::size_t i = 0; i < mechanism_.links.size(); ++i) {
      const Link& link = mechanism_.links[i];
      const bool touches = !link.shapes.empty() && link.touches;
      if (touches) links.push_back(static_cast<int>(i));
      all_alike = all_alike && touches && link.friction == mechanism_.links[0].friction;
    }
    for (const PlaneObstacle& plane : mechanism_.planes)
      all_alike = all_alike && !mechanism_.links.empty() && plane.friction == mechanism_.links[0].friction;
    if (!mechanism_.touch || links.size() + mechanism_.planes.size() < 2) return;
    std::vector<std::string> lines;
    const auto add = [&](const std::string& first, const std::string& second, double friction) {
      lines.push_back(fmt::format("  - {{between: [{}, {}]{}}}\n", first, second,
                                  friction > 0 ? fmt::format(", friction: {:.12g}", friction) : ""));
    };
    if (all_alike) {
      add("all", "all", mechanism_.links[0].friction);
    } else {
      for (std::size_t a = 0; a < links.size(); ++a) {
        const Link& one = mechanism_.links[static_cast<std::size_t>(links[a])];
        const std::string& name = names_[static_cast<std::size_t>(links[a])];
        for (std::size_t b = 0; b < a; ++b) {
          const Link& other = mechanism_.links[static_cast<std::size_t>(links[b])];
          if ((one.held && other.held) || are_joined(links[a], links[b]) || are_apart(links[a], links[b])) continue;
          add(names_[static_cast<std::size_t>(links[b])], name, std::max(one.friction, other.friction));
        }
        for (std::size_t k = 0; k < plane_names_.size() && !one.held; ++k)
          add(plane_names_[k], name, std::max(one.friction, mechanism_.planes[k].friction));
      }
    }
    if (lines.empty()) return;
    text_ += "contacts:\n";
    for (const std::string& line : lines) text_ += line;
  }

  /// What is held and cannot be touched.
  static bool is_world(const Link& link) { return link.held && link.shapes.empty(); }
  std::string name_of(int link) const {
    const auto i = static_cast<std::size_t>(link);
    return link < 0 || is_world(mechanism_.links[i]) ? "world" : names_[i];
  }

  void write_joints() {
    if (mechanism_.connections.empty()) return;
    constexpr std::array<std::string_view, 6> types{"fixed",     "spherical",   "revolute",
                                                    "prismatic", "cylindrical", "universal"};
    Names names(words);
    text_ += "joints:\n";
    for (const Connection& one : mechanism_.connections) {
      const auto type = one.type;
      text_ += fmt::format("  - {{name: {}, type: {}, between: [{}, {}], position: {}", names.make(one.name),
                           types[static_cast<std::size_t>(type)], name_of(one.first), name_of(one.second),
                           text_of(one.place));
      if (type != ConnectionType::fixed && type != ConnectionType::spherical)
        text_ += fmt::format(", axis: {}", text_of(one.axis));
      if (type == ConnectionType::universal) text_ += fmt::format(", second_axis: {}", text_of(one.second_axis));
      if (one.limits)
        text_ += fmt::format(", limits: {{lower: {:.12g}, upper: {:.12g}}}", (*one.limits)[0], (*one.limits)[1]);
      if (one.stiffness > 0)
        text_ += fmt::format(", spring: {{stiffness: {:.12g}, rest: {:.12g}}}", one.stiffness, one.rest);
      if (one.damping > 0) text_ += fmt::format(", drag: {:.12g}", one.damping);
      if (one.friction > 0) text_ += fmt::format(", friction: {:.12g}", one.friction);
      text_ += "}\n";
      for (const std::string& remark : one.remarks) text_ += fmt::format("    # {}\n", in_quotes(remark));
    }
  }

  Mechanism& mechanism_;
  const std::string &file_, &folder_;
  std::string text_;
  Names bodies_{words};
  std::vector<std::string> names_, plane_names_;
};

}  // namespace

std::string scene_text(Mechanism& mechanism, const std::string& file, const std::string& folder) {
  return SceneWriter(mechanism, file, folder).write();
}

}  // namespace ictus::convert
