#include <ictus/convert/readers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

// URDF: links in a tree of joints, angles in rad.

namespace ictus::convert {

namespace {

/// Fixed axes: roll about x, then pitch about y, then yaw about z.
Eigen::Quaterniond from_rpy(const Vec3& rpy) {
  return Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
         Eigen::AngleAxisd(rpy.x(), Vec3::UnitX());
}

Pose origin_of(const Element& element) {
  const auto origin = element.child("origin");
  if (!origin) return {};
  return {from_rpy(origin->vector("rpy", Vec3::Zero())), origin->vector("xyz", Vec3::Zero())};
}

/// A joint as the file has it.
struct UrdfJoint {
  Element element;
  std::string name, type;
  int parent = -1, child = -1;
  Pose origin{};
  Vec3 axis = Vec3::UnitX();
  std::optional<std::array<double, 2>> limits{};
  double damping = 0, friction = 0;

  bool turns() const { return type == "revolute" || type == "continuous"; }
  /// Where it is at the start: at 0, or where its limits leave that out at the nearer one.
  double start() const { return limits ? std::clamp(0.0, (*limits)[0], (*limits)[1]) : 0.0; }
  Pose motion() const {
    if (turns()) return {Eigen::Quaterniond(Eigen::AngleAxisd(start(), axis)), Vec3::Zero()};
    return {Eigen::Quaterniond::Identity(), start() * axis};
  }
};

class UrdfReader {
 public:
  UrdfReader(const Element& robot, const ImportOptions& options, Findings& findings)
      : robot_(robot), options_(options), findings_(findings) {}

  Mechanism read() {
    mechanism_.title = robot_.text("name").value_or("robot");
    mechanism_.touch = options_.self_contact;
    for (const Element& link : robot_.children("link")) read_link(link);
    for (const Element& joint : robot_.children("joint")) read_joint(joint);
    robot_.note_others({"link", "joint", "material"});
    if (mechanism_.links.empty()) robot_.mistake("", "has no <link>");
    if (!findings_.mistakes.empty()) return mechanism_;
    const int root = find_root();
    if (root < 0) return mechanism_;
    place(root);
    base(root);
    drop_massless();
    return mechanism_;
  }

 private:
  Link& link(int number) { return mechanism_.links[static_cast<std::size_t>(number)]; }

  void read_link(const Element& element) {
    Link link;
    link.name = element.required("name");
    link.line = element.line();
    if (!numbers_.emplace(link.name, static_cast<int>(mechanism_.links.size())).second)
      return element.mistake("name", fmt::format("'{}' is already the name of another link", link.name));
    if (const auto inertial = element.child("inertial")) read_inertial(*inertial, link);
    for (const Element& one : element.children("collision")) read_shape(one, link);
    if (link.shapes.empty()) {
      for (const Element& one : element.children("visual")) read_shape(one, link);
      if (!link.shapes.empty())
        element.note(fmt::format("{} has no <collision>; its <visual> stands for it", link.name));
    }
    element.note_others({"inertial", "collision", "visual"});
    mechanism_.links.push_back(std::move(link));
  }

  void read_inertial(const Element& element, Link& link) {
    const auto mass = element.child("mass"), tensor = element.child("inertia");
    if (!mass) return element.mistake("", "has no <mass>");
    Inertia inertia;
    mass->required("value");
    inertia.mass = mass->number("value", 0);
    if (inertia.mass < 0) return mass->mistake("value", "must not be below 0");
    if (tensor) {
      const auto entry = [&](const char* name) { return tensor->number(name, 0); };
      inertia.tensor << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"),
          entry("ixz"), entry("iyz"), entry("izz");
    }
    if (inertia.mass > 0) link.inertia = inertia.seen_from(origin_of(element));
    if (inertia.mass > 0 && !tensor) element.mistake("", "has no <inertia>");
  }

