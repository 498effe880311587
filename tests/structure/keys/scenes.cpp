#include "structure/keys/scenes.hpp"

namespace ictus::testing {

namespace {

const std::string coupled_left = "{type: coupled, ratio: 4, implicit: [{bodies: [left]}]}";

/// Head-on and with a lasting contact.
const std::string two_bars = R"(
time: {end: 4, courant: 0.5}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, material: MATERIAL, velocity: [0.5, 0, 0]}
  right: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, material: MATERIAL, position: [1.2, 0, 0]}
contacts: [{between: [left, right]}]
probes: {tip: {body: left, at: 1}}
)";

const std::string bar_and_wall = R"(
time: {end: 4, courant: 0.5}
bodies:
  bar: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, material: MATERIAL, velocity: [0.5, 0, 0]}
  wall: {type: plane, position: [1.2, 0, 0], normal: [-1, 0, 0]}
contacts: [{between: [bar, wall]}]
probes: {tip: {body: bar, at: 0.5}}
)";

const std::string pulled_bar = R"(
time: {end: 2.5, courant: 0.5}
gravity: [0.1, 0, 0]
bodies:
  bar: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, supports: [{at: start}]}
loads:
  - {type: body-force, bodies: [bar], direction: [1, 0, 0], signal: {type: half-sine, amplitude: 0.1, duration: 1}}
  - {type: force, body: bar, node: end, direction: [1, 0, 0], signal: {type: ramp, amplitude: 0.1, begin: 0.2, rise: 0.5}}
probes: {tip: {body: bar, at: 0.5}}
)";

const std::string shaken_bar = R"(
time: {end: 2.5, courant: 0.5}
gravity: [0.1, 0, 0]
bodies:
  bar: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, supports: [{at: start}]}
loads:
  - {type: support-motion, body: bar, direction: [1, 0, 0],
     signal: {type: harmonics, ramp: 0.2, terms: [{amplitude: 0.01, frequency: 0.5}]}}
probes: {tip: {body: bar, at: 0.5}}
)";

const std::string beam_and_floor = R"(
time: {end: 0.004, courant: 0.25}
gravity: [0, 0, -10]
bodies:
  beam: {type: beam, length: 0.5, cells: 4, section: {type: rectangle, width: 0.05, height: 0.04}, density: 1000,
         youngs_modulus: 1.0e6, position: [0, 0, 0.05], rotation: [0.2, 1.5, 0.1], velocity: [3, 1, -30]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [beam, floor]}]
probes: {tip: {body: beam, at: 1}}
)";

const std::string loaded_beam = R"(
time: {end: 0.004, courant: 0.25}
bodies:
  beam: {type: beam, length: 0.5, cells: 4, section: {type: pipe, outer_radius: 0.03, inner_radius: 0.02},
         density: 1000, youngs_modulus: 1.0e6, load: {force: [1, 2, 3], moment: [0.1, 0.2, 0.3]},
         start_load: {force: [1, 0, 0]}, end_load: {force: [0, 1, 0], moment: [0, 0, 0.1]},
         strains: [[0.1, 0, 0, 0, 0, 1]], velocities: [[0.1, 0, 0, 0, 0.2, 0]]}
)";

const std::string pendulum = R"(
time: {end: 0.4, step: 0.01}
gravity: [0, 0, -10]
bodies:
  pendulum: {type: spring-pendulum, mass: 1, stiffness: 100, rest_length: 1, angle: 0.1, angular_velocity: -1,
             length_rate: 0.3, friction: 2, restitution: 0.8}
)";

const std::string particle = R"(
time: {end: 0.3, step: 0.01}
gravity: [0, 0, -10]
bodies:
  mass: {type: point-mass, mass: 1, position: [0, 0, 0.1], velocity: [2, 1, -1]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [mass, floor], restitution: 0.5, friction: 2}]
probes: {mass: {body: mass, at: 0}}
)";

const std::string slider = R"(
time: {end: 0.3, step: 0.01}
gravity: [0, 0, -10]
bodies:
  block: {type: slider, mass: 1, slope: 0.2, position: [0, 0, 0.1], velocity: [1, 0.5, -1], friction: 2,
          restitution: 0.4}
)";

const std::string woodpecker = R"(
time: {end: 0.2, step: 0.0005}
gravity: [0, 0, -9.81]
bodies:
  toy: {type: woodpecker, sleeve_angle: -0.1036, bird_angle: -0.2788, height_rate: -0.3411, bird_angular_velocity: -7.4583}
)";

