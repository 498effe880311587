#include <ictus/convert/readers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

// MJCF: bodies in each other, with defaults by class; angles in degrees unless the compiler says otherwise.

namespace ictus::convert {

namespace {

using Attributes = std::map<std::string, std::string, std::less<>>;

/// What elements of a name have where they say nothing, by class.
class Defaults {
 public:
  void read(const Element& element, const std::string& parent) {
    const std::string own = element.text("class").value_or("main");
    classes_[own] = parent == own ? classes_[own] : classes_[parent];
    for (const Element& child : element.children()) {
      if (child.name() == "default") continue;
      Attributes& attributes = classes_[own][std::string(child.name())];
      for (const char* name : known_) {
        if (const auto text = child.text(name)) attributes[name] = *text;
      }
    }
    for (const Element& child : element.children("default")) read(child, own);
  }
  bool has(const std::string& name) const { return classes_.contains(name); }
  std::optional<std::string> find(const std::string& name, std::string_view element, const char* attribute) const {
    const auto of_class = classes_.find(name);
    if (of_class == classes_.end()) return std::nullopt;
    const auto of_element = of_class->second.find(element);
    if (of_element == of_class->second.end()) return std::nullopt;
    const auto found = of_element->second.find(attribute);
    return found == of_element->second.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  static constexpr std::array known_{"type",      "size",        "fromto",       "pos",       "quat",    "axisangle",
                                     "euler",     "xyaxes",      "zaxis",        "mass",      "density", "friction",
                                     "contype",   "conaffinity", "mesh",         "axis",      "range",   "limited",
                                     "stiffness", "damping",     "frictionloss", "springref", "ref",     "armature",
                                     "scale",     "file",        "gear",         "kp",        "kv"};
  std::map<std::string, std::map<std::string, Attributes, std::less<>>> classes_{{"main", {}}};
};

/// An element with the defaults of its class.
class Defaulted {
 public:
  Defaulted(const Element& element, const Defaults& defaults, const std::string& inherited)
      : element_(element), defaults_(defaults), class_(element.text("class").value_or(inherited)) {
    if (!defaults.has(class_)) element.mistake("class", fmt::format("'{}' is no class of defaults", class_));
  }
  std::optional<std::string> text(const char* attribute) const {
    if (const auto own = element_.text(attribute)) return own;
    return defaults_.find(class_, element_.name(), attribute);
  }
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const {
    const auto found = text(attribute);
    return found ? element_.parse_numbers(*found, attribute, least, most) : std::vector<double>();
  }
  double number(const char* attribute, double fallback) const {
    const auto found = numbers(attribute, 1, 1);
    return found.empty() ? fallback : found[0];
  }
  Vec3 vector(const char* attribute, const Vec3& fallback) const {
    return to_vector(numbers(attribute, 3, 3), fallback);
  }
  const Element& element() const { return element_; }

 private:
  Element element_;
  const Defaults& defaults_;
  std::string class_;
};

struct Mesh {
  std::string file;
  double scale = 1;
  bool usable = true;
};

/// A joint of a body, in space.
struct MjcfJoint {
  Element element;
  std::string name, type;
  Vec3 place, axis;
  std::optional<std::array<double, 2>> limits{};
  double stiffness = 0, rest = 0, damping = 0, friction = 0;
};

class MjcfReader {
 public:
  MjcfReader(const Element& root, Findings& findings) : root_(root), findings_(findings) {}

  Mechanism read() {
    mechanism_.title = root_.text("model").value_or("model");
    mechanism_.touch = true;
    for (const Element& one : root_.children("compiler")) read_compiler(one);
    for (const Element& one : root_.children("option")) read_option(one);
    for (const Element& one : root_.children("default")) defaults_.read(one, "main");
    for (const Element& one : root_.children("asset")) read_assets(one);
    for (const Element& one : root_.children("worldbody")) read_world(one);
    for (const Element& one : root_.children("contact")) read_contact(one);
    for (const Element& one : root_.children("equality")) read_equality(one);
    for (const Element& one : root_.children("actuator")) read_actuators(one);
    root_.note_others({"compiler", "option", "default", "asset", "worldbody", "contact", "equality", "actuator",
                       "visual", "statistic", "size"});
    if (root_.children("worldbody").empty()) root_.mistake("", "has no <worldbody>");
    return mechanism_;
  }