  void read_shape(const Element& element, Link& link) {
    const auto geometry = element.child("geometry");
    if (!geometry) return element.mistake("", "has no <geometry>");
    Shape shape;
    shape.line = element.line();
    shape.pose = origin_of(element);
    const auto positive = [](const Element& one, const char* name) {
      one.required(name);
      const double value = one.number(name, 1);
      if (!(value > 0)) one.mistake(name, "must be above 0");
      return value;
    };
    if (const auto box = geometry->child("box")) {
      shape.type = ShapeType::box;
      box->required("size");
      shape.size = box->vector("size", Vec3::Ones());
      if (!(shape.size.minCoeff() > 0)) box->mistake("size", "must be three lengths above 0");
    } else if (const auto sphere = geometry->child("sphere")) {
      shape.radius = positive(*sphere, "radius");
    } else if (const auto tube = geometry->child("cylinder"); tube) {
      shape.type = ShapeType::cylinder;
      shape.radius = positive(*tube, "radius");
      shape.length = positive(*tube, "length");
    } else if (const auto capsule = geometry->child("capsule"); capsule) {
      shape.type = ShapeType::capsule;
      shape.radius = positive(*capsule, "radius");
      shape.length = positive(*capsule, "length");
    } else if (const auto mesh = geometry->child("mesh")) {
      shape.type = ShapeType::mesh;
      shape.file = mesh->required("filename");
      const Vec3 scale = mesh->vector("scale", Vec3::Ones());
      shape.scale = scale.x();
      if (!(scale.minCoeff() > 0) || scale.maxCoeff() != scale.minCoeff())
        return mesh->note("a mesh scaled differently along its axes, or mirrored, is left out");
    } else {
      return geometry->note("a <geometry> that is no box, sphere, cylinder, capsule or mesh is left out");
    }
    link.shapes.push_back(std::move(shape));
  }

  int find_link(const Element& joint, const char* which) {
    const auto element = joint.child(which);
    if (!element) {
      joint.mistake("", fmt::format("has no <{}>", which));
      return -1;
    }
    const std::string name = element->required("link");
    const auto found = numbers_.find(name);
    if (found != numbers_.end()) return found->second;
    if (!name.empty()) element->mistake("link", fmt::format("'{}' is no link", name));
    return -1;
  }

  void read_joint(const Element& element) {
    UrdfJoint joint{element, element.required("name"), element.required("type")};
    joint.parent = find_link(element, "parent");
    joint.child = find_link(element, "child");
    joint.origin = origin_of(element);
    if (const auto axis = element.child("axis")) joint.axis = axis->vector("xyz", Vec3::UnitX());
    if (!(joint.axis.norm() > 0)) {
      element.mistake("axis", "must not be zero");
      joint.axis = Vec3::UnitX();
    }
    joint.axis.normalize();
    if (joint.type == "revolute" || joint.type == "prismatic") read_limits(joint);
    if (const auto dynamics = element.child("dynamics")) {
      joint.damping = std::max(0.0, dynamics->number("damping", 0));
      joint.friction = std::max(0.0, dynamics->number("friction", 0));
    }
    const std::array<std::string_view, 6> types{"revolute", "continuous", "prismatic", "fixed", "floating", "planar"};
    if (!joint.type.empty() && std::find(types.begin(), types.end(), joint.type) == types.end())
      element.mistake("type", fmt::format("'{}' is none of revolute, continuous, prismatic, fixed, floating and planar",
                                          joint.type));
    element.note_others({"origin", "parent", "child", "axis", "limit", "dynamics"});
    joints_.push_back(std::move(joint));
  }

  void read_limits(UrdfJoint& joint) {
    const auto limit = joint.element.child("limit");
    if (!limit) return joint.element.mistake("", fmt::format("is {} and has no <limit>", joint.type));
    const double lower = limit->number("lower", 0), upper = limit->number("upper", 0);
    limit->note_attributes({"effort", "velocity"}, "is for a controller, which a scene has not");
    if (lower > upper) return limit->mistake("lower", "must not be above upper");
    if (lower == upper) return limit->note("limits that are equal are left out");
    joint.limits = {lower, upper};
    if (joint.start() != 0)
      limit->note(fmt::format("0 is beyond the limits of {}, which begins at {:g}", joint.name, joint.start()));
  }

