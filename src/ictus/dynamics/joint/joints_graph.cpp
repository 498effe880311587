#include <ictus/dynamics/joint/joints.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/index.hpp>

// What joints hold, and which of them share it.

namespace ictus::dynamics {

using base::index;
using math::Vec3;

namespace {

const mechanics::NodalBody& body_of(int dof, const System& system) {
  const auto bodies = system.nodal_bodies();
  return **std::find_if(bodies.begin(), bodies.end(), [dof](const mechanics::NodalBody* one) {
    return index(dof) >= one->dofs().begin && index(dof) < one->dofs().end();
  });
}

/// Whether the dofs of a body are coordinates of nodes in space, three of each.
bool has_nodes_in_space(const mechanics::NodalBody& body) {
  if (body.surface().mesh()) return true;
  return body.surface().point_count() == 1 && body.dofs().size == 3;
}

}  // namespace

int Joints::mover_of(int dof, Mover::Kind kind, const System& system) {
  int& known = mover_of_dof_[index(dof)];
  if (known >= 0) return known;
  const mechanics::NodalBody& body = body_of(dof, system);
  if (kind == Mover::Kind::rigid && !body.rigid_bodies()) kind = Mover::Kind::section;
  known = static_cast<int>(movers_.size());
  movers_.push_back({kind, dof, &body});
  for (std::size_t c = 0; c < movers_.back().size(); ++c) {
    mover_of_dof_[index(dof) + c] = known;
    dofs_.push_back(dof + static_cast<int>(c));
  }
  return known;
}

int Joints::mover_of_guide(int dof, const System& system) {
  if (const int known = mover_of_dof_[index(dof)]; known >= 0) return known;
  const mechanics::NodalBody& body = body_of(dof, system);
  if (!has_nodes_in_space(body)) return mover_of(dof, Mover::Kind::guided, system);
  const int within = (dof - static_cast<int>(body.dofs().begin)) % 3;
  return mover_of(dof - within, Mover::Kind::node, system);
}

void Joints::add_end(int joint, const JointEnd& end, std::size_t side, const System& system) {
  if (end.frame >= 0) columns_.push_back({joint, mover_of(end.frame, Mover::Kind::rigid, system), side});
  const std::size_t begin = columns_.size();
  for (const Guide& guide : end.guides) {
    const int mover = mover_of_guide(guide.dof, system);
    if (columns_.size() == begin || columns_.back().mover != mover)
      columns_.push_back({joint, mover, side, guides_.size(), 0});
    guides_.push_back(guide);
    ++columns_.back().guides;
  }
}

/// The rows of a tie stay what they are.
void Joints::add_tie(int joint, const System& system) {
  const std::vector<TieRow>& rows = joints_[index(joint)].rows;
  const std::size_t begin = columns_.size();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (const model::RowEntry& entry : rows[k].entries) {
      const int mover = mover_of_guide(entry.dof, system);
      const auto own = std::find_if(columns_.begin() + static_cast<std::ptrdiff_t>(begin), columns_.end(),
                                    [&](const Column& column) { return column.mover == mover; });
      const auto c = static_cast<std::size_t>(own - columns_.begin());
      if (own == columns_.end()) {
        columns_.push_back({joint, mover, 0});
        gradient_.resize(columns_.size(), Block::Zero());
      }
      gradient_[c](static_cast<Eigen::Index>(k), entry.dof - movers_[index(mover)].dof) += entry.weight;
    }
  }
}

void Joints::list_columns(const System& system) {
  first_column_.assign(1, 0);
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const int number = static_cast<int>(i);
    if (joints_[i].type == JointType::tie) add_tie(number, system);
    add_end(number, joints_[i].first, 0, system);
    add_end(number, joints_[i].second, 1, system);
    if (joints_[i].drive.follows >= 0)
      columns_.push_back({number, mover_of(joints_[i].drive.follows, Mover::Kind::driven, system), 1});
    first_column_.push_back(static_cast<int>(columns_.size()));
  }
  gradient_.resize(columns_.size(), Block::Zero());
}

/// The rows of the ties of one node after the other.
std::vector<Joint> Joints::joints_of_ties(const System& system) {
  const model::ConstraintSet& ties = system.ties();
  const std::vector<double> q = system.initial_state().q;
  std::vector<Joint> result;
  for (std::size_t r = 0; r < ties.size(); ++r) {
    const auto row = ties.row(r);
    if (result.empty() || result.back().rows.size() == JointRows::max_rows ||
        ties.contact(r).point != ties.contact(r - 1).point) {
      const Vec3& x = ties.contact(r).point;
      result.push_back({fmt::format("tie at ({:g}, {:g}, {:g})", x.x(), x.y(), x.z()), JointType::tie, {}, {}});
      result.back().first.body = body_of(row.front().dof, system).name();
      result.back().second.body = body_of(row.back().dof, system).name();
      result.back().size = std::max(1.0, x.lpNorm<Eigen::Infinity>());
    }
    result.back().rows.push_back({{row.begin(), row.end()}, model::dot(row, q)});
  }
  return result;
}

/// Joints that share what moves are neighbours.
void Joints::list_products(const System& system) {
  std::vector<std::vector<int>> of_mover(movers_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) of_mover[index(columns_[c].mover)].push_back(static_cast<int>(c));
  const auto moves = [&](std::size_t m) {
    const auto inverse_mass = system.inverse_mass().subspan(index(movers_[m].dof), movers_[m].size());
    return std::any_of(inverse_mass.begin(), inverse_mass.end(), [](double one) { return one > 0; });
  };
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
  if (!grips_.empty()) soft_ = matrix_;
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
  told_ = joints_.size();
  for (Joint& tie : joints_of_ties(system)) joints_.push_back(std::move(tie));
  movers_.clear();
  guides_.clear();
  columns_.clear();
  gradient_.clear();
  products_.clear();
  dofs_.clear();
  grips_.clear();
  if (!any()) return;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (joints_[i].drive.damping > 0 || joints_[i].drive.brakes()) grips_.push_back({static_cast<int>(i)});
  }
  mover_of_dof_.assign(system.dofs(), -1);
  list_columns(system);
  list_products(system);
  for (auto* buffer : {&weight_, &pure_, &kicked_, &blow_, &ahead_, &ahead_p_}) buffer->assign(system.dofs(), 0.0);
  along_.assign(columns_.size(), Vector::Zero());
  for (auto* buffer : {&gap_, &impulse_, &opened_, &blow_response_, &work_, &rate_})
    buffer->assign(joints_.size(), Vector::Zero());
  place_.resize(joints_.size());
  row_.resize(joints_.size());
  row_count_.clear();
  for (const Joint& joint : joints_) row_count_.push_back(joint.rows.size());
  scale_.clear();
  for (const Joint& joint : joints_) scale_.push_back(joint.size);
  soft_row_.assign(joints_.size(), {});
  effort_.resize(joints_.size());
  reactions_.resize(joints_.size());
}

}  // namespace ictus::dynamics
