#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

constexpr Dimension frequency{0, 0, -1, 0};

Object<HarmonicSpec> harmonic(const Dimension& dimension) {
  Object<HarmonicSpec> object("harmonic", "One sine.");
  object.required("amplitude", &HarmonicSpec::amplitude, quantity(dimension), "Amplitude.")
      .required("frequency", &HarmonicSpec::frequency, quantity(frequency).positive(), "Oscillations per time.")
      .field("phase", &HarmonicSpec::phase, quantity(dimension::angle), "Phase at time 0.");
  return object;
}

}  // namespace

Typed<Signal> describe_signal(const Dimension& dimension) {
  Object<HarmonicsSpec> harmonics("harmonics",
                                  "A sum of sines, (1 − exp(−t/ramp)) Σ amplitude sin(2π frequency t + phase).");
  harmonics.required("terms", &HarmonicsSpec::terms, list(Typed<HarmonicSpec>(harmonic(dimension))), "The sines.")
      .field("ramp", &HarmonicsSpec::ramp, quantity(dimension::time).at_least(0),
             "Time in which it grows to its amplitude; 0: at once.");
  Object<HalfSineSpec> half_sine("half-sine", "Half a sine: a smooth blow.");
  half_sine.required("amplitude", &HalfSineSpec::amplitude, quantity(dimension), "Largest value.")
      .field("begin", &HalfSineSpec::begin, quantity(dimension::time).at_least(0), "When it begins.")
      .required("duration", &HalfSineSpec::duration, quantity(dimension::time).positive(), "How long it lasts.");
  Object<RampSpec> ramp("ramp", "Grows evenly to a value and stays there.");
  ramp.required("amplitude", &RampSpec::amplitude, quantity(dimension), "The value.")
      .field("begin", &RampSpec::begin, quantity(dimension::time).at_least(0), "When it begins.")
      .field("rise", &RampSpec::rise, quantity(dimension::time).at_least(0), "How long it grows; 0: a step.");
  Object<TableSpec> table("table", "Straight lines between points.");
  table.required("times", &TableSpec::times, list(Typed<double>(quantity(dimension::time))), "Times, growing.")
      .required("values", &TableSpec::values, list(Typed<double>(quantity(dimension))), "A value for each time.")
      .check([](const TableSpec& t, const std::string& path, Reading& reading) {
        if (t.times.size() != t.values.size()) reading.mistake(path, "must have as many values as times");
        if (t.times.size() < 2) reading.mistake(path, "must have two points or more");
        for (std::size_t i = 1; i < t.times.size(); ++i) {
          if (t.times[i] > t.times[i - 1]) continue;
          return reading.mistake(path + ".times", "must grow from each to the next");
        }
      });
  Object<FileSpec> file("file",
                        "A measured signal from a CSV file of two columns, time and value, with their units in the "
                        "header: `time (s), acceleration (m/s^2)`. Accelerations may be in `g`, 9.80665 m/s^2.");
  file.required("file", &FileSpec::file, text("the name of a file"), "The file, relative to the scene's folder.")
      .field("scale", &FileSpec::scale, number(), "Factor for the values.");
  Object<ControlSpec> control("control",
                              "A value that a program sets while the run goes on. The program `ictus` leaves it as it "
                              "begins.");
  control.required("name", &ControlSpec::name, text("a name"), "By which the program sets it.")
      .field("initial", &ControlSpec::initial, quantity(dimension), "Value at the start.");
  return variant(harmonics, half_sine, ramp, table, file, control);
}

