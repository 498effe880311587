#include <ictus/dynamics/explicit/implicit_steps.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/error.hpp>

namespace ictus::dynamics {

using mechanics::Momentum;
using mechanics::NodalBody;
using model::RowEntry;

void ImplicitSteps::prepare(const System& system) {
  parts_.clear();
  part_of_dof_.clear();
  factored_for_ = 0;
  open_ = false;
  if (system.implicit_bodies().empty()) return;
  const std::vector<double> q = system.initial_state().q;
  const auto inverse_mass = system.inverse_mass();
  part_of_dof_.assign(system.dofs(), -1);
  const auto bodies = system.nodal_bodies();
  std::vector<mechanics::StiffnessEntry> entries;
  for (std::size_t number = 0; number < bodies.size(); ++number) {
    const NodalBody* body = bodies[number];
    if (!system.is_implicit(*body)) continue;
    Part part{};
    part.body = body;
    part.number = number;
    part.matrix.prepare(system, std::span(&body, 1), q);
    const std::size_t begin = body->dofs().begin, size = body->dofs().size;
    part.columns.resize(size);
    part.slot.assign(size, -1);
    part.impulse.resize(size);
    for (std::size_t k = begin; k < begin + size; ++k) {
      if (inverse_mass[k] > 0) part_of_dof_[k] = static_cast<int>(parts_.size());
    }
    entries.clear();
    body->stiffness(q, entries);
    for (const mechanics::StiffnessEntry& entry : entries) {
      if (inverse_mass[static_cast<std::size_t>(entry.row)] == 0 &&
          inverse_mass[static_cast<std::size_t>(entry.column)] > 0)
        part.to_supports.push_back(entry);
    }
    parts_.push_back(std::move(part));
  }
  for (auto* buffer : {&inverse_mass_, &kicked_, &momenta_}) buffer->resize(system.dofs());
  weight_.resize(parts_.size());
}

void ImplicitSteps::factor(const System& system, double h) {
  if (h == factored_for_) return;
  const std::vector<double> q = system.initial_state().q;
  for (Part& part : parts_) {
    part.matrix.assemble(system, q, {.mass = 1, .stiffness = h * h / 4});
    if (part.matrix.factor())
      throw base::NumericalFailure(
          fmt::format("the matrix of {} for implicit steps is not positive definite", part.body->name()),
          fmt::format("a step of {:g} s", h), "Use a smaller time.step, or leave out implicit");
    for (std::vector<double>& column : part.columns) column.clear();
    part.touched_before.clear();
  }
  factored_for_ = h;
}

void ImplicitSteps::weigh(const System& system, double h, std::span<const double> from, std::span<double> p) {
  factor(system, h);
  const auto inverse_mass = system.inverse_mass();
  for (Part& part : parts_) {
    const std::size_t begin = part.body->dofs().begin;
    for (std::size_t k = 0; k < part.impulse.size(); ++k) part.impulse[k] = p[begin + k] - from[begin + k];
    part.matrix.solve(part.impulse, part.impulse);
    for (std::size_t k = 0; k < part.impulse.size(); ++k) {
      if (inverse_mass[begin + k] > 0) p[begin + k] = from[begin + k] + part.impulse[k] / inverse_mass[begin + k];
    }
  }
}

Momentum ImplicitSteps::support_impulse(const System& system, double h, std::span<const double> q,
                                        std::span<const double> from, std::span<const double> p,
                                        std::span<Momentum> supports) const {
  const auto inverse_mass = system.inverse_mass();
  Momentum sum;
  for (const Part& part : parts_) {
    Momentum given;
    for (const mechanics::StiffnessEntry& entry : part.to_supports) {
      const auto k = static_cast<std::size_t>(entry.column);
      const double faster = inverse_mass[k] * (p[k] - from[k]);
      given += part.body->support_impulse(entry.row, h * h / 4 * entry.value * faster, q);
    }
    sum += given;
    supports[part.number] += given;
  }
  return sum;
}

/// Lists the dofs that constraints touch.
void ImplicitSteps::touch(const model::ConstraintSet& constraints) {
  for (Part& part : parts_) {
    for (const std::size_t k : part.touched) part.slot[k] = -1;
    part.touched.clear();
    part.pushed.clear();
  }
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    for (const RowEntry& entry : constraints.row(i)) {
      if (!moves(entry.index())) continue;
      Part& part = parts_[static_cast<std::size_t>(part_of_dof_[entry.index()])];
      const std::size_t k = entry.index() - part.body->dofs().begin;
      if (part.slot[k] >= 0) continue;
      part.slot[k] = 0;
      part.touched.push_back(k);
    }
  }
  for (Part& part : parts_) {
    std::sort(part.touched.begin(), part.touched.end());
    for (std::size_t a = 0; a < part.touched.size(); ++a) part.slot[part.touched[a]] = static_cast<int>(a);
  }
}