 private:
  void read_compiler(const Element& element) {
    if (const auto angle = element.text("angle")) {
      if (*angle != "degree" && *angle != "radian")
        element.mistake("angle", fmt::format("must be degree or radian, not '{}'", *angle));
      in_degrees_ = *angle != "radian";
    }
    if (element.text("coordinate").value_or("local") != "local")
      element.mistake("coordinate", "must be local; other coordinates are not known");
    for (const char* name : {"meshdir", "assetdir"}) {
      if (const auto folder = element.text(name)) mesh_folder_ = *folder + "/";
    }
    if (const auto order = element.text("eulerseq")) euler_ = *order;
    const bool is_order = euler_.size() == 3 && euler_.find_first_not_of("xyzXYZ") == std::string::npos;
    if (!is_order) {
      element.mistake("eulerseq", "must be three of x, y, z, X, Y and Z");
      euler_ = "xyz";
    }
    if (const auto from = element.text("inertiafromgeom")) from_shapes_ = *from == "true";
    if (const auto automatic = element.text("autolimits")) auto_limits_ = *automatic != "false";
    element.note_attributes({"settotalmass", "boundmass", "boundinertia", "fitaabb"}, "is not read");
  }

  void read_option(const Element& element) {
    mechanism_.gravity = element.vector("gravity", mechanism_.gravity);
    if (element.text("timestep")) {
      mechanism_.step = element.number("timestep", 2e-3);
      if (!(*mechanism_.step > 0)) element.mistake("timestep", "must be above 0");
    } else if (!mechanism_.step) {
      mechanism_.step = 2e-3;
    }
    element.note_attributes({"integrator", "solver", "cone", "iterations", "density", "viscosity", "wind", "o_solref"},
                            "is not read");
    element.note_others({"flag"});
  }

  void read_assets(const Element& assets) {
    for (const Element& element : assets.children("mesh")) {
      const Defaulted one(element, defaults_, "main");
      Mesh mesh;
      mesh.file = one.text("file").value_or("");
      if (mesh.file.empty()) {
        element.note("a mesh without a file is not read");
        mesh.usable = false;
      }
      std::string name = element.text("name").value_or("");
      if (name.empty()) name = mesh.file.substr(0, mesh.file.find_last_of('.')).substr(mesh.file.find_last_of('/') + 1);
      const Vec3 scale = one.vector("scale", Vec3::Ones());
      mesh.scale = scale.x();
      if (!(scale.minCoeff() > 0) || scale.minCoeff() != scale.maxCoeff()) {
        element.note("a mesh scaled differently along its axes, or mirrored, is left out");
        mesh.usable = false;
      }
      mesh.file = mesh_folder_ + mesh.file;
      meshes_[name] = mesh;
    }
    assets.note_others({"mesh", "texture", "material"});
  }

  double angle(double value) const { return in_degrees_ ? value * std::numbers::pi / 180 : value; }

