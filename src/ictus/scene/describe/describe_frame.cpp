#include <ictus/scene/describe/describe.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace ictus::scene {

namespace {

Quantity size() { return quantity(dimension::length).positive(); }

/// Walls that leave no room inside are a mistake.
void check_walls(double walls, double outside, const std::string& path, Reading& reading) {
  if (walls >= outside)
    reading.mistake(path, fmt::format("walls of {:g} m in all leave nothing of {:g} m", walls, outside));
}

Object<BoxSectionSpec> box_section() {
  Object<BoxSectionSpec> object("box", "A closed box with walls of equal thickness.");
  object.required("height", &BoxSectionSpec::height, size(), "Outside, along the member's `up`.")
      .required("width", &BoxSectionSpec::width, size(), "Outside.")
      .required("thickness", &BoxSectionSpec::thickness, size(), "Of the walls.")
      .check([](const BoxSectionSpec& s, const std::string& path, Reading& reading) {
        check_walls(2 * s.thickness, std::min(s.height, s.width), path + ".thickness", reading);
      });
  return object;
}

Object<ISectionSpec> i_section() {
  Object<ISectionSpec> object("i", "An I with equal flanges.");
  object.required("height", &ISectionSpec::height, size(), "Outside, along the member's `up`.")
      .required("width", &ISectionSpec::width, size(), "Of the flanges.")
      .required("web", &ISectionSpec::web, size(), "Thickness of the web.")
      .required("flange", &ISectionSpec::flange, size(), "Thickness of the flanges.")
      .check([](const ISectionSpec& s, const std::string& path, Reading& reading) {
        check_walls(2 * s.flange, s.height, path + ".flange", reading);
        check_walls(s.web, s.width, path + ".web", reading);
      });
  return object;
}

Object<PipeSectionSpec> pipe() {
  Object<PipeSectionSpec> object("pipe", "A circular tube; a full circle where the wall is half the diameter.");
  object.required("diameter", &PipeSectionSpec::diameter, size(), "Outside.")
      .required("thickness", &PipeSectionSpec::thickness, size(), "Of the wall.")
      .check([](const PipeSectionSpec& s, const std::string& path, Reading& reading) {
        if (2 * s.thickness > s.diameter) reading.mistake(path + ".thickness", "is more than half the diameter");
      });
  return object;
}

Object<RectangleSectionSpec> rectangle() {
  Object<RectangleSectionSpec> object("rectangle", "A solid rectangle.");
  object.required("height", &RectangleSectionSpec::height, size(), "Along the member's `up`.")
      .required("width", &RectangleSectionSpec::width, size(), "Across.");
  return object;
}

Object<GeneralSectionSpec> general() {
  Object<GeneralSectionSpec> object("general", "A section by its constants.");
  object.required("area", &GeneralSectionSpec::area, quantity(dimension::area).positive(), "Area.")
      .required("inertia_y", &GeneralSectionSpec::inertia_y, quantity(dimension::second_moment).positive(),
                "Second moment of area for bending in the plane of the member and its `up`.")
      .required("inertia_z", &GeneralSectionSpec::inertia_z, quantity(dimension::second_moment).positive(),
                "Second moment of area for bending across.")
      .required("torsion", &GeneralSectionSpec::torsion, quantity(dimension::second_moment).positive(),
                "Torsion constant.")
      .field("shear_area_y", &GeneralSectionSpec::shear_area_y, quantity(dimension::area).positive(),
             "Area that carries shear across. Absent: the area.")
      .field("shear_area_z", &GeneralSectionSpec::shear_area_z, quantity(dimension::area).positive(),
             "Area that carries shear along `up`. Absent: the area.");
  return object;
}

Object<FrameMaterialSpec> material() {
  Object<FrameMaterialSpec> object("material", "An elastic material.");
  object
      .required("youngs_modulus", &FrameMaterialSpec::youngs_modulus, quantity(dimension::stress).positive(),
                "Young's modulus E.")
      .field("poissons_ratio", &FrameMaterialSpec::poissons_ratio, number().at_least(0).at_most(0.5),
             "Poisson's ratio; the shear modulus is E/(2 (1 + ratio)).")
      .required("density", &FrameMaterialSpec::density, quantity(dimension::density).positive(), "Mass per volume.");
  return object;
}

Object<FrameMemberSpec> member() {
  Object<FrameMemberSpec> object("member", "A straight beam between two nodes; it joins every node that lies on it.");
  object.required("from", &FrameMemberSpec::from, text("the name of a node"), "Where it begins.")
      .required("to", &FrameMemberSpec::to, text("the name of a node"), "Where it ends.")
      .required("section", &FrameMemberSpec::section, text("the name of a section"), "Its cross-section.")
      .required("material", &FrameMemberSpec::material, text("the name of a material"), "What it is made of.")
      .required("element_size", &FrameMemberSpec::element_size, size(),
                "Largest length of an element; between two nodes all have the same.")
      .field("up", &FrameMemberSpec::up, direction(),
             "The height of the section lies in the plane of this and the member.")
      .field("set", &FrameMemberSpec::set, text("a name"),
             "Members of one set can be made an implicit domain. Absent: it is in none.");
  return object;
}

Object<FrameSupportSpec> node_support() {
  Object<FrameSupportSpec> object("support", "Holds a node.");
  object.required("node", &FrameSupportSpec::node, text("the name of a node"), "Which.")
      .field("type", &FrameSupportSpec::type,
             one_of<NodeSupport>({{NodeSupport::clamped, "clamped", "nothing moves"},
                                  {NodeSupport::pinned, "pinned", "free to rotate"}}),
             "How it is held.");
  return object;
}

Object<NodeMassSpec> point_mass() {
  Object<NodeMassSpec> object("point mass", "A mass at a node.");
  object.required("mass", &NodeMassSpec::mass, quantity(dimension::mass).positive(), "Mass.")
      .field("inertia", &NodeMassSpec::inertia, quantity(dimension::rotary_inertia).at_least(0),
             "Inertia against rotation about any axis.");
  return object;
}

template <class T>
void check_name(const OrderedMap<T>& known, const std::string& name, const char* what, const std::string& path,
                Reading& reading) {
  if (name.empty() || known.contains(name)) return;
  std::string near = suggestion(name, known.names());
  if (near.empty() && !known.empty()) near = fmt::format(", there are {}", fmt::join(known.names(), ", "));
  reading.mistake(path, fmt::format("no {} is named '{}'{}", what, name, near));
}

/// Members, supports and masses name nodes, sections and materials that there are; a member has two ends.
void check_frame(const FrameSpec& frame, const std::string& path, Reading& reading) {
  for (std::size_t i = 0; i < frame.members.size(); ++i) {
    const FrameMemberSpec& m = frame.members[i];
    const std::string at = fmt::format("{}.members.{}", path, i);
    check_name(frame.nodes, m.from, "node", at + ".from", reading);
    check_name(frame.nodes, m.to, "node", at + ".to", reading);
    check_name(frame.sections, m.section, "section", at + ".section", reading);
    check_name(frame.materials, m.material, "material", at + ".material", reading);
    if (!m.from.empty() && m.from == m.to) reading.mistake(at + ".to", "must be another node than `from`");
  }
  std::map<std::string, std::size_t> held;
  for (std::size_t i = 0; i < frame.supports.size(); ++i) {
    const std::string& node = frame.supports[i].node;
    const std::string at = fmt::format("{}.supports.{}.node", path, i);
    check_name(frame.nodes, node, "node", at, reading);
    const auto [first, is_new] = held.emplace(node, i);
    if (!is_new && !node.empty())
      reading.mistake(at, fmt::format("'{}' is already held by supports.{}", node, first->second));
  }
  for (const auto& [name, mass] : frame.point_masses)
    check_name(frame.nodes, name, "node", fmt::format("{}.point_masses.{}", path, name), reading);
}

}  // namespace