  /// The link that is nobody's child; a mistake where there is none or more than one.
  int find_root() {
    std::vector<int> parents(mechanism_.links.size(), 0);
    for (const UrdfJoint& joint : joints_) {
      if (++parents[static_cast<std::size_t>(joint.child)] == 2)
        joint.element.mistake("child",
                              fmt::format("'{}' is already the child of another joint", link(joint.child).name));
    }
    std::vector<int> roots;
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] == 0) roots.push_back(static_cast<int>(i));
    }
    if (roots.empty()) robot_.mistake("", "has joints that go round in a circle; one link must be nobody's child");
    for (std::size_t k = 1; k < roots.size(); ++k)
      findings_.mistake(
          link(roots[k]).line, "<link>",
          fmt::format("'{}' is joined to nothing; all links hang on {}", link(roots[k]).name, link(roots[0]).name));
    return findings_.mistakes.empty() ? roots[0] : -1;
  }

  /// Gives the links below one their poses, and their connections. A circle beside the tree leaves links unplaced.
  void place(int root) {
    std::vector<std::vector<const UrdfJoint*>> below(mechanism_.links.size());
    for (const UrdfJoint& joint : joints_) below[static_cast<std::size_t>(joint.parent)].push_back(&joint);
    std::vector<int> open{root};
    for (std::size_t next = 0; next < open.size(); ++next) {
      for (const UrdfJoint* joint : below[static_cast<std::size_t>(open[next])]) {
        const Pose frame = link(joint->parent).pose * joint->origin;
        link(joint->child).pose = frame * joint->motion();
        connect(*joint, frame);
        open.push_back(joint->child);
      }
    }
    if (open.size() < mechanism_.links.size())
      robot_.mistake("", "has joints that go round in a circle; links hang on each other as a tree");
  }

  void connect(const UrdfJoint& joint, const Pose& frame) {
    if (joint.type == "floating") return;
    if (joint.type == "planar")
      return joint.element.note(fmt::format("planar joints are not known; {} moves freely", link(joint.child).name));
    Connection one;
    one.name = joint.name;
    one.line = joint.element.line();
    one.type = joint.turns()               ? ConnectionType::revolute
               : joint.type == "prismatic" ? ConnectionType::prismatic
                                           : ConnectionType::fixed;
    one.first = joint.parent;
    one.second = joint.child;
    one.place = link(joint.child).pose.place;
    one.axis = frame.turn * joint.axis;
    one.damping = joint.damping;
    one.friction = joint.friction;
    if (joint.limits) one.limits = {(*joint.limits)[0] - joint.start(), (*joint.limits)[1] - joint.start()};
    mechanism_.connections.push_back(std::move(one));
  }

  /// The first link is held, as a robot's base; without mass it is the world, whatever is asked for.
  void base(int root) {
    Link& first = link(root);
    first.held = !options_.free_base || !first.inertia;
    if (options_.free_base && !first.inertia)
      findings_.note(first.line, fmt::format("{} has no <inertial> and is held", first.name));
  }

  /// Links without mass become part of what they are fixed to; the mass of one that moves by itself is missing.
  void drop_massless() {
    for (Connection& one : mechanism_.connections) {
      Link& child = link(one.second);
      if (child.inertia || child.held) continue;
      if (one.type != ConnectionType::fixed) {
        findings_.mistake(child.line, "<link>",
                          fmt::format("'{}' moves and has no <inertial>; give it mass and inertia", child.name));
        continue;
      }
      Link& parent = link(one.first);
      const Pose relative = parent.pose.inverse() * child.pose;
      for (Shape& shape : child.shapes) {
        shape.pose = relative * shape.pose;
        parent.shapes.push_back(std::move(shape));
      }
      child.shapes.clear();
      for (Connection& other : mechanism_.connections) {
        if (&other != &one && other.first == one.second) other.first = one.first;
      }
      one.second = -1;  // is no connection any more
    }
    std::erase_if(mechanism_.connections, [](const Connection& one) { return one.second < 0; });
    drop_unused();
  }

  /// Links that have become part of others, and bases without a shape, which are the world.
  void drop_unused() {
    std::vector<int> number(mechanism_.links.size(), -1);
    std::vector<Link> kept;
    for (std::size_t i = 0; i < mechanism_.links.size(); ++i) {
      Link& one = mechanism_.links[i];
      if (one.held ? one.shapes.empty() : !one.inertia) continue;
      number[i] = static_cast<int>(kept.size());
      kept.push_back(std::move(one));
    }
    for (Connection& one : mechanism_.connections) {
      one.first = number[static_cast<std::size_t>(one.first)];
      one.second = number[static_cast<std::size_t>(one.second)];
    }
    mechanism_.links = std::move(kept);
  }

  Element robot_;
  const ImportOptions& options_;
  Findings& findings_;
  Mechanism mechanism_;
  std::map<std::string, int> numbers_;
  std::vector<UrdfJoint> joints_;
};

}  // namespace

Mechanism read_urdf(const Element& robot, const ImportOptions& options, Findings& findings) {
  return UrdfReader(robot, options, findings).read();
}

}  // namespace ictus::convert