const std::string solid_and_floor = R"(
time: {end: 0.01, courant: 0.5}
bodies:
  cube: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}, density: 1000, youngs_modulus: 1.0e7,
         position: [0, 0, 0.01], velocity: [2, 1, -3], pressures: [{set: left, pressure: 100}]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [cube, floor]}]
)";

const std::string two_solids = R"(
time: {end: 0.01, courant: 0.5}
bodies:
  lower: {type: solid, shape: {type: box, size: [0.2, 0.2, 0.1], cells: [1, 1, 1]}, density: 1000, youngs_modulus: 1.0e7}
  upper: {type: solid, shape: {type: cylinder, radius: 0.05, length: 0.1, cells: [2, 1]}, density: 1000,
          youngs_modulus: 1.0e7, position: [0.11, 0.09, 0.12], velocity: [1, 0.5, -3]}
contacts: [{between: [lower, upper], gap: 0.005}]
)";

const std::string held_solid = R"(
time: {end: 0.01, courant: 0.5}
gravity: [0, 0, -10]
bodies:
  cube: {type: solid, shape: {type: box, size: [0.1, 0.1, 0.1], cells: [1, 1, 1], element: hexahedron}, density: 1000,
         youngs_modulus: 1.0e7, material: linear, supports: [{set: bottom}], damping: {mass: 1, stiffness: 1.0e-5}}
loads:
  - {type: pressure, body: cube, set: top, signal: {type: table, times: [0, 1], values: [0, 1.0e4]}}
  - {type: base-acceleration, bodies: [cube], direction: [1, 0, 0], signal: {type: ramp, amplitude: 2}}
  - {type: support-motion, body: cube, at: [bottom], signal: {type: half-sine, amplitude: 0.001, duration: 0.01}}
)";

const std::string shell_and_floor = R"(
time: {end: 0.012, courant: 0.5}
bodies:
  ball: {type: shell, shape: {type: sphere, radius: 0.1, cells: 2}, thickness: 0.005, youngs_modulus: 1.0e8, density: 1000,
         position: [0, 0, 0.105], velocity: [2, 1, -10]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [ball, floor]}]
)";

const std::string two_shells = R"(
time: {end: 0.012, courant: 0.5}
bodies:
  plate: {type: shell, shape: {type: plate, size: [0.3, 0.2], cells: [3, 2]}, thickness: 0.005,
          youngs_modulus: 1.0e8, density: 1000, supports: [{edge: all, type: pinned}]}
  ball: {type: shell, shape: {type: sphere, radius: 0.05, cells: 2}, thickness: 0.005, youngs_modulus: 1.0e8, density: 1000,
         position: [0.01, 0.02, 0.06], velocity: [1, 0.5, -10]}
contacts: [{between: [plate, ball], gap: 0.004}]
)";

const std::string rigid_on_shell = R"(
time: {end: 0.012, courant: 0.5}
bodies:
  plate: {type: shell, shape: {type: plate, size: [0.3, 0.2], cells: [3, 2]}, thickness: 0.005,
          youngs_modulus: 1.0e8, density: 1000, supports: [{edge: all, type: pinned}]}
  box: {type: rigid, shape: {type: box, size: [0.08, 0.06, 0.06]}, density: 1000, position: [0.01, 0.02, 0.06], rotation: [0.4, 0.3, 0],
        velocity: [1, 0.5, -10], angular_velocity: [5, 2, 3]}
contacts: [{between: [plate, box], gap: 0.004, friction: 0.1}]
)";

const std::string rigid_on_floor = R"(
time: {end: 0.1, step: 0.004}
gravity: [0, 0, -10]
bodies:
  body: {BODY, position: [0, 0, 0.115], velocity: [1, 0.5, -1], angular_velocity: [1, 2, 3]}
  floor: {type: plane, position: [0, 0, 0], normal: [0, 0, 1]}
contacts: [{between: [body, floor], friction: 0.1, restitution: 0.2}]
)";

std::string rigid(const std::string& body) {
  std::string text = rigid_on_floor;
  return text.replace(text.find("BODY"), 4, body);
}

std::string of_material(std::string text, const std::string& material) {
  for (std::size_t at = 0; (at = text.find("MATERIAL")) != std::string::npos;) text.replace(at, 8, material);
  return text;
}

