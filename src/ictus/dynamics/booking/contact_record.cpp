#include <ictus/dynamics/booking/contact_record.hpp>

#include <algorithm>
#include <cmath>

namespace ictus::dynamics {

namespace {

/// The nodes of a row of a surface, three entries each, with the shares |w_k| that they have in an impulse along n.
void note_nodes(std::span<const model::RowEntry> row, const math::Vec3& n, Impulse& impulse) {
  std::size_t k = 0;
  using Kind = model::RowEntry::Kind;
  for (std::size_t i = 0; i < row.size() && k < impulse.node.size(); i += row[i].kind == Kind::guided ? 1 : 3) {
    if (row[i].kind != Kind::coordinate) continue;
    impulse.node[k] = row[i].dof;
    impulse.share[k++] = std::abs(n.dot(math::Vec3(row[i].weight, row[i + 1].weight, row[i + 2].weight)));
  }
}

}  // namespace

void ContactRecord::add(const System& system, const model::ConstraintSet& constraints, std::size_t i,
                        const model::State& state, const Push& push, model::Loss name, double lost,
                        double lost_to_friction, StepReport& report) {
  const auto& at = constraints.contact(i);
  if (constraints.onset(i) == model::ConstraintSet::Onset::ahead && push.normal != 0) {
    SurfacePush on_surface{{state.time, at.pair, at.point, at.normal, push.normal}};
    note_nodes(constraints.row(i), at.normal, on_surface.impulse);
    if (push.tangential != std::array{0.0, 0.0}) {
      const auto& tangents = constraints.tangents(i);
      on_surface.tangential = push.tangential[0] * tangents[0] + push.tangential[1] * tangents[1];
    }
    add_from_guides(system, constraints, i, state.q, push, push.normal * at.normal + on_surface.tangential, report);
    on_surface.lost = lost;
    on_surface.lost_to_friction = lost_to_friction;
    return add(system, on_surface, name, report);
  }
  report.lost[model::Loss::friction] += lost_to_friction;
  add(system, at, state.time, push.normal, name, lost, report);
}

void ContactRecord::add(const System& system, const model::ConstraintSet::Contact& at, double time, double lambda,
                        model::Loss name, double lost, StepReport& report) {
  report.lost[name] += lost;
  if (lambda == 0) return;
  ++report.contacts;
  impulses_.push_back({time, at.pair, at.point, at.normal, lambda, 0.0, lost});
  add_from_obstacle(system, at.pair, at.point, lambda * at.normal, report);
}

void ContactRecord::add(const System& system, const SurfacePush& push, model::Loss name, StepReport& report) {
  report.lost[name] += push.lost;
  report.lost[model::Loss::friction] += push.lost_to_friction;
  ++report.contacts;
  Impulse& impulse = impulses_.emplace_back(push.impulse);
  impulse.tangential_impulse = push.tangential.norm();
  impulse.energy_lost = push.lost + push.lost_to_friction;
  add_from_obstacle(system, impulse.pair, impulse.point, impulse.normal_impulse * impulse.normal + push.tangential,
                    report);
}

/// Guides, and what systems with coordinates of their own hang on, give what their bodies get other than `force`, which
/// the second body of the pair would get without them.
void ContactRecord::add_from_guides(const System& system, const model::ConstraintSet& constraints, std::size_t i,
                                    std::span<const double> q, const Push& push, const math::Vec3& force,
                                    StepReport& report) {
  const auto& at = constraints.contact(i);
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(at.pair)];
  const auto is_guided = [](const model::Surface& surface) { return surface.mesh() && surface.mesh()->is_guided(); };
  const double side = (is_guided(*pair.first_surface) ? 1.0 : 0.0) - (is_guided(*pair.second_surface) ? 1.0 : 0.0);
  if (side == 0 && !is_guided(*pair.first_surface)) return;
  report.external_impulse += {side * force, at.point.cross(side * force)};
  const auto add = [&](std::span<const model::RowEntry> row, double impulse) {
    for (const model::RowEntry& entry : row) {
      if (entry.kind != model::RowEntry::Kind::guided) continue;
      const auto bodies = system.nodal_bodies();
      const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const mechanics::NodalBody* one) {
        return entry.index() >= one->dofs().begin && entry.index() < one->dofs().end();
      });
      report.external_impulse += (*body)->support_impulse(entry.dof, impulse * entry.weight, q);
    }
  };
  add(constraints.row(i), push.normal);
  for (std::size_t k = 0; k < 2 && constraints.has_tangents(i); ++k) add(constraints.tangent(i, k), push.tangential[k]);
}

/// `push` is what the second body of the pair gets.
void ContactRecord::add_from_obstacle(const System& system, int pair_number, const math::Vec3& point,
                                      const math::Vec3& push, StepReport& report) {
  const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(pair_number)];
  if (!pair.with_obstacle() || pair.moved_plane()) return;  // what moves planes gives it, see DrivenContacts
  const math::Vec3 received = pair.second_surface->plane() ? math::Vec3(-push) : push;
  report.external_impulse += {received, point.cross(received)};
}

}  // namespace ictus::dynamics
