#pragma once

#include <ictus/solve/cone/cone_solver.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::solve {

/// Solves the contacts of rigid bodies island by island: bodies that contacts join, directly or through others, make an
/// island, and what is held joins nobody. Each has an error and a progress of its own, so that a tower at rest is done
/// after a few sweeps while another still falls. Islands of few contacts are solved in batches, where their contacts
/// fill the lanes of sweeps; threads share islands and batches, and only the contacts within a large one. Keeps its
/// memory; the answer has the same bits on any number of threads.
class IslandSolver {
 public:
  /// Throws base::InputError for options out of range.
  explicit IslandSolver(const ConeOptions& options, exec::Executor executor = exec::Executor());

  /// `reactions`, three for each contact, and `moments` likewise, or nothing where no contact bears any: on entry a
  /// guess, on exit the answer. The error of the report is that of the whole problem [eq. contact-solvers-6], its
  /// iterations are those of the island that took most.
  /// Throws base::InputError as RigidContacts::assign does.
  ConeReport solve(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
                   std::span<const RigidContact> contacts, std::span<double> reactions, std::span<double> moments);

  /// Problems that the last call was cut into.
  std::size_t parts() const { return parts_; }

 private:
  /// One island, or a batch of small ones, as a problem of its own.
  struct Part {
    Part(const ConeOptions& options, const exec::Executor& executor) : solver(options, executor) {}

    std::vector<int> contacts;  // of the whole problem
    std::vector<int> bodies;    // likewise
    std::vector<RigidInertia> inertias;
    std::vector<RigidVelocity> velocities;
    std::vector<RigidContact> own;
    std::vector<double> reactions, moments;
    RigidContacts problem;
    ConeSolver solver;
    ConeReport report;
  };

  void find_islands(std::span<const RigidInertia> inertias, std::span<const RigidContact> contacts);
  void cut_into_parts();
  Part& add_part();
  void set_up(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
              std::span<const RigidContact> contacts, std::span<const double> reactions,
              std::span<const double> moments, Part& part);
  ConeReport together() const;

  ConeOptions options_;
  exec::Executor executor_;
  std::vector<std::unique_ptr<Part>> pool_;
  std::size_t parts_ = 0;
  double free_norm_ = 0;            // |q| of the whole problem
  std::vector<int> parent_;         // bodies: the root of a tree is its island
  std::vector<int> island_;         // bodies: the number of the island of which it is the root, or −1
  std::vector<int> island_begin_;   // islands: into by_island_, and the end of the last
  std::vector<int> by_island_;      // contacts, island by island
  std::vector<int> island_of_;      // contacts
  std::vector<int> place_in_part_;  // bodies
};

}  // namespace ictus::solve