  Eigen::Quaterniond orientation(const Defaulted& one) const {
    if (const auto q = one.numbers("quat", 4, 4); q.size() == 4) {
      const Eigen::Quaterniond turn(q[0], q[1], q[2], q[3]);
      if (turn.norm() > 0) return turn.normalized();
      one.element().mistake("quat", "must not be zero");
    }
    if (const auto a = one.numbers("axisangle", 4, 4); a.size() == 4) {
      const Vec3 axis(a[0], a[1], a[2]);
      if (axis.norm() > 0) return Eigen::Quaterniond(Eigen::AngleAxisd(angle(a[3]), axis.normalized()));
      one.element().mistake("axisangle", "must have an axis that is not zero");
    }
    if (const auto e = one.numbers("euler", 3, 3); e.size() == 3) {
      Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();
      for (std::size_t k = 0; k < 3; ++k) {
        const char letter = euler_[k];
        const bool follows = letter >= 'a';  // small letters turn about axes that turn along
        const Eigen::Quaterniond own(
            Eigen::AngleAxisd(angle(e[k]), Vec3::Unit((follows ? letter - 'x' : letter - 'X'))));
        turn = follows ? turn * own : own * turn;
      }
      return turn;
    }
    if (const auto a = one.numbers("xyaxes", 6, 6); a.size() == 6) {
      const Vec3 x(a[0], a[1], a[2]), given(a[3], a[4], a[5]);
      const Vec3 z = x.cross(given);
      if (z.norm() > 0) {
        Eigen::Matrix3d axes;
        axes << x.normalized(), z.normalized().cross(x.normalized()), z.normalized();
        return Eigen::Quaterniond(axes);
      }
      one.element().mistake("xyaxes", "must be two axes that are not parallel");
    }
    if (const auto a = one.numbers("zaxis", 3, 3); a.size() == 3) {
      const Vec3 z(a[0], a[1], a[2]);
      if (z.norm() > 0) return Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), z);
      one.element().mistake("zaxis", "must not be zero");
    }
    return Eigen::Quaterniond::Identity();
  }

  Pose pose_of(const Defaulted& one) const { return {orientation(one), one.vector("pos", Vec3::Zero())}; }

  /// A shape with what it says of contact; nothing of planes and of what is not known.
  std::optional<Shape> read_shape(const Defaulted& one) {
    Shape shape;
    shape.line = one.element().line();
    shape.pose = pose_of(one);
    const std::string type = one.text("type").value_or(one.text("mesh") ? "mesh" : "sphere");
    const std::vector<double> size = one.numbers("size", 1, 3), ends = one.numbers("fromto", 6, 6);
    double half = size.size() > 1 ? size[1] : 0;
    if (ends.size() == 6) {
      const Vec3 from(ends[0], ends[1], ends[2]), to(ends[3], ends[4], ends[5]);
      half = 0.5 * (to - from).norm();
      if (!(half > 0)) {
        one.element().mistake("fromto", "must be two points apart");
        return std::nullopt;
      }
      // MuJoCo's axis points from the second to the first.
      shape.pose = {Eigen::Quaterniond::FromTwoVectors(Vec3::UnitZ(), from - to), 0.5 * (from + to)};
    }
    shape.radius = size.empty() ? 0 : size[0];
    shape.length = 2 * half;
    shape.density = one.number("density", 1000);
    if (one.text("mass")) shape.mass = one.number("mass", 0);
    bool is_whole = shape.radius > 0;
    if (type == "box") {
      shape.type = ShapeType::box;
      shape.size = {2 * shape.radius, 2 * half, size.size() > 2 ? 2 * size[2] : 0};
      if (ends.size() == 6) shape.size = {2 * shape.radius, 2 * (size.size() > 1 ? size[1] : shape.radius), 2 * half};
      is_whole = shape.size.minCoeff() > 0;
    } else if (type == "capsule" || type == "cylinder") {
      shape.type = type == "capsule" ? ShapeType::capsule : ShapeType::cylinder;
      is_whole = is_whole && half > 0;
    } else if (type == "mesh") {
      const std::string name = one.text("mesh").value_or("");
      const auto mesh = meshes_.find(name);
      if (mesh == meshes_.end()) {
        one.element().mistake("mesh", fmt::format("'{}' is no mesh of the assets", name));
        return std::nullopt;
      }
      if (!mesh->second.usable) return std::nullopt;
      shape.type = ShapeType::mesh;
      shape.file = mesh->second.file;
      shape.scale = mesh->second.scale;
      is_whole = true;
    } else if (type != "sphere") {
      one.element().note(fmt::format("a geom that is a {} is left out", type));
      return std::nullopt;
    }
    if (is_whole) return shape;
    one.element().mistake("size", fmt::format("must be the half lengths of a {}, above 0", type));
    return std::nullopt;
  }