Typed<Load> describe_loads() {
  const Typed<std::vector<std::string>> bodies = list(text("the name of a body"));
  Object<BaseAccelerationSpec> base("base-acceleration",
                                    "What bodies feel of a base that accelerates: −mass × signal on every mass. The "
                                    "motion is that relative to the base.");
  base.required("bodies", &BaseAccelerationSpec::on, bodies, "The bodies that feel it.")
      .field("direction", &BaseAccelerationSpec::direction, direction(), "Of the acceleration.")
      .required("signal", &BaseAccelerationSpec::signal, describe_signal(dimension::acceleration), "Its course.");
  Object<BodyForceSpec> body("body-force", "A force of mass × signal on every mass.");
  body.required("bodies", &BodyForceSpec::on, bodies, "The bodies that feel it.")
      .field("direction", &BodyForceSpec::direction, direction(), "Of the force.")
      .required("signal", &BodyForceSpec::signal, describe_signal(dimension::acceleration), "Its course.");
  Object<ForceSpec> point(
      "force",
      "A force on a rigid body, a section of a beam, a point of a shell, a node, or shared evenly by "
      "the nodes of a set. On a group of rigid bodies it acts on each.");
  point.required("body", &ForceSpec::on, text("the name of a body"), "The body.")
      .field("node", &ForceSpec::node, text("the name of a node or set, `start` or `end`"),
             "A named node of a frame, a set of the mesh of a solid, or an end of a bar or beam. Absent: the position "
             "says.")
      .field("position", &ForceSpec::position, vector(quantity(dimension::length)),
             "Where it acts at the start: a point of a rigid body, or the nearest section of a beam, point of a shell "
             "or node of a solid. Absent: the centre of mass, or the node.")
      .field("direction", &ForceSpec::direction, direction(), "Of the force.")
      .field("follows", &ForceSpec::follows, boolean(), "Whether it turns with the rigid body or section.")
      .required("signal", &ForceSpec::signal, describe_signal(dimension::force), "Its course.");
  Object<MomentSpec> moment("moment",
                            "A moment on a rigid body, an end of a beam or a node of a frame. On a group it acts "
                            "on each.");
  moment.required("body", &MomentSpec::on, text("the name of a body"), "The body.")
      .field("node", &MomentSpec::node, text("the name of a node, `start` or `end`"),
             "The end of a beam, or a named node of a frame. Absent: only for rigid bodies.")
      .field("direction", &MomentSpec::direction, direction(), "Of its axis.")
      .field("follows", &MomentSpec::follows, boolean(), "Whether it turns with the body.")
      .required("signal", &MomentSpec::signal, describe_signal(dimension::moment), "Its course.");
  Object<TractionSpec> traction(
      "traction",
      "A force per area at the start, on outer faces of a solid, those whose nodes all belong "
      "to a set, or on all of a shell; it keeps its direction while the body turns.");
  traction.required("body", &TractionSpec::on, text("the name of a body"), "The solid or shell.")
      .field("set", &TractionSpec::set, text("the name of a set of the mesh"), "Of a solid. Absent: for shells.")
      .field("direction", &TractionSpec::direction, direction(), "Of the force.")
      .required("signal", &TractionSpec::signal, describe_signal(dimension::stress), "Its course.");
  Object<PressureLoadSpec> pressure(
      "pressure",
      "A pressure on outer faces of a solid, those whose nodes all belong to a set, or on "
      "all of a shell, against the side to which its triangles turn by the right hand; "
      "it keeps its direction while the body turns.");
  pressure.required("body", &PressureLoadSpec::on, text("the name of a body"), "The solid or shell.")
      .field("set", &PressureLoadSpec::set, text("the name of a set of the mesh"), "Of a solid. Absent: for shells.")
      .required("signal", &PressureLoadSpec::signal, describe_signal(dimension::stress),
                "Its course; pushes inwards where positive.");
  Object<SupportMotionSpec> motion(
      "support-motion",
      "What is held and moves: nodes, ends of beams, rigid bodies and planes follow the signal from where they start. "
      "What the supports give is booked as external work.");
  motion.required("body", &SupportMotionSpec::on, text("the name of a body"), "The body.")
      .field("at", &SupportMotionSpec::at, list(text("the name of a node or set, `start` or `end`")),
             "Held nodes of a frame, sets of the mesh of a solid, or ends of a bar or beam; without it, all that is "
             "held.")
      .field("direction", &SupportMotionSpec::direction, direction(), "Of the motion.")
      .required("signal", &SupportMotionSpec::signal, describe_signal(dimension::length), "The displacement.");
  Object<SupportRotationSpec> rotation(
      "support-rotation",
      "What is held and turns: ends of beams, rigid bodies and planes follow the signal about an axis that stands in "
      "space. Several rotations of one body are made in their order, and its support-motions after them take the axes "
      "along. What the supports give is booked as external work.");
  rotation.required("body", &SupportRotationSpec::on, text("the name of a body"), "The body.")
      .field("at", &SupportRotationSpec::at, list(text("`start` or `end`")),
             "Held ends of a beam; without it, all that is held.")
      .field("position", &SupportRotationSpec::position, vector(quantity(dimension::length)),
             "A point of the axis. Absent: the centre of mass of a rigid body, the point of a plane, the end of a "
             "beam.")
      .field("axis", &SupportRotationSpec::axis, direction(), "About which it turns, by the right hand.")
      .required("signal", &SupportRotationSpec::signal, describe_signal(dimension::angle), "The angle.");
  Object<OwnForceSpec> own("own-force",
                           "A force that a program brings: any function of time, configuration and velocity. The "
                           "program `ictus` has none.");
  own.required("name", &OwnForceSpec::name, text("a name"), "By which the program knows it.")
      .field("body", &OwnForceSpec::on, text("the name of a body"), "The body on which it acts. Absent: all bodies.");
  return variant(base, body, point, moment, pressure, traction, motion, rotation, own);
}

}  // namespace ictus::scene