const std::string sphere_on_heights = R"(
time: {end: 0.1, step: 0.002}
gravity: [0, 0, -10]
bodies:
  ball: {type: rigid, shape: {type: sphere, radius: 0.1}, mass: 1, position: [0.03, 0.02, 0.2], velocity: [1, 0.5, -2]}
  ground: {type: rigid, shape: {type: heightfield, heights: [[0.1, 0.05, 0.1], [0.05, 0, 0.05], [0.1, 0.05, 0.1]], spacing_x: 0.4, spacing_y: 0.4}, fixed: true}
contacts: [{between: [ball, ground], friction: 0.2}]
)";

const std::string stack = R"(
time: {end: 0.1, step: 0.004}
gravity: [0, 0, -10]
bodies:
  lower: {type: rigid, shape: {type: box, size: [0.4, 0.4, 0.2]}, fixed: true}
  upper: {type: rigid, shape: {type: box, size: [0.2, 0.2, 0.2]}, position: [0, 0, 0.205], velocity: [1, 0.3, 0], copies: {type: grid, count: [1, 1, 2], spacing: [0.3, 0.3, 0.21]}}
contacts: [{between: [lower, upper], friction: 0.2}, {between: [upper, upper], friction: 0.3}]
)";

const std::string two_frames = R"(
time: {end: 0.004, courant: 0.5}
gravity: [0, 1, -10]
bodies:
  left:
    type: frame
    nodes: {foot: [0, 0, 0], head: [0, 0, 1], arm: [0, 0.5, 1]}
    sections: {s: {type: rectangle, height: 0.05, width: 0.03}}
    materials: {m: {youngs_modulus: 2.0e8, density: 1000}}
    members:
      - {from: foot, to: head, section: s, material: m, element_size: 0.5}
      - {from: head, to: arm, section: s, material: m, element_size: 0.5}
    supports: [{node: foot, type: clamped}]
    damping: {mass: 1, stiffness: 1.0e-6}
  right:
    type: frame
    nodes: {foot: [0.1, 0, 0], head: [0.1, 0, 1]}
    sections: {s: {type: pipe, diameter: 0.05, thickness: 0.01}}
    materials: {m: {youngs_modulus: 2.0e8, density: 1000}}
    members: [{from: foot, to: head, section: s, material: m, element_size: 0.5, up: [1, 0, 0]}]
    supports: [{node: foot, type: clamped}]
    point_masses: {head: {mass: 0.5, inertia: 0.001}}
contacts: [{between: [left, right], nodes: [[head, head]], direction: [1, 0, 0], distance: 0.09999}]
loads:
  - {type: force, body: left, node: arm, direction: [1, 0.2, 0.5], signal: {type: ramp, amplitude: 100}}
probes: {head: {body: left, node: head}}
)";

const std::string tied_bars = R"(
time: {end: 2.5, courant: 0.5}
bodies:
  left: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, velocity: [0.5, 0, 0]}
  right: {type: bar, length: 1, cells: 4, density: 1, youngs_modulus: 1, position: [1, 0, 0]}
  wall: {type: plane, position: [2.05, 0, 0], normal: [-1, 0, 0]}
contacts: [{between: [right, wall]}]
ties: [{between: [left, right]}]
)";

/// Its hinge comes to its stops; the lamp slides and the hook turns about two axes.
const std::string mechanism = R"(
time: {end: 0.3, step: 1.0e-3}
gravity: [0, 0, -10]
bodies:
  arm: {type: rigid, shape: {type: box, size: [0.4, 0.1, 0.05]}, position: [0.2, 0, 0]}
  lamp: {type: rigid, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0.4, 0, -0.1]}
  hook: {type: rigid, shape: {type: box, size: [0.1, 0.05, 0.2]}, position: [0.4, 0.05, -0.3]}
joints:
  - {name: hinge, type: revolute, between: [world, arm], position: [0, 0, 0], axis: [0.1, 1, 0],
     limits: {lower: -0.1, upper: 0.1, restitution: 0.5}, spring: {stiffness: 2, rest: 0.1}, drag: 0.01,
     motor: {type: torque, signal: {type: half-sine, amplitude: 5, begin: 0.05, duration: 0.2}}}
  - {name: slide, type: prismatic, between: [arm, lamp], position: [0.4, 0, -0.05], axis: [0, 0.1, 1],
     spring: {stiffness: 100}}
  - {name: cross, type: universal, between: [lamp, hook], position: [0.4, 0.05, -0.2], axis: [1, 0, 0], second_axis: [0, 1, 0]}
)";

}  // namespace

