#include <ictus/dynamics/joint/joints.hpp>

#include <algorithm>
#include <ictus/base/index.hpp>

// What joints hold, and which of them share it.

namespace ictus::dynamics {

using base::index;

int Joints::mover_of(int dof, Mover::Kind kind, const System& system) {
  int& known = mover_of_dof_[index(dof)];
  if (known >= 0) return known;
  const auto bodies = system.nodal_bodies();
  const auto* body = *std::find_if(bodies.begin(), bodies.end(), [dof](const mechanics::NodalBody* one) {
    return index(dof) >= one->dofs().begin && index(dof) < one->dofs().end();
  });
  if (kind == Mover::Kind::rigid && !body->rigid_bodies()) kind = Mover::Kind::section;
  known = static_cast<int>(movers_.size());
  movers_.push_back({kind, dof, body});
  for (std::size_t c = 0; c < movers_.back().size(); ++c) {
    mover_of_dof_[index(dof) + c] = known;
    dofs_.push_back(dof + static_cast<int>(c));
  }
  return known;
}

void Joints::add_end(int joint, const JointEnd& end, int side, const System& system) {
  if (end.frame >= 0)
    columns_.push_back({joint, mover_of(end.frame, Mover::Kind::rigid, system), side == 0 ? -1.0 : 1.0});
  for (const auto& [dof, share] : end.nodes)
    columns_.push_back({joint, mover_of(dof, Mover::Kind::node, system), side == 0 ? -share : share});
}

void Joints::list_columns(const System& system) {
  first_column_.assign(1, 0);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int number = static_cast<int>(i);
    add_end(number, joints_[i].first, 0, system);
    add_end(number, joints_[i].second, 1, system);
    if (joints_[i].drive.follows >= 0)
      columns_.push_back({number, mover_of(joints_[i].drive.follows, Mover::Kind::driven, system), 1});
    first_column_.push_back(static_cast<int>(columns_.size()));
  }
}

/// Joints that share what moves are neighbours.
void Joints::list_products(const System& system) {
  std::vector<std::vector<int>> of_mover(movers_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) of_mover[index(columns_[c].mover)].push_back(static_cast<int>(c));
  const auto moves = [&](std::size_t m) { return system.inverse_mass()[index(movers_[m].dof)] > 0; };
  std::vector<std::pair<int, int>> neighbours;
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    for (std::size_t a = 1; moves(m) && a < of_mover[m].size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const int i = columns_[index(of_mover[m][a])].joint, j = columns_[index(of_mover[m][b])].joint;
        if (i != j) neighbours.emplace_back(std::max(i, j), std::min(i, j));
      }
    }
  }
  matrix_.analyse(static_cast<int>(joints_.size()), neighbours);
  if (!damped_.empty()) soft_ = matrix_;
  component_of_mover_.assign(movers_.size(), -1);
  mechanisms_.assign(index(matrix_.components()), {});
  for (std::size_t i = 0; i < joints_.size(); ++i)
    mechanisms_[index(matrix_.component_of(static_cast<int>(i)))].joints.push_back(static_cast<int>(i));
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    for (const int a : of_mover[m]) {
      const int i = columns_[index(a)].joint, component = matrix_.component_of(i);
      std::vector<int>& own = mechanisms_[index(component)].movers;
      if (own.empty() || own.back() != static_cast<int>(m)) own.push_back(static_cast<int>(m));
      if (moves(m)) component_of_mover_[m] = component;
      for (const int b : of_mover[m]) {
        const int j = columns_[index(b)].joint;
        if (i == j || (moves(m) && a < b)) products_.push_back({a, b, matrix_.slot(i, j)});
      }
    }
  }
}

void Joints::prepare(const System& system) {
  joints_.assign(system.joints().begin(), system.joints().end());
  movers_.clear();
  columns_.clear();
  products_.clear();
  dofs_.clear();
  damped_.clear();
  if (!any()) return;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].drive.damping > 0) damped_.push_back(static_cast<int>(i));
  }
  mover_of_dof_.assign(system.dofs(), -1);
  list_columns(system);
  list_products(system);
  for (auto* buffer : {&weight_, &pure_, &kicked_, &blow_, &ahead_, &ahead_p_}) buffer->assign(system.dofs(), 0.0);
  gradient_.assign(columns_.size(), Block::Zero());
  for (auto* buffer : {&gap_, &impulse_, &opened_, &blow_response_, &work_, &rate_})
    buffer->assign(joints_.size(), Vector::Zero());
  place_.resize(joints_.size());
  row_.resize(joints_.size());
  row_count_.assign(joints_.size(), 0);
  scale_.resize(joints_.size());
  give_.assign(joints_.size(), 0.0);
  effort_.resize(joints_.size());
  reactions_.resize(joints_.size());
}

}  // namespace ictus::dynamics