Object<FrameSpec> describe_frame() {
  Object<FrameSpec> object("frame", "Elastic beams that share nodes: a frame in space, or a grillage in a plane.");
  object
      .field("unknowns", &FrameSpec::unknowns,
             one_of<FrameUnknowns>(
                 {{FrameUnknowns::space, "space", "displacement and rotation of each node"},
                  {FrameUnknowns::grillage, "grillage",
                   "deflection along z and the two slopes of each node; all members lie in a horizontal plane"}}),
             "What can move.")
      .field("theory", &FrameSpec::theory,
             one_of<BeamTheory>({{BeamTheory::euler_bernoulli, "euler-bernoulli", "no deformation by shear"},
                                 {BeamTheory::timoshenko, "timoshenko", "with deformation by shear"}}),
             "How beams bend.")
      .field("rotary", &FrameSpec::rotary,
             one_of<RotaryMass>(
                 {{RotaryMass::shape, "shape", "mass × length²/78 of an element, that of its deflected shape"},
                  {RotaryMass::section, "section", "that of the cross-section, which allows much smaller steps only"},
                  {RotaryMass::both, "both", "their sum"}}),
             "Inertia of the slopes of the nodes; against twist it is that of the cross-section.")
      .required("nodes", &FrameSpec::nodes, named(vector(quantity(dimension::length)), 2),
                "Points with a name, where members end, meet or are held.")
      .required("sections", &FrameSpec::sections,
                named(variant(box_section(), i_section(), pipe(), rectangle(), general()), 1),
                "Cross-sections with a name.")
      .required("materials", &FrameSpec::materials, named(Typed<FrameMaterialSpec>(material()), 1),
                "Materials with a name.")
      .required("members", &FrameSpec::members, list(Typed<FrameMemberSpec>(member())), "The beams.")
      .field("supports", &FrameSpec::supports, list(Typed<FrameSupportSpec>(node_support())), "Nodes that are held.")
      .field("point_masses", &FrameSpec::point_masses, named(Typed<NodeMassSpec>(point_mass())),
             "Masses at nodes, by the node's name.")
      .field("damping", &FrameSpec::damping, Typed<RayleighSpec>(describe_rayleigh()), "Damping of its motion.")
      .field("implicit", &FrameSpec::implicit, boolean(), describe_implicit())
      .check(check_frame);
  return object;
}

}  // namespace ictus::scene