const std::vector<KeyScene>& key_scenes() {
  static const std::vector<std::string> explicit_contact{
      "{type: cd-lagrange}",   "{type: multisymplectic}", "{type: multisymplectic-prolonged}",
      "{type: dcr}",           "{type: reflection}",      "{type: discrete-gradient}",
      "{type: capture-return}"};
  static const std::vector<std::string> surface_contact{"{type: cd-lagrange}", "{type: dcr}", "{type: reflection}",
                                                        "{type: discrete-gradient}", "{type: capture-return}"};
  static const std::vector<std::string> moreau{"{type: moreau-variational}", "{type: moreau}"};
  static const std::vector<std::string> skins{"{type: capture-return}", "{type: moreau-variational}"};
  const auto with = [](std::vector<std::string> list, std::string one) {
    list.push_back(std::move(one));
    return list;
  };
  static const std::vector<KeyScene> scenes{
      {"two_bars", with(explicit_contact, "{type: moreau-jean}"), of_material(two_bars, "linear")},
      {"two_nonlinear_bars", explicit_contact, of_material(two_bars, "st-venant-kirchhoff")},
      {"bar_and_wall", with(explicit_contact, "{type: moreau-jean}"), of_material(bar_and_wall, "linear")},
      {"pulled_bar", {"{type: central-difference}", "{type: newmark}", "{type: cd-lagrange}"}, pulled_bar},
      {"shaken_bar", {"{type: central-difference}", "{type: newmark}", "{type: cd-lagrange}"}, shaken_bar},
      {"tied_bars", {coupled_left}, tied_bars},
      {"beam_and_floor",
       {"{type: multisymplectic-beam}", "{type: multisymplectic-beam, mesh: triangle}"},
       beam_and_floor},
      {"loaded_beam", {"{type: multisymplectic-beam}"}, loaded_beam},
      {"pendulum", moreau, pendulum},
      {"particle", moreau, particle},
      {"slider", moreau, slider},
      {"woodpecker", moreau, woodpecker},
      {"solid_and_floor", surface_contact, solid_and_floor},
      {"two_solids", surface_contact, two_solids},
      {"held_solid", {"{type: central-difference}", "{type: newmark}", "{type: cd-lagrange}"}, held_solid},
      {"shell_and_floor", surface_contact, shell_and_floor},
      {"two_shells", surface_contact, two_shells},
      {"sphere", moreau, rigid("type: rigid, shape: {type: sphere, radius: 0.1}")},
      {"box", moreau, rigid("type: rigid, shape: {type: box, size: [0.2, 0.3, 0.2]}")},
      {"capsule", moreau,
       rigid("type: rigid, shape: {type: capsule, radius: 0.1, length: 0.2}, rotation: [1.5, 0, 0]")},
      {"convex", moreau,
       rigid("type: rigid, shape: {type: convex, vertices: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0, 0.1, -0.1], [0, "
             "0, 0.2]]}")},
      {"cylinder", moreau,
       rigid("type: rigid, shape: {type: cylinder, radius: 0.1, length: 0.2}, rotation: [1.5, 0, 0]")},
      {"cone", moreau, rigid("type: rigid, shape: {type: cone, radius: 0.1, length: 0.2}, rotation: [0.4, 0, 0]")},
      {"rigid_on_floor_mesh", skins,
       rigid("type: rigid, shape: {type: mesh, vertices: [[-0.1, -0.1, -0.1], [0.1, -0.1, -0.1], [0, 0.1, -0.1], [0, "
             "0, 0.1]], "
             "triangles: [[0, 2, 1], [0, 1, 3], [2, 3, 1], [3, 2, 0]]}")},
      {"rigid_on_floor_compound", skins,
       rigid("type: rigid, shape: {type: compound, parts: [{shape: {type: sphere, radius: 0.1}}, {shape: {type: box, "
             "size: [0.1, 0.1, 0.1]}, position: "
             "[0.1, 0, 0]}]}")},
      {"rigid_on_heights", skins, sphere_on_heights},
      {"stack", moreau, stack},
      {"rigid_on_shell",
       {"{type: capture-return}", "{type: reflection}", "{type: cd-lagrange}", "{type: moreau-variational}"},
       rigid_on_shell},
      {"two_frames", {"{type: cd-lagrange}"}, two_frames},
      {"mechanism", {"{type: capture-return}"}, mechanism},
  };
  return scenes;
}

}  // namespace ictus::testing