  /// Adds the shapes of an element, seen from the link.
  void read_geoms(const Element& body, const std::string& inherited, const Pose& relative, Link& link) {
    for (const Element& element : body.children("geom")) {
      const Defaulted one(element, defaults_, inherited);
      const std::string type = one.text("type").value_or("sphere");
      if (type == "plane") {
        add_plane(one, link.pose * relative);
        if (!link.held) element.note("a plane on a body that moves is held where it is");
        continue;
      }
      auto shape = read_shape(one);
      if (!shape) continue;
      const bool touches = one.number("contype", 1) != 0 || one.number("conaffinity", 1) != 0;
      shape->pose = relative * shape->pose;
      if (link.shapes.empty()) {
        link.touches = touches;
      } else if (touches != link.touches) {
        element.note(fmt::format("some geoms of {} touch others and some do not; all of them do here", link.name));
        link.touches = true;
      }
      const auto friction = one.numbers("friction", 1, 3);
      link.friction = std::max(link.friction, friction.empty() ? 1.0 : friction[0]);
      link.shapes.push_back(std::move(*shape));
    }
  }

  void add_plane(const Defaulted& one, const Pose& frame) {
    const Pose pose = frame * pose_of(one);
    const auto friction = one.numbers("friction", 1, 3);
    const std::string name = one.element().text("name").value_or(fmt::format("plane{}", mechanism_.planes.size() + 1));
    mechanism_.planes.push_back({name, pose.place, pose.turn * Vec3::UnitZ(), friction.empty() ? 1.0 : friction[0]});
  }

  void read_world(const Element& world) {
    const std::string inherited = world.text("childclass").value_or("main");
    Link ground;
    ground.name = "ground";
    ground.line = world.line();
    ground.held = true;
    read_geoms(world, inherited, {}, ground);
    int number = -1;
    if (!ground.shapes.empty()) {
      number = 0;
      mechanism_.links.push_back(std::move(ground));
    }
    for (const Element& body : world.children("body")) read_body(body, inherited, {}, number, {}, 0);
    world.note_others({"body", "geom", "light", "camera", "site"});
  }

  /// A body below another, which has this pose; `parent` is the link that it belongs to, −1 the world, and `relative`
  /// its pose there.
  void read_body(const Element& element, const std::string& inherited, const Pose& above, int parent,
                 const Pose& relative_above, int depth) {
    constexpr int deepest = 200;
    if (depth > deepest) return element.mistake("", fmt::format("lies more than {} bodies deep", deepest));
    const std::string childclass = element.text("childclass").value_or(inherited);
    const Pose own = pose_of(Defaulted(element, defaults_, "main")), pose = above * own;
    if (element.text("mocap").value_or("false") == "true") element.note("a body that is moved from outside is held");
    const auto joints = read_joints(element, childclass, pose);
    const bool is_free = !element.children("freejoint").empty() ||
                         std::any_of(joints.begin(), joints.end(), [](const auto& one) { return one.type == "free"; });
    const bool is_welded = joints.empty() && !is_free;
    const std::string name = element.text("name").value_or(fmt::format("body{}", ++unnamed_));
    int number = parent;
    Pose relative = relative_above * own;
    if (!is_welded || parent < 0) {
      number = static_cast<int>(mechanism_.links.size());
      Link link;
      link.name = name;
      link.line = element.line();
      link.pose = pose;
      link.held = is_welded;  // to the world
      mechanism_.links.push_back(std::move(link));
      relative = {};
    }
    if (!names_.emplace(name, number).second && element.text("name"))
      element.mistake("name", fmt::format("'{}' is already the name of a body", name));
    poses_[name] = pose;
    Link& link = mechanism_.links[static_cast<std::size_t>(number)];
    const std::size_t before = link.shapes.size();
    read_geoms(element, childclass, relative, link);
    add_inertia(element, relative, link, before);
    if (!is_welded && !is_free) connect(element, joints, parent, number);
    for (const Element& child : element.children("body"))
      read_body(child, childclass, pose, number, relative, depth + 1);
    element.note_others({"body", "geom", "joint", "freejoint", "inertial", "light", "camera", "site"});
  }

