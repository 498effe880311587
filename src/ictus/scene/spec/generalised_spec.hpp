#pragma once

/// Bodies with generalised coordinates and the integrators for them.

#include <ictus/scene/spec/values.hpp>

#include <optional>

namespace ictus::scene {

struct SpringPendulumSpec {
  double mass = 0;                    ///< kg, > 0
  double stiffness = 0;               ///< N/m, > 0
  double rest_length = 0;             ///< m, > 0
  std::optional<double> length;       ///< m, > 0, at the start; none: rest_length
  double angle = 0;                   ///< rad, at the start
  double length_rate = 0;             ///< m/s
  double angular_velocity = 0;        ///< rad/s
  Vec3 position{0, 0, 0};             ///< m, of the end that does not move
  double drag = 0;                    ///< N s/m, ≥ 0
  double radius = 0;                  ///< m, ≥ 0, of the mass as others meet it
  bool wall = true;                   ///< at angle 0
  double restitution = 1;             ///< in [0, 1]
  double friction = 0;                ///< ≥ 0
  double tangential_restitution = 0;  ///< in [0, 1]
  bool operator==(const SpringPendulumSpec&) const = default;
};

struct PointMassSpec {
  double mass = 0;         ///< kg, > 0
  Vec3 position{0, 0, 0};  ///< m
  Vec3 velocity{0, 0, 0};  ///< m/s
  double drag = 0;         ///< N s/m, ≥ 0
  bool operator==(const PointMassSpec&) const = default;
};

struct SliderSpec {
  double mass = 0;                        ///< kg, > 0
  double slope = 0;                       ///< rad, in (−π/2, π/2)
  Vec3 origin{0, 0, 0};                   ///< m, a point of the incline
  Vec3 position{0, 0, 0};                 ///< m, down, across and off the slope
  Vec3 velocity{0, 0, 0};                 ///< m/s, in the same axes
  std::optional<Vec3> size;               ///< m, > 0, of the block as others meet it; none: a point
  double restitution = 0;                 ///< in [0, 1]
  double friction = 0;                    ///< ≥ 0
  std::optional<double> friction_across;  ///< ≥ 0; none: friction
  double tangential_restitution = 0;      ///< in [0, 1]
  bool operator==(const SliderSpec&) const = default;
};

/// The defaults are the toy of Leine, Glocker and van Campen (2001).
struct WoodpeckerSpec {
  double sleeve_mass = 0.0003;    ///< kg, > 0
  double sleeve_inertia = 5e-9;   ///< kg m², > 0
  double bird_mass = 0.0045;      ///< kg, > 0
  double bird_inertia = 7e-7;     ///< kg m², > 0
  double spring = 0.0056;         ///< N m/rad, ≥ 0
  double pole_radius = 0.0025;    ///< m, > 0
  double sleeve_radius = 0.0031;  ///< m, > pole_radius
  double sleeve_height = 0.0058;  ///< m, > 0
  double sleeve_to_spring = 0.010;
  double spring_to_bird = 0.015;
  double beak_height = 0.020;
  double beak_reach = 0.0201;
  double height = 0;        ///< m, at the start
  double sleeve_angle = 0;  ///< rad
  double bird_angle = 0;    ///< rad
  double height_rate = 0;   ///< m/s
  double sleeve_angular_velocity = 0;
  double bird_angular_velocity = 0;
  Vec3 restitution{0.5, 0, 0};  ///< of the beak and of the lower and upper edge of the sleeve, each in [0, 1]
  double friction = 0.3;        ///< ≥ 0
  double tangential_restitution = 0;
  bool operator==(const WoodpeckerSpec&) const = default;
};

/// A system that a program brings, by the body's name.
struct OwnSystemSpec {
  double restitution = 1;             ///< of its contacts, in [0, 1]
  double friction = 0;                ///< ≥ 0
  double tangential_restitution = 0;  ///< in [0, 1]
  bool operator==(const OwnSystemSpec&) const = default;
};

enum class ImpactLaw { paper, momentum };

enum class ContactMethod { automatic, sorp, anderson, conjugate, apgd, newton, interior_point };

/// How the impulses of many contacts are found.
struct ContactSolverSpec {
  ContactMethod type = ContactMethod::automatic;
  double tolerance = 1e-6;    ///< > 0
  int max_iterations = 2000;  ///< ≥ 1
  bool operator==(const ContactSolverSpec&) const = default;
};

struct MoreauVariationalSpec {
  ImpactLaw impact_law = ImpactLaw::momentum;
  ContactSolverSpec contact_solver;
  bool operator==(const MoreauVariationalSpec&) const = default;
};

struct MoreauSpec {
  ContactSolverSpec contact_solver;
  bool operator==(const MoreauSpec&) const = default;
};

}  // namespace ictus::scene