/// The factor of the part of M̃⁻¹ of the touched dofs. An entry is always that of the same column, whichever was needed
/// first.
void ImplicitSteps::find_root(Part& part) {
  if (part.touched == part.touched_before) return;
  const auto size = static_cast<Eigen::Index>(part.touched.size());
  part.root.resize(size, size);
  for (Eigen::Index column = 0; column < size; ++column) {
    const std::size_t k = part.touched[static_cast<std::size_t>(column)];
    std::vector<double>& entries = part.columns[k];
    if (entries.empty()) {
      entries.assign(part.columns.size(), 0.0);
      entries[k] = 1;
      part.matrix.solve(entries, entries);
    }
    for (Eigen::Index row = column; row < size; ++row)
      part.root(row, column) = entries[part.touched[static_cast<std::size_t>(row)]];
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(part.root);
  if (factor.info() != Eigen::Success)
    throw base::NumericalFailure(
        fmt::format("what contact feels of {}, which has implicit steps, is not positive definite", part.body->name()),
        fmt::format("a step of {:g} s", factored_for_), "Use a smaller time.step, or leave out implicit");
  part.touched_before = part.touched;
}

/// Adds Rᵀw for the dofs of implicit bodies, and w for the others.
void ImplicitSteps::append(std::span<const RowEntry> row) {
  std::vector<RowEntry>& entries = rows_.open_row();
  for (std::size_t number = 0; number < parts_.size(); ++number) weight_[number].resize(0);
  for (const RowEntry& entry : row) {
    if (!moves(entry.index())) {
      entries.push_back(entry);
      continue;
    }
    const auto number = static_cast<std::size_t>(part_of_dof_[entry.index()]);
    const Part& part = parts_[number];
    Eigen::VectorXd& weight = weight_[number];
    if (weight.size() == 0) weight.setZero(part.root.rows());
    const Eigen::Index slot = part.slot[entry.index() - part.body->dofs().begin];
    weight.head(slot + 1) += entry.weight * part.root.row(slot).head(slot + 1).transpose();
  }
  for (std::size_t number = 0; number < parts_.size(); ++number) {
    const Part& part = parts_[number];
    for (Eigen::Index a = 0; a < weight_[number].size(); ++a)
      entries.push_back({static_cast<int>(part.body->dofs().begin + part.touched[static_cast<std::size_t>(a)]),
                         weight_[number][a], RowEntry::Kind::guided});
  }
}

const model::ConstraintSet& ImplicitSteps::open(const System& system, double h, const model::ConstraintSet& constraints,
                                                std::span<const double> inverse_mass, std::span<double> before,
                                                std::span<double> p) {
  open_ = false;
  if (!any()) return constraints;
  factor(system, h);
  touch(constraints);
  open_ = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return !part.touched.empty(); });
  if (!open_) return constraints;
  std::copy(inverse_mass.begin(), inverse_mass.end(), inverse_mass_.begin());
  std::copy(p.begin(), p.end(), kicked_.begin());
  for (Part& part : parts_) {
    if (part.touched.empty()) continue;
    find_root(part);
    const auto size = static_cast<Eigen::Index>(part.touched.size());
    const auto dof = [&](Eigen::Index a) {
      return part.body->dofs().begin + part.touched[static_cast<std::size_t>(a)];
    };
    part.before.resize(size);
    part.kicked.resize(size);
    part.work.resize(size);
    for (Eigen::Index a = 0; a < size; ++a) {
      part.before[a] = before[dof(a)];
      part.work[a] = inverse_mass[dof(a)] * before[dof(a)];
      part.kicked[a] = inverse_mass[dof(a)] * p[dof(a)];
    }
    part.root.triangularView<Eigen::Lower>().solveInPlace(part.work);
    part.root.triangularView<Eigen::Lower>().solveInPlace(part.kicked);
    for (Eigen::Index a = 0; a < size; ++a) {
      before[dof(a)] = part.work[a];
      p[dof(a)] = part.kicked[a];
      inverse_mass_[dof(a)] = 1;
    }
  }
  rows_.clear();
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    append(constraints.row(i));
    rows_.add(constraints.gap(i), constraints.contact(i), constraints.compliance(i), constraints.onset(i),
              constraints.name(i));
    for (std::size_t k = 0; k < 2 && constraints.has_tangents(i); ++k) {
      append(constraints.tangent(i, k));
      rows_.add_tangent();
    }
  }
  return rows_;
}