  /// What is told of inertia, or that of the new shapes; bodies that are welded add to what is there.
  void add_inertia(const Element& body, const Pose& relative, Link& link, std::size_t first_shape) {
    if (link.held) return;
    std::optional<Inertia> own;
    if (const auto inertial = body.child("inertial"); inertial && !from_shapes_) {
      const Defaulted one(*inertial, defaults_, "main");
      Inertia given{one.number("mass", 0), Vec3::Zero(), Eigen::Matrix3d::Zero()};
      inertial->required("mass");
      if (const auto d = one.element().numbers("diaginertia", 3, 3); d.size() == 3) {
        given.tensor = Vec3(d[0], d[1], d[2]).asDiagonal();
      } else if (const auto f = one.element().numbers("fullinertia", 6, 6); f.size() == 6) {
        given.tensor << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
      } else {
        inertial->mistake("diaginertia", "or fullinertia is missing");
      }
      if (!(given.mass > 0)) inertial->mistake("mass", "must be above 0");
      own = given.seen_from(pose_of(one));
      own = own->seen_from(relative);
    } else {
      bool is_known = true;
      for (std::size_t k = first_shape; k < link.shapes.size(); ++k) {
        const auto shape = inertia_of(link.shapes[k]);
        is_known = is_known && shape.has_value();
        if (shape) own = own ? *own + *shape : *shape;
      }
      const bool is_alone = link.shapes.size() == 1 && !link.inertia;
      if (is_alone) return;  // the scene finds it from the shape
      if (!is_known)
        body.note(fmt::format("the mass of a mesh among other geoms of {} is left out; give the body an <inertial>",
                              link.name));
    }
    if (!own) return;
    if (!link.inertia && first_shape == 1) link.inertia = inertia_of(link.shapes[0]);  // was alone until now
    link.inertia = link.inertia ? *link.inertia + *own : *own;
  }

  std::vector<MjcfJoint> read_joints(const Element& body, const std::string& inherited, const Pose& pose) {
    std::vector<MjcfJoint> joints;
    for (const Element& element : body.children("joint")) {
      const Defaulted one(element, defaults_, inherited);
      MjcfJoint joint{element, element.text("name").value_or(fmt::format("joint{}", ++unnamed_joints_)),
                      one.text("type").value_or("hinge"), pose * one.vector("pos", Vec3::Zero()),
                      one.vector("axis", Vec3::UnitZ())};
      if (!(joint.axis.norm() > 0)) {
        element.mistake("axis", "must not be zero");
        joint.axis = Vec3::UnitZ();
      }
      joint.axis = pose.turn * joint.axis.normalized();
      const bool turns = joint.type == "hinge" || joint.type == "ball";
      const auto value = [&](double x) { return turns ? angle(x) : x; };
      const auto range = one.numbers("range", 2, 2);
      const std::string limited = one.text("limited").value_or("auto");
      const double ref = value(one.number("ref", 0));
      if (range.size() == 2 && (limited == "true" || (limited == "auto" && auto_limits_)))
        joint.limits = {value(range[0]) - ref, value(range[1]) - ref};
      joint.stiffness = std::max(0.0, one.number("stiffness", 0));
      joint.rest = value(one.number("springref", 0)) - ref;
      joint.damping = std::max(0.0, one.number("damping", 0));
      joint.friction = std::max(0.0, one.number("frictionloss", 0));
      if (one.number("armature", 0) != 0) element.note(fmt::format("the armature of {} is left out", joint.name));
      if (turns || joint.type == "slide" || joint.type == "free")
        joints.push_back(std::move(joint));
      else
        element.mistake("type", fmt::format("'{}' is none of hinge, slide, ball and free", joint.type));
    }
    return joints;
  }

