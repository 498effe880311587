#pragma once

#include <exception>
#include <ictus/exec/executor.hpp>
#include <ictus/run/simulation.hpp>
#include <memory>
#include <span>
#include <vector>

namespace ictus::run {

/// Many small simulations of equal size, stepped together: one thread works on each of them at a time, so that the
/// bits do not depend on the number of threads. Their arrays lie one after the other, a row for each.
class Batch {
 public:
  /// Builds a simulation of each scene. Throws base::InputError for scenes that differ in the number of dofs.
  /// `own`, where given, has what a program brings to each.
  Batch(std::span<const scene::Document> scenes, int threads, std::span<const build::Own> own = {});

  std::size_t size() const { return members_.size(); }
  std::size_t dofs() const { return dofs_; }
  Simulation& operator[](std::size_t i) { return *members_[i]; }

  /// So many steps of each. A failure of one is thrown when all are done; the others are where they should be.
  void step(std::int64_t count = 1);

  // As those of a Simulation: rows may be written between steps. What nobody asks for costs nothing.
  std::span<double> positions();
  std::span<double> velocities();
  /// Mean normal force (N) of each contact of the scene in the last call of step.
  std::span<const double> contact_forces();
  std::size_t contacts() const { return contacts_; }

  /// Goes on from a state in one member.
  void restore(std::size_t i, const model::State& state);

 private:
  template <class F>
  void for_each(F&& f);
  void scatter(std::size_t i);
  void gather(std::size_t i);

  std::vector<std::unique_ptr<Simulation>> members_;
  std::size_t dofs_ = 0, contacts_ = 0;
  exec::Executor exec_;
  std::vector<std::exception_ptr> failures_;             // of each block of members
  std::vector<double> positions_, velocities_, forces_;  // empty until someone asks for them
};

}  // namespace ictus::run
