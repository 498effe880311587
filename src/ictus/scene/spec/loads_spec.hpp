#pragma once

#include <ictus/scene/spec/values.hpp>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ictus::scene {

struct HarmonicSpec {
  double amplitude = 0;
  double frequency = 0;  ///< Hz, > 0
  double phase = 0;      ///< rad
  bool operator==(const HarmonicSpec&) const = default;
};

struct HarmonicsSpec {
  std::vector<HarmonicSpec> terms;
  double ramp = 0;  ///< s, ≥ 0
  bool operator==(const HarmonicsSpec&) const = default;
};

struct HalfSineSpec {
  double amplitude = 0;
  double begin = 0;     ///< s
  double duration = 0;  ///< s, > 0
  bool operator==(const HalfSineSpec&) const = default;
};

struct RampSpec {
  double amplitude = 0;
  double begin = 0;  ///< s
  double rise = 0;   ///< s, ≥ 0
  bool operator==(const RampSpec&) const = default;
};

struct TableSpec {
  std::vector<double> times;   ///< s, growing
  std::vector<double> values;  ///< as many
  bool operator==(const TableSpec&) const = default;
};

struct FileSpec {
  std::string file;  ///< CSV; relative to the scene file
  double scale = 1;
  bool operator==(const FileSpec&) const = default;
};

struct ControlSpec {
  std::string name;    ///< by which a program sets it
  double initial = 0;  ///< until then
  bool operator==(const ControlSpec&) const = default;
};

using Signal = std::variant<HarmonicsSpec, HalfSineSpec, RampSpec, TableSpec, FileSpec, ControlSpec>;

struct BaseAccelerationSpec {
  std::vector<std::string> on;  ///< bodies
  Vec3 direction{0, 0, 1};
  Signal signal;  ///< m/s²
  bool operator==(const BaseAccelerationSpec&) const = default;
};

struct BodyForceSpec {
  std::vector<std::string> on;  ///< bodies
  Vec3 direction{0, 0, 1};
  Signal signal;  ///< m/s²
  bool operator==(const BodyForceSpec&) const = default;
};

struct ForceSpec {
  std::string on;                   ///< a body
  std::optional<std::string> node;  ///< of it, or a set of a solid
  std::optional<Vec3> position;     ///< of the point on which it acts, at the start (m)
  Vec3 direction{0, 0, 1};
  bool follows = false;  ///< turns with the body
  Signal signal;         ///< N
  bool operator==(const ForceSpec&) const = default;
};

struct MomentSpec {
  std::string on;                   ///< a rigid body or a beam
  std::optional<std::string> node;  ///< an end of a beam
  Vec3 direction{0, 0, 1};
  bool follows = false;  ///< turns with the body
  Signal signal;         ///< N m
  bool operator==(const MomentSpec&) const = default;
};

struct TractionSpec {
  std::string on;                  ///< a solid or a shell
  std::optional<std::string> set;  ///< of the mesh of the solid
  Vec3 direction{0, 0, 1};
  Signal signal;  ///< Pa
  bool operator==(const TractionSpec&) const = default;
};

struct PressureLoadSpec {
  std::string on;                  ///< a solid or a shell
  std::optional<std::string> set;  ///< of the mesh of the solid
  Signal signal;                   ///< Pa
  bool operator==(const PressureLoadSpec&) const = default;
};

struct SupportMotionSpec {
  std::string on;               ///< a body that is held, or a plane
  std::vector<std::string> at;  ///< nodes of a frame, sets of a solid, ends of a bar; none: all of its supports
  Vec3 direction{0, 0, 1};
  Signal signal;  ///< m
  bool operator==(const SupportMotionSpec&) const = default;
};

struct SupportRotationSpec {
  std::string on;                ///< a rigid body or section of a beam that is held, or a plane
  std::vector<std::string> at;   ///< ends of a beam; none: all of its supports
  std::optional<Vec3> position;  ///< a point of the axis (m); none: where each of them begins
  Vec3 axis{0, 0, 1};
  Signal signal;  ///< rad
  bool operator==(const SupportRotationSpec&) const = default;
};

struct OwnForceSpec {
  std::string name;               ///< of a force that a program brings
  std::optional<std::string> on;  ///< a body; none: all of them
  bool operator==(const OwnForceSpec&) const = default;
};

using Load = std::variant<BaseAccelerationSpec, BodyForceSpec, ForceSpec, MomentSpec, PressureLoadSpec, TractionSpec,
                          SupportMotionSpec, SupportRotationSpec, OwnForceSpec>;

/// The signal of a load, or nullptr where it has none.
inline Signal* signal_of(Load& load) {
  return std::visit(
      []<class Spec>(Spec& spec) -> Signal* {
        if constexpr (requires { spec.signal; }) return &spec.signal;
        return nullptr;
      },
      load);
}

}  // namespace ictus::scene