  /// One joint, or some that together are one known here.
  void connect(const Element& body, const std::vector<MjcfJoint>& joints, int parent, int number) {
    const auto is = [&](std::size_t k, const char* type) { return k < joints.size() && joints[k].type == type; };
    const auto perpendicular = [&](std::size_t a, std::size_t b) {
      return std::abs(joints[a].axis.dot(joints[b].axis)) < 1e-9;
    };
    const auto same_place = [&](std::size_t a, std::size_t b) {
      return (joints[a].place - joints[b].place).norm() < 1e-9;
    };
    Connection one;
    one.name = joints[0].name;
    one.line = joints[0].element.line();
    one.first = parent;
    one.second = number;
    one.place = joints[0].place;
    one.axis = joints[0].axis;
    if (joints.size() == 1) {
      one.type = is(0, "hinge")   ? ConnectionType::revolute
                 : is(0, "slide") ? ConnectionType::prismatic
                                  : ConnectionType::spherical;
      drive(joints[0], one);
    } else if (joints.size() == 2 && is(0, "hinge") && is(1, "hinge") && perpendicular(0, 1) && same_place(0, 1)) {
      one.type = ConnectionType::universal;
      one.second_axis = joints[1].axis;
    } else if (joints.size() == 2 && joints[0].type != joints[1].type && (is(0, "hinge") || is(1, "hinge")) &&
               (is(0, "slide") || is(1, "slide")) && joints[0].axis.cross(joints[1].axis).norm() < 1e-9) {
      one.type = ConnectionType::cylindrical;
      one.place = joints[is(0, "hinge") ? 0 : 1].place;
    } else if (joints.size() == 3 && is(0, "hinge") && is(1, "hinge") && is(2, "hinge") && perpendicular(0, 1) &&
               perpendicular(1, 2) && same_place(0, 1) && same_place(0, 2)) {
      one.type = ConnectionType::spherical;
    } else {
      return body.mistake("",
                          "has several joints that together are none known here: two hinges across each other, three "
                          "of them, or a hinge and a slide along one axis; put a body with a small mass between them");
    }
    if (joints.size() > 1) {
      const bool drives = std::any_of(joints.begin(), joints.end(), [](const MjcfJoint& joint) {
        return joint.limits || joint.stiffness > 0 || joint.damping > 0 || joint.friction > 0;
      });
      if (drives)
        joints[0].element.note("limits, stiffness, damping and friction of several joints of one body are left out");
    }
    for (const MjcfJoint& joint : joints) by_name_[joint.name] = mechanism_.connections.size();
    mechanism_.connections.push_back(std::move(one));
  }

  void drive(const MjcfJoint& joint, Connection& one) {
    if (one.type == ConnectionType::spherical) {
      if (joint.limits || joint.stiffness > 0 || joint.damping > 0 || joint.friction > 0)
        joint.element.note("range, stiffness, damping and friction of a ball are left out");
      return;
    }
    one.limits = joint.limits;
    if (one.limits && ((*one.limits)[0] > 0 || (*one.limits)[1] < 0 || !((*one.limits)[0] < (*one.limits)[1]))) {
      joint.element.note(fmt::format("the range of {} leaves out where it begins, and is left out", joint.name));
      one.limits.reset();
    }
    one.stiffness = joint.stiffness;
    one.rest = joint.rest;
    one.damping = joint.damping;
    one.friction = joint.friction;
  }

  /// The link of a body of this name; −2 where there is none.
  int find_body(const Element& element, const char* attribute) {
    const std::string name = element.required(attribute);
    if (name == "world") return -1;
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    element.mistake(attribute, fmt::format("'{}' is no body", name));
    return -2;
  }

