#include <ictus/solve/cone/island_solver.hpp>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numeric>

namespace ictus::solve {

namespace {

/// Islands of fewer contacts are solved in batches of at least so many: enough to fill the lanes of sweeps, and more
/// than those for which ConeSolver factorises where sweeps stall.
constexpr int small_island = 64;
constexpr std::size_t batch = 640;

/// An island whose |q| is a smaller share of what falls to it by its contacts need not be solved better than that.
constexpr double hardly_pushed = 1e-3;

bool moves(const RigidInertia& m) { return m.inverse_mass > 0.0 || m.diagonal.x + m.diagonal.y + m.diagonal.z > 0.0; }

/// The worse of two ends: what comes later in this list.
ConeStatus worse(ConeStatus a, ConeStatus b) {
  constexpr std::array order = {ConeStatus::solved, ConeStatus::stalled, ConeStatus::iteration_limit,
                                ConeStatus::unsuitable, ConeStatus::not_finite};
  const auto rank = [&](ConeStatus s) { return std::find(order.begin(), order.end(), s); };
  return rank(a) < rank(b) ? b : a;
}

/// The root of the tree of i; halves the way there for those that come after.
int root_of(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// Three numbers of each contact of a part from those of the whole, and back.
void gather(std::span<const int> contacts, std::span<const double> whole, std::vector<double>& part) {
  part.resize(whole.empty() ? 0 : 3 * contacts.size());
  for (std::size_t k = 0; k < part.size() / 3; ++k) store(load(whole, static_cast<std::size_t>(contacts[k])), k, part);
}
void scatter(std::span<const int> contacts, std::span<const double> part, std::span<double> whole) {
  for (std::size_t k = 0; k < part.size() / 3; ++k) store(load(part, k), static_cast<std::size_t>(contacts[k]), whole);
}

}  // namespace

IslandSolver::IslandSolver(const ConeOptions& options, exec::Executor executor)
    : options_(options), executor_(executor) {
  options_.validate();
}

/// Contacts of each island, in their order; islands in the order of their first contacts.
void IslandSolver::find_islands(std::span<const RigidInertia> inertias, std::span<const RigidContact> contacts) {
  parent_.resize(inertias.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  const auto mover = [&](int body) {
    const bool known = body >= 0 && static_cast<std::size_t>(body) < inertias.size();
    return known && moves(inertias[body]) ? body : -1;
  };
  for (const RigidContact& c : contacts) {
    const int a = mover(c.body_a), b = mover(c.body_b);
    if (a < 0 || b < 0) continue;
    const int root_a = root_of(parent_, a), root_b = root_of(parent_, b);
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
  }
  island_.assign(inertias.size(), -1);
  island_of_.resize(contacts.size());
  island_begin_.assign(1, 0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const int body = std::max(mover(contacts[i].body_a), mover(contacts[i].body_b));
    // Between two that cannot move: RigidContacts has the words for it.
    int number = 0;
    if (body >= 0) {
      int& island = island_[root_of(parent_, body)];
      if (island < 0) {
        island = static_cast<int>(island_begin_.size()) - 1;
        island_begin_.push_back(0);
      }
      number = island;
    } else if (island_begin_.size() == 1) {
      island_begin_.push_back(0);
    }
    island_of_[i] = number;
    ++island_begin_[number + 1];
  }
  std::partial_sum(island_begin_.begin(), island_begin_.end(), island_begin_.begin());
  by_island_.resize(contacts.size());
  for (std::size_t i = contacts.size(); i-- > 0;) {
    by_island_[--island_begin_[island_of_[i] + 1]] = static_cast<int>(i);
  }
  // Filling from the back has moved each end to its beginning.
  std::rotate(island_begin_.begin(), island_begin_.begin() + 1, island_begin_.end());
  island_begin_.back() = static_cast<int>(contacts.size());
}

IslandSolver::Part& IslandSolver::add_part() {
  if (parts_ == pool_.size()) pool_.push_back(std::make_unique<Part>(options_, executor_));
  Part& part = *pool_[parts_++];
  part.contacts.clear();
  return part;
}

/// Small islands go into a batch until it is full, each larger one into a part of its own.
void IslandSolver::cut_into_parts() {
  parts_ = 0;
  Part* open = nullptr;
  for (std::size_t island = 0; island + 1 < island_begin_.size(); ++island) {
    const std::span<const int> own =
        std::span<const int>(by_island_)
            .subspan(island_begin_[island], island_begin_[island + 1] - island_begin_[island]);
    const bool small = own.size() < small_island;
    if (small && open == nullptr) open = &add_part();
    Part& part = small ? *open : add_part();
    part.contacts.insert(part.contacts.end(), own.begin(), own.end());
    if (small && open->contacts.size() >= batch) open = nullptr;
  }
}

/// The problem of a part, with its bodies in the order in which its contacts name them.
void IslandSolver::set_up(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
                          std::span<const RigidContact> contacts, std::span<const double> reactions,
                          std::span<const double> moments, Part& part) {
  part.bodies.clear();
  part.inertias.clear();
  part.velocities.clear();
  part.own.clear();
  const auto take = [&](int body) {
    if (body < 0 || static_cast<std::size_t>(body) >= inertias.size()) return body;
    int& place = place_in_part_[body];
    // The same held body may be in many parts: it is in this one only where this one says so.
    if (place < 0 || static_cast<std::size_t>(place) >= part.bodies.size() || part.bodies[place] != body) {
      place = static_cast<int>(part.bodies.size());
      part.bodies.push_back(body);
      part.inertias.push_back(inertias[body]);
      part.velocities.push_back(velocities[body]);
    }
    return place;
  };
  for (const int i : part.contacts) {
    RigidContact contact = contacts[i];
    contact.body_a = take(contact.body_a);
    contact.body_b = take(contact.body_b);
    part.own.push_back(contact);
  }
  gather(part.contacts, reactions, part.reactions);
  gather(part.contacts, moments, part.moments);
  part.problem.assign(part.inertias, part.velocities, part.own);
}

ConeReport IslandSolver::together() const {
  ConeReport all{.status = ConeStatus::solved};
  double defect_sq = 0;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < parts_; ++k) {
    const Part& part = *pool_[k];
    const double norm = part.problem.free_norm() > 0.0 ? part.problem.free_norm() : 1.0;
    defect_sq += part.report.error * part.report.error * norm * norm;
    all.status = worse(all.status, part.report.status);
    all.iterations = std::max(all.iterations, part.report.iterations);
    all.rejections += part.report.rejections;
    all.handovers += part.report.handovers;
    if (part.contacts.size() > largest) {
      largest = part.contacts.size();
      all.method = part.report.method;
    }
  }
  all.error = std::sqrt(defect_sq) / (free_norm_ > 0.0 ? free_norm_ : 1.0);
  if (all.error <= options_.tolerance) all.status = ConeStatus::solved;
  return all;
}

ConeReport IslandSolver::solve(std::span<const RigidInertia> inertias, std::span<const RigidVelocity> velocities,
                               std::span<const RigidContact> contacts, std::span<double> reactions,
                               std::span<double> moments) {
  assert(inertias.size() == velocities.size() && reactions.size() == 3 * contacts.size());
  find_islands(inertias, contacts);
  cut_into_parts();
  place_in_part_.assign(inertias.size(), -1);
  double norm_sq = 0;
  for (std::size_t k = 0; k < parts_; ++k) {
    set_up(inertias, velocities, contacts, reactions, moments, *pool_[k]);
    norm_sq += pool_[k]->problem.free_norm() * pool_[k]->problem.free_norm();
  }
  free_norm_ = std::sqrt(norm_sq);
  for (std::size_t k = 0; k < parts_; ++k) {
    Part& part = *pool_[k];
    const double share = static_cast<double>(part.contacts.size()) / static_cast<double>(contacts.size());
    part.problem.raise_free_norm(hardly_pushed * free_norm_ * std::sqrt(share));
  }
  const auto solve_part = [&](Part& part) {
    part.report = part.solver.solve(part.problem, part.reactions, part.velocities, part.moments);
  };
  const auto is_large = [](const Part& part) { return part.contacts.size() > SweepPlanner::single_chunk; };
  for (std::size_t k = 0; k < parts_; ++k) {
    if (is_large(*pool_[k])) solve_part(*pool_[k]);
  }
  executor_.for_items(parts_, [&](std::size_t k) {
    if (!is_large(*pool_[k])) solve_part(*pool_[k]);
  });
  for (std::size_t k = 0; k < parts_; ++k) {
    scatter(pool_[k]->contacts, pool_[k]->reactions, reactions);
    scatter(pool_[k]->contacts, pool_[k]->moments, moments);
  }
  return together();
}

}  // namespace ictus::solve
