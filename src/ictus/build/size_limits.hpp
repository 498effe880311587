#pragma once

#include <ictus/build/mistakes.hpp>
#include <string>

namespace ictus::build {

/// Memory that this process may take (bytes): that of the machine, or what was set for the process where that is less.
double available_memory();

/// How many parts of one kind a scene asks for, and what one of them takes in a run (bytes, as measured).
struct PartCount {
  std::string key;   ///< of the scene
  std::string what;  ///< "elements"
  double count = 0;
  double bytes_each = 0;
  double dofs_each = 3;
};

/// Refuses more parts than `memory` (bytes) can hold or whole numbers can count. False where it did.
bool check_part_count(const PartCount& parts, double memory, Mistakes& mistakes);

/// The same of all that the scene tells by numbers, body by body and in all, before any of it is made. Meshes and
/// positions from files are checked as they are read.
void check_sizes(const scene::Scene& scene, double memory, Mistakes& mistakes);

constexpr double shell_triangle_bytes = 950;
constexpr double rigid_body_bytes = 3500;

}  // namespace ictus::build