  void read_contact(const Element& contact) {
    for (const Element& element : contact.children("exclude")) {
      const int first = find_body(element, "body1"), second = find_body(element, "body2");
      if (first >= 0 && second >= 0) mechanism_.apart.emplace_back(first, second);
    }
    contact.note_others({"exclude"});
  }

  void read_equality(const Element& equality) {
    for (const Element& element : equality.children()) {
      const bool weld = element.name() == "weld";
      if (!weld && element.name() != "connect") {
        element.note(fmt::format("<{}> in <equality> is not read", element.name()));
        continue;
      }
      if (!element.text("body1")) {
        element.note(fmt::format("a <{}> between sites is not read", element.name()));
        continue;
      }
      const int first = find_body(element, "body1");
      const int second = element.text("body2") ? find_body(element, "body2") : -1;
      if (first < 0 || second == -2) continue;
      Connection one;
      one.name = element.text("name").value_or(fmt::format("equality{}", ++unnamed_joints_));
      one.line = element.line();
      one.type = weld ? ConnectionType::fixed : ConnectionType::spherical;
      one.first = second;
      one.second = first;
      one.place = poses_.at(element.required("body1")) * element.vector("anchor", Vec3::Zero());
      if (weld) element.note_attributes({"relpose"}, "is not read: the bodies are welded as they lie");
      mechanism_.connections.push_back(std::move(one));
    }
  }

  void read_actuators(const Element& actuators) {
    for (const Element& element : actuators.children()) {
      const Defaulted one(element, defaults_, "main");
      const std::string name = element.text("name").value_or(std::string(element.name()));
      const auto joint = by_name_.find(element.text("joint").value_or(""));
      if (joint == by_name_.end()) {
        element.note(fmt::format("the actuator {} acts on no joint that is known here", name));
        continue;
      }
      Connection& connection = mechanism_.connections[joint->second];
      const auto numbers = one.numbers("gear", 1, 6);
      const double gear = numbers.empty() ? 1 : numbers[0];
      if (connection.type != ConnectionType::revolute && connection.type != ConnectionType::prismatic) {
        element.note(fmt::format("the actuator {} acts on a joint without a single coordinate and is left out", name));
      } else if (element.name() == "motor") {
        connection.remarks.push_back(
            fmt::format("motor {} (gear {:g}): give the joint a motor with its signal", name, gear));
        element.note(
            fmt::format("the motor {} has no signal in the file; give the joint {} one", name, connection.name));
      } else if (element.name() == "position") {
        const double stiffness = gear * gear * one.number("kp", 1), sum = connection.stiffness + stiffness;
        connection.rest *= sum > 0 ? connection.stiffness / sum : 0;
        connection.stiffness = sum;
        connection.damping += gear * gear * one.number("kv", 0);
        element.note(fmt::format("the position actuator {} is a spring of {} towards 0, where its control is", name,
                                 connection.name));
      } else if (element.name() == "velocity") {
        connection.damping += gear * gear * one.number("kv", 1);
        element.note(
            fmt::format("the velocity actuator {} is a damper of {}, where its control is 0", name, connection.name));
      } else {
        element.note(fmt::format("<{}> in <actuator> is not read", element.name()));
      }
    }
  }

  Element root_;
  Findings& findings_;
  Mechanism mechanism_;
  Defaults defaults_;
  bool in_degrees_ = true, from_shapes_ = false, auto_limits_ = true;
  std::string euler_ = "xyz", mesh_folder_;
  std::map<std::string, Mesh> meshes_;
  std::map<std::string, int> names_;
  std::map<std::string, Pose> poses_;
  std::map<std::string, std::size_t> by_name_;
  int unnamed_ = 0, unnamed_joints_ = 0;
};

}  // namespace

Mechanism read_mjcf(const Element& mujoco, Findings& findings) { return MjcfReader(mujoco, findings).read(); }

}  // namespace ictus::convert
