#include <ictus/files/column_units.hpp>

#include <fmt/format.h>

#include <ictus/files/csv_table.hpp>
#include <stdexcept>

namespace ictus::files {

namespace {

constexpr ColumnDescription in_history[] = {
    {"time", "s", "time; the arc length of the section in runs along a beam"},
    {"energy.kinetic", "J", "kinetic energy"},
    {"energy.strain", "J", "strain energy"},
    {"energy.potential", "J", "potential energy of gravity"},
    {"energy.stored.*", "J", "energy kept by a scheme: bank, layer"},
    {"energy.external_work", "J", "work of loads and moving supports since the start"},
    {"energy.loss.*", "J", "lost since the start to the cause that is named; negative: given"},
    {"energy.total", "J", "all that is stored"},
    {"energy.error", "J", "what the scheme made (positive) or lost of itself"},
    {"energy.residual", "J", "what the ledger leaves unexplained"},
    {"angular_momentum.drift", "1", "departure from what impulses explain, over the largest met"},
    {"momentum.drift", "1", "departure from what impulses explain, over the largest met"},
    {"angular_momentum.*", "kg m^2/s", "angular momentum about the origin"},
    {"momentum.*", "kg m/s", "linear momentum"},
    {"heap.coordination", "1", "how many others push a rigid body, on average over those that are pushed"},
    {"heap.force_10", "N", "normal force up to which a tenth of the touching pairs go"},
    {"heap.force_50", "N", "median of the normal forces"},
    {"heap.force_90", "N", "normal force above which a tenth of the pairs are"},
    {"heap.force_max", "N", "largest normal force"},
    {"heap.solver_error", "1", "error of the impulses, over the velocities without them"},
    {"contact.*.gap", "m",
     "smallest gap of a contact of the scene, numbered as there; the limits of joints are numbered after them, and "
     "their gaps are rad or m"},
    {"contact.*.force", "N", "its normal force, the mean since the row before"},
    {"joint.*.force.*", "N", "force of a joint on its second body, the mean since the row before"},
    {"joint.*.moment.*", "N m", "moment of a joint on its second body about the joint, likewise"},
    {"joint.*.gap", "m", "largest distance since the row before by which a joint was not closed"},
    {"joint.*.angle", "rad", "angle of the second body against the first since the start"},
    {"joint.*.displacement", "m",
     "of the second body along the axis since the start; the distance of a distance joint"},
    {"support.*.force.*", "N", "force of the supports on a body, the mean since the row before"},
    {"support.*.moment.*", "N m", "its moment about the origin, likewise"},
    {"body.*.energy.kinetic", "J", "of one body, at the instant of the row"},
    {"body.*.energy.strain", "J", "of one body"},
    {"body.*.energy.potential", "J", "of one body"},
    {"exact.contact.*.force", "N", "the same of the exact solution"},
    {"exact.probe.*.displacement", "m", "of the exact solution"},
    {"exact.probe.*.velocity", "m/s", "of the exact solution"},
    {"exact.probe.*.force", "N", "of the exact solution"},
    {"probe.*.angular_velocity.*", "rad/s", "angular velocity, in the axes of the section"},
    {"probe.*.velocity.*", "m/s", "velocity"},
    {"probe.*.velocity_*", "m/s", "velocity"},
    {"probe.*.velocity", "m/s", "velocity along the bar, or across the grillage"},
    {"probe.*.acceleration.*", "m/s^2", "mean acceleration since the row before"},
    {"probe.*.acceleration_*", "m/s^2", "mean acceleration since the row before"},
    {"probe.*.acceleration", "m/s^2", "mean acceleration since the row before, along the bar or across the grillage"},
    {"probe.*.displacement_*", "m", "displacement from the start"},
    {"probe.*.displacement", "m", "displacement from the start, along the bar or across the grillage"},
    {"probe.*.quaternion.*", "1", "orientation"},
    {"probe.*.rotation_*", "rad", "rotation of a node"},
    {"probe.*.slope_*", "rad", "slope of a grillage"},
    {"probe.*.spin_*", "rad/s", "angular velocity, in the principal axes of the body"},
    {"probe.*.force.*", "N", "force in a section"},
    {"probe.*.force", "N", "axial force, positive in tension"},
    {"probe.*.moment.*", "N m", "moment in a section"},
    {"probe.*.axial_force", "N", "in a section of a frame, positive in tension"},
    {"probe.*.shear_force", "N", "in a section of a grillage: of the part towards the end on the rest, upwards"},
    {"probe.*.shear_*", "N", "in a section of a frame, along its y or z: of the part towards the end on the rest"},
    {"probe.*.bending_moment", "N m", "in a section of a grillage, positive where it sags"},
    {"probe.*.moment_*", "N m",
     "in a section of a frame: E I times the curvature, for inertia_y or inertia_z; moment_y is positive where it "
     "sags"},
    {"probe.*.torque", "N m", "in a section of a frame, about its x"},
    {"probe.*.mean_z", "m", "mean height of all bodies of a group"},
    {"probe.*.length_rate", "m/s", "rate of the length of a pendulum"},
    {"probe.*.length", "m", "length of a pendulum"},
    {"probe.*.sleeve_angular_velocity", "rad/s", "of the sleeve of a woodpecker"},
    {"probe.*.bird_angular_velocity", "rad/s", "of the bird"},
    {"probe.*.angular_velocity", "rad/s", "angular velocity of a pendulum"},
    {"probe.*.sleeve_angle", "rad", "of the sleeve of a woodpecker"},
    {"probe.*.bird_angle", "rad", "of the bird"},
    {"probe.*.angle_rate", "rad/s", "angular velocity of a pendulum"},
    {"probe.*.angle", "rad", "angle of a pendulum"},
    {"probe.*.height_rate", "m/s", "of a woodpecker, or of a slider off its slope"},
    {"probe.*.height", "m", "of a woodpecker, or of a slider off its slope"},
    {"probe.*.distance_rate", "m/s", "of a slider down its slope"},
    {"probe.*.distance", "m", "of a slider down its slope"},
    {"probe.*.across_rate", "m/s", "of a slider across its slope"},
    {"probe.*.across", "m", "of a slider across its slope"},
    {"probe.*.x", "m", "position"},
    {"probe.*.y", "m", "position"},
    {"probe.*.z", "m", "position"},
    {"probe.*.own.*", "", "of a system that a program brought, in its own unit"},
};

constexpr ColumnDescription in_contacts[] = {
    {"time", "s", "when the impulse acted; of rows that were merged, when the last did"},
    {"first", "text", "body that received the opposite impulse"},
    {"second", "text", "body that received the impulse"},
    {"x", "m", "where it acted"},
    {"y", "m", "where it acted"},
    {"z", "m", "where it acted"},
    {"nx", "1", "direction of the normal, from the first body to the second"},
    {"ny", "1", "direction of the normal, from the first body to the second"},
    {"nz", "1", "direction of the normal, from the first body to the second"},
    {"normal_impulse", "N s", "impulse along the normal"},
    {"tangential_impulse", "N s", "size of the impulse of friction"},
    {"energy_lost", "J", "energy that the impulse took"},
    {"kinetic_norm", "J", "with dcr: kinetic energy of the normal motion, empty with others"},
    {"kinetic_slide", "J", "with dcr: of the sliding motion"},
    {"kinetic_fix", "J", "with dcr: of the motion that contact does not change"},
    {"kinetic_rigid", "J", "with dcr: of the rigid motion"},
    {"kinetic_shape", "J", "with dcr: of the change of shape"},
};

constexpr ColumnDescription in_summary[] = {
    {"time.end", "s", "time that the run reached"},
    {"time.step", "s", "step"},
    {"time.steps", "1", "steps that were made"},
    {"time.wall_seconds", "s", "wall time of the run"},
    {"energy.error", "1", "largest |error| of history.csv over energy.scale"},
    {"energy.losses.*", "J", "lost since the start to the cause that is named"},
    {"energy.residual_max", "1", "largest |residual| of history.csv over energy.scale"},
    {"energy.initial", "J", "energy at the start"},
    {"energy.final", "J", "energy at the end"},
    {"energy.external_work", "J", "work of loads and moving supports"},
    {"energy.change_max", "1", "largest change of the energy over energy.scale"},
    {"energy.scale", "J", "energy in motion: the largest kinetic and strain energy with the range of the potential"},
    {"momentum.linear_drift", "1", "largest departure over the largest momentum met"},
    {"momentum.angular_drift", "1", "the same of the angular momentum about the middle of the bodies"},
    {"joints.*.force_max", "N", "largest force of a joint between two rows of the history"},
    {"joints.*.moment_max", "N m", "the same of its moment"},
    {"joints.*.gap_max", "m", "largest distance by which it was not closed"},
    {"joints.*.angle", "rad", "angle at the end"},
    {"joints.*.displacement", "m", "displacement at the end"},
    {"contact.events", "1", "times that a contact closed"},
    {"contact.first_time", "s", "time of the first impulse"},
    {"contact.last_time", "s", "time of the last impulse"},
    {"contact.total_impulse", "N s", "sum of all normal impulses"},
    {"contact.max_penetration", "m", "largest overlap met"},
    {"contact.fallbacks", "1", "solutions accepted unconverged or replaced by simpler ones"},
    {"contact.fallback_error", "1", "largest relative error of these"},
    {"contact.impulses", "1", "impulses that contacts.csv tells of"},
    {"contact.rows", "1", "rows of contacts.csv"},
    {"contact.rows_merged_over", "s", "time over which rows of one place were merged"},
    {"contact.audited_states", "1", "states in which triangles were tested for crossings"},
    {"contact.intersecting_states", "1", "those in which some cross"},
    {"contact.intersecting_pairs_max", "1", "most pairs that cross in one state"},
};

bool matches(std::string_view pattern, std::string_view text) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (!text.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t skip = star + 1; skip <= text.size(); ++skip) {
    if (matches(rest, text.substr(skip))) return true;
  }
  return false;
}

}  // namespace

std::span<const ColumnDescription> described_history() { return in_history; }
std::span<const ColumnDescription> described_contacts() { return in_contacts; }
std::span<const ColumnDescription> described_summary() { return in_summary; }

std::optional<std::string_view> unit_of(std::span<const ColumnDescription> known, std::string_view column,
                                        bool along_beam) {
  if (column.starts_with("cfc")) return unit_of(known, column.substr(column.find('.') + 1), along_beam);
  for (const auto& [name, unit, meaning] : known) {
    if (!matches(name, column)) continue;
    if (along_beam && name == "time") return "m";
    if (along_beam && unit == "J") return "J/m";
    return unit;
  }
  return std::nullopt;
}

nlohmann::ordered_json units_of_header(std::span<const ColumnDescription> known, std::string_view header,
                                       bool along_beam) {
  nlohmann::ordered_json units = nlohmann::ordered_json::object();
  for (const std::string& column : header_cells(header)) {
    const auto unit = unit_of(known, column, along_beam);
    if (!unit) throw std::logic_error(fmt::format("no unit is known of the column {}", column));
    units[column] = *unit;
  }
  return units;
}

}  // namespace ictus::files