/// What the coordinates of a part have changed by since the problem was opened.
void ImplicitSteps::find_change(Part& part, std::span<const double> p) {
  part.pushed.resize(part.touched.size());
  for (std::size_t a = 0; a < part.touched.size(); ++a)
    part.pushed[a] = p[part.body->dofs().begin + part.touched[a]] - part.kicked[static_cast<Eigen::Index>(a)];
}

/// Writes p* of a part, which is in kicked_, with what that change does to it.
void ImplicitSteps::give(const System& system, Part& part, std::span<double> p) {
  const std::size_t begin = part.body->dofs().begin;
  std::copy_n(kicked_.begin() + static_cast<std::ptrdiff_t>(begin), part.impulse.size(),
              p.begin() + static_cast<std::ptrdiff_t>(begin));
  if (std::all_of(part.pushed.begin(), part.pushed.end(), [](double change) { return change == 0; })) return;
  Eigen::Map<Eigen::VectorXd> pushed(part.pushed.data(), static_cast<Eigen::Index>(part.pushed.size()));
  part.root.triangularView<Eigen::Lower>().transpose().solveInPlace(pushed);
  std::fill(part.impulse.begin(), part.impulse.end(), 0.0);
  for (std::size_t a = 0; a < part.touched.size(); ++a) part.impulse[part.touched[a]] = part.pushed[a];
  part.matrix.solve(part.impulse, part.impulse);
  for (std::size_t k = 0; k < part.impulse.size(); ++k) {
    if (moves(begin + k)) p[begin + k] += part.impulse[k] / system.inverse_mass()[begin + k];
  }
}

std::span<const double> ImplicitSteps::momenta(const System& system, std::span<const double> p) {
  if (!open_) return p;
  std::copy(p.begin(), p.end(), momenta_.begin());
  for (Part& part : parts_) {
    find_change(part, p);
    give(system, part, momenta_);
  }
  return momenta_;
}

void ImplicitSteps::close(const System& system, std::span<double> before, std::span<double> kicked,
                          std::span<double> p) {
  if (!open_) return;
  open_ = false;
  for (Part& part : parts_) {
    const std::size_t begin = part.body->dofs().begin;
    find_change(part, p);
    for (std::size_t a = 0; a < part.touched.size(); ++a) {
      before[begin + part.touched[a]] = part.before[static_cast<Eigen::Index>(a)];
      kicked[begin + part.touched[a]] = kicked_[begin + part.touched[a]];
    }
    give(system, part, p);
  }
}

}  // namespace ictus::dynamics
