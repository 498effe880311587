// Notation as in lie_beam_element.hpp; Real a pack of eight nodes, V a vector of packs.
#include <ictus/mechanics/beam/lie_beam_step.hpp>

#include <algorithm>
#include <ictus/mechanics/beam/lie_beam_element.hpp>
#include <limits>

namespace ictus::mechanics {

namespace {

using Layout = LieBeamLayout;
using Real = math::Pack;
using V = math::Vector3<Real>;
using Mask = Real::Mask;

constexpr std::size_t tile_blocks = 16;
/// Rows that the first half of a tile's work leaves for the second: p, s, n, h m/2.
constexpr std::size_t kept_rows = 12;

V broadcast(const math::Vector3<double>& a) { return {a.x, a.y, a.z}; }
V load(const double* row) {
  return {Real::load(row), Real::load(row + Layout::lanes), Real::load(row + 2 * Layout::lanes)};
}
void store(const V& a, double* row) {
  a.x.store(row);
  a.y.store(row + Layout::lanes);
  a.z.store(row + 2 * Layout::lanes);
}
V select(const Mask& mask, const V& a, const V& b) {
  return {math::select(mask, a.x, b.x), math::select(mask, a.y, b.y), math::select(mask, a.z, b.z)};
}
V shift_in(const V& left, const V& right) {
  return {math::shift_in(left.x, right.x), math::shift_in(left.y, right.y), math::shift_in(left.z, right.z)};
}
V shift_out(const V& left, const V& right) {
  return {math::shift_out(left.x, right.x), math::shift_out(left.y, right.y), math::shift_out(left.z, right.z)};
}
bool any(const Mask& mask) {
  long found = 0;
  for (std::size_t lane = 0; lane < Layout::lanes; ++lane) found |= mask[lane];
  return found != 0;
}
double largest(const Real& a) {
  double value = a[0];
  for (int lane = 1; lane < Real::lanes; ++lane) value = std::max(value, a[lane]);
  return value;
}

math::Pose<Real> load_pose(const double* block) {
  return {{Real::load(block), load(block + Layout::rotation_vector * Layout::lanes)},
          load(block + Layout::position * Layout::lanes)};
}

/// Constants of a beam, ready for the lanes.
struct Constants {
  const LieBeamModel& model;
  std::size_t last_block;
  Real length;
  V stretch, bend, inertia, inverse_inertia, load_force, load_moment;

  explicit Constants(const LieBeamModel& beam)
      : model(beam),
        last_block(beam.blocks() - 1),
        length(beam.spacing),
        stretch(broadcast(beam.section.stretch)),
        bend(broadcast(beam.section.bend)),
        inertia(broadcast(beam.section.inertia)),
        inverse_inertia{1.0 / beam.section.inertia.x, 1.0 / beam.section.inertia.y, 1.0 / beam.section.inertia.z},
        load_force(broadcast(beam.section.mass * beam.gravity + beam.loads.per_length.n)),
        load_moment(broadcast(beam.loads.per_length.m)) {}

  /// Some node of the block carries another length than those inside.
  bool at_end(std::size_t block) const {
    return block == 0 || (block + 1) * Layout::lanes + LieBeamModel::end_nodes > model.nodes;
  }
};

/// Numbers of a block's nodes, and what is special about those at the ends.
struct Nodes {
  Real::Vector number;
  Mask exists, first, last;
  Real weight, inverse_weight;

  Nodes(const LieBeamModel& model, std::size_t block)
      : number(Real::Vector{0, 1, 2, 3, 4, 5, 6, 7} + static_cast<double>(block * Layout::lanes)),
        exists(number < static_cast<double>(model.nodes)),
        first(number == 0.0),
        last(number == static_cast<double>(model.last())),
        weight(model.spacing),
        inverse_weight(1.0 / model.spacing) {
    const Real::Vector back = static_cast<double>(model.last()) - number;
    const auto end_weights = model.end_weights();
    for (std::size_t k = end_weights.size(); k-- > 0;) {  // the nearer end counts
      const Mask here = (number == static_cast<double>(k)) | (back == static_cast<double>(k));
      weight = math::select(here, Real(end_weights[k]), weight);
      inverse_weight = math::select(here, Real(1.0 / end_weights[k]), inverse_weight);
    }
    weight = math::select(exists, weight, Real(0.0));
    inverse_weight = math::select(exists, inverse_weight, Real(0.0));
  }

  Mask clamped(const LieBeamModel& model) const {
    const Mask none{};
    return (model.clamped_start ? first : none) | (model.clamped_end ? last : none) | ~exists;
  }
};

/// The elements that start at the nodes of a block; none after the last node.
ElementStress<Real> stress_of_block(const Constants& beam, const math::Pose<Real>& here, const math::Pose<Real>& next,
                                    const math::Matrix3<Real>& matrix, std::size_t block) {
  const math::Rotation<Real> right{math::shift_out(here.q.s, next.q.s), shift_out(here.q.v, next.q.v)};
  ElementStress<Real> stress =
      element_stress(here.q, matrix, right, shift_out(here.r, next.r) - here.r, beam.length, beam.stretch, beam.bend);
  if (block == beam.last_block) {
    const Mask exists = Nodes(beam.model, block).number < static_cast<double>(beam.model.last());
    stress.force = select(exists, stress.force, V{});
    stress.left_moment = select(exists, stress.left_moment, V{});
    stress.right_moment = select(exists, stress.right_moment, V{});
    stress.energy = math::select(exists, stress.energy, Real(0.0));
    stress.half_turn_sq = math::select(exists, stress.half_turn_sq, Real(0.0));
  }
  return stress;
}

/// A force and a moment on each node of a block, or a momentum and a spin.
struct Pairs {
  V linear, angular;
};

/// End loads, and what supports take away: clamped nodes feel no force and have no momentum.
void act_on_ends(const LieBeamJob& job, const Nodes& nodes, Pairs& momentum, Pairs& force, LieBeamTotals& totals) {
  const LieBeamModel& model = *job.model;
  const V none{};
  force.angular += select(nodes.first, V(broadcast(model.loads.start.m)), none) +
                   select(nodes.last, V(broadcast(model.loads.end.m)), none);
  force.linear += select(nodes.first, V(broadcast(model.loads.start.n)), none) +
                  select(nodes.last, V(broadcast(model.loads.end.n)), none);
  const Real kick(job.kick);
  const V spin = momentum.angular + kick * force.angular, linear = momentum.linear + kick * force.linear;
  const auto lane = [](const V& a, std::size_t i) {
    return math::Vector3<double>{a.x[static_cast<int>(i)], a.y[static_cast<int>(i)], a.z[static_cast<int>(i)]};
  };
  const std::size_t last = model.last() % Layout::lanes;
  if (model.clamped_start && nodes.number[0] == 0.0) totals.start_support = {lane(spin, 0), lane(linear, 0)};
  if (model.clamped_end && any(nodes.last)) totals.end_support = {lane(spin, last), lane(linear, last)};
  const Mask clamped = nodes.clamped(model);
  for (V* a : {&momentum.angular, &momentum.linear, &force.angular, &force.linear}) *a = select(clamped, none, *a);
}

/// The sums of LieBeamKick over blocks. The linear parts of momenta and forces are in space, of a whole node; the
/// angular ones in the axes of the sections, per length.
struct KickSums {
  Real kinetic_in{0.0}, kinetic_out{0.0}, power_in{0.0}, power_out{0.0}, force_sq{0.0};

  void add(const Constants& beam, const Real& weight, const Real& inverse_weight, const Pairs& in, const Pairs& out,
           const Pairs& force) {
    const Real lightness = Real(1.0 / beam.model.section.mass) * inverse_weight, half(0.5);
    const V turn_in = math::scale(beam.inverse_inertia, in.angular),
            turn_out = math::scale(beam.inverse_inertia, out.angular);
    const V go = lightness * force.linear, turn = weight * math::scale(beam.inverse_inertia, force.angular);
    kinetic_in += half * (lightness * norm_sq(in.linear) + weight * dot(in.angular, turn_in));
    kinetic_out += half * (lightness * norm_sq(out.linear) + weight * dot(out.angular, turn_out));
    power_in += dot(go, in.linear) + dot(turn, in.angular);
    power_out += dot(go, out.linear) + dot(turn, out.angular);
    force_sq += dot(go, force.linear) + dot(turn, force.angular);
  }
  LieBeamKick total() const {
    return {sum(kinetic_in), sum(kinetic_out), sum(power_in), sum(power_out), sum(force_sq)};
  }
};

/// Stresses at q and the momenta after the kick; leaves p, s, n and h m/2 of each block in `kept`.
[[gnu::flatten]] void kick_tile(const LieBeamJob& job, const Constants& beam, std::size_t begin, std::size_t end,
                                double* kept, LieBeamTotals& totals) {
  const auto block_at = [&](std::size_t b) { return job.q + std::min(b, beam.last_block) * Layout::block; };
  V force{}, moment{};  // of the elements of the block before
  math::Pose<Real> here = load_pose(block_at(begin));
  if (begin > 0) {
    const math::Pose<Real> before = load_pose(block_at(begin - 1));
    const ElementStress<Real> stress = stress_of_block(beam, before, here, matrix(before.q), begin - 1);
    force = stress.force;
    moment = stress.right_moment;
  }
  Real strain(0.0), turn(0.0);
  V first_moment{};
  KickSums kicks;
  const Real kick(job.kick);
  for (std::size_t b = begin; b < end; ++b, kept += kept_rows * Layout::lanes) {
    const math::Pose<Real> next = load_pose(block_at(b + 1));
    const math::Matrix3<Real> to_space = matrix(here.q);
    const ElementStress<Real> stress = stress_of_block(beam, here, next, to_space, b);
    strain += stress.energy;
    turn = math::max(turn, stress.half_turn_sq);
    const V net_force = stress.force - shift_in(force, stress.force);
    const V net_moment = stress.left_moment - shift_in(moment, stress.right_moment);
    force = stress.force;
    moment = stress.right_moment;

    const double* row = job.p + b * Layout::block;
    Pairs in{load(row + Layout::linear * Layout::lanes), load(row + Layout::spin * Layout::lanes)};
    Real weight = beam.length, inverse_weight(1.0 / beam.model.spacing);
    Pairs acting{net_force + beam.length * beam.load_force, net_moment + beam.length * beam.load_moment};
    if (beam.at_end(b)) {
      const Nodes nodes(beam.model, b);
      weight = nodes.weight;
      inverse_weight = nodes.inverse_weight;
      acting = {net_force + weight * beam.load_force, net_moment + weight * beam.load_moment};
      act_on_ends(job, nodes, in, acting, totals);
    }
    first_moment += weight * here.r;
    Pairs out{in.linear + kick * acting.linear, in.angular + kick * acting.angular};
    if (job.impulse) {
      const double* impulse = job.impulse + b * Layout::block;
      out.linear += load(impulse + Layout::linear * Layout::lanes);
      out.angular += load(impulse + Layout::spin * Layout::lanes);
    }
    const auto in_body = [&](const V& x) { return inverse_weight * transpose_times(to_space, x); };
    const V spin = in_body(out.angular);
    kicks.add(beam, weight, inverse_weight, {in.linear, in_body(in.angular)}, {out.linear, spin},
              {acting.linear, in_body(acting.angular)});
    store(out.linear, kept);
    store(out.angular, kept + 3 * Layout::lanes);
    store(in_body(out.linear), kept + 6 * Layout::lanes);
    store(Real(0.5 * job.h) * spin, kept + 9 * Layout::lanes);
    here = next;
  }
  totals.strain += sum(strain);
  totals.kick += kicks.total();
  totals.first_moment += {sum(first_moment.x), sum(first_moment.y), sum(first_moment.z)};
  totals.element_turn_sq = std::max(totals.element_turn_sq, largest(turn));
}

/// Solves the Legendre equation of each node and moves it; `kept` as kick_tile left it.
[[gnu::flatten]] void move_tile(const LieBeamJob& job, const Constants& beam, std::size_t begin, std::size_t end,
                                const double* kept, LieBeamTotals& totals) {
  const double mass = beam.model.section.mass;
  const Real kappa(job.h * job.h / (4.0 * mass));
  Real kinetic(0.0), turn(0.0);
  for (std::size_t b = begin; b < end; ++b, kept += kept_rows * Layout::lanes) {
    const V linear = load(kept), spin = load(kept + 3 * Layout::lanes), n = load(kept + 6 * Layout::lanes);
    const NodeLegendre<Real> legendre{beam.inertia, kappa, load(kept + 9 * Layout::lanes), n, norm_sq(n)};
    V u = legendre.guess(beam.inverse_inertia);
    for (int iteration = 1;; ++iteration) {
      const V step = legendre.newton_step(u);
      u += step;
      const Real step_sq = norm_sq(step);
      const Mask settled =
          step_sq.v * step_sq.v <= LegendreIterations::tolerance * LegendreIterations::tolerance * norm_sq(u).v;
      totals.iterations = std::max(totals.iterations, iteration);
      if (!any(~settled)) break;
      if (iteration == LegendreIterations::restart) u = select(settled, u, V{});
      if (iteration == LegendreIterations::max_count) {
        totals.converged = false;
        break;
      }
    }

    const math::Pose<Real> g = load_pose(job.q + b * Layout::block);
    Real weight = beam.length, inverse_weight(1.0 / beam.model.spacing);
    if (beam.at_end(b)) {
      const Nodes nodes(beam.model, b);
      weight = nodes.weight;
      inverse_weight = nodes.inverse_weight;
    }
    const NodeFlight<Real> flight(g, u, n, linear, inverse_weight, Real(job.h / mass));

    double* pose = job.q_next + b * Layout::block;
    flight.turned.s.store(pose);
    store(flight.turned.v, pose + Layout::rotation_vector * Layout::lanes);
    store(g.r + flight.way, pose + Layout::position * Layout::lanes);
    double* momentum = job.p_next + b * Layout::block;
    store(spin - cross(flight.across, linear), momentum + Layout::spin * Layout::lanes);
    store(linear, momentum + Layout::linear * Layout::lanes);

    kinetic += weight * (Real(2.0 / (job.h * job.h)) * dot(u, math::scale(beam.inertia, u)) +
                         Real(0.5 / mass) * flight.shrink * (legendre.n_sq + flight.b * flight.b));
    turn = math::max(turn, norm_sq(u));
  }
  totals.kinetic += sum(kinetic);
  totals.step_turn_sq = std::max(totals.step_turn_sq, largest(turn));
}

double dead_load_potential(const LieBeamModel& model, const math::Vector3<double>& first_moment,
                           std::span<const double> q) {
  const auto position = [&](std::size_t node) { return Layout::get(q, node, Layout::position); };
  return -dot(model.section.mass * model.gravity + model.loads.per_length.n, first_moment) -
         dot(model.loads.start.n, position(0)) - dot(model.loads.end.n, position(model.last()));
}

LieBeamTotals step_tile(const LieBeamJob& job, std::size_t first_block) {
  alignas(64) double kept[tile_blocks * kept_rows * Layout::lanes];
  const Constants beam(*job.model);
  const std::size_t end = std::min(first_block + tile_blocks, job.model->blocks());
  LieBeamTotals totals;
  kick_tile(job, beam, first_block, end, kept, totals);
  move_tile(job, beam, first_block, end, kept, totals);
  return totals;
}

}  // namespace

LieBeamKick& LieBeamKick::operator+=(const LieBeamKick& other) {
  kinetic_in += other.kinetic_in;
  kinetic_out += other.kinetic_out;
  power_in += other.power_in;
  power_out += other.power_out;
  force_sq += other.force_sq;
  return *this;
}

LieBeamTotals& LieBeamTotals::operator+=(const LieBeamTotals& other) {
  kinetic += other.kinetic;
  strain += other.strain;
  kick += other.kick;
  first_moment += other.first_moment;
  element_turn_sq = std::max(element_turn_sq, other.element_turn_sq);
  step_turn_sq = std::max(step_turn_sq, other.step_turn_sq);
  iterations = std::max(iterations, other.iterations);
  converged = converged && other.converged;
  start_support = start_support + other.start_support;
  end_support = end_support + other.end_support;
  return *this;
}

void LieBeamStepper::cut(std::span<const LieBeamJob> jobs) {
  tiles_.clear();
  std::size_t items = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t b = 0; b < jobs[i].model->blocks(); b += tile_blocks) {
      tiles_.push_back({i, b, items});
      items += std::min(tile_blocks, jobs[i].model->blocks() - b) * Layout::lanes;
    }
  }
  tiles_.push_back({jobs.size(), 0, items});
  tile_totals_.resize(tiles_.size() - 1);
}

std::span<const LieBeamTotals> LieBeamStepper::step(const exec::Executor& exec, std::span<const LieBeamJob> jobs) {
  cut(jobs);
  const auto tile_from = [&](std::size_t item) {
    return std::lower_bound(tiles_.begin(), tiles_.end(), item,
                            [](const Tile& tile, std::size_t value) { return tile.first_item < value; }) -
           tiles_.begin();
  };
  exec.for_blocks(tiles_.back().first_item, [&](std::size_t begin, std::size_t end) {
    for (auto t = tile_from(begin), stop = std::min<std::ptrdiff_t>(tile_from(end), std::ssize(tile_totals_)); t < stop;
         ++t) {
      const Tile& tile = tiles_[static_cast<std::size_t>(t)];
      tile_totals_[static_cast<std::size_t>(t)] = step_tile(jobs[tile.job], tile.first_block);
    }
  });
  totals_.assign(jobs.size(), {});
  for (std::size_t t = 0; t < tile_totals_.size(); ++t) totals_[tiles_[t].job] += tile_totals_[t];
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    totals_[i].potential =
        dead_load_potential(*jobs[i].model, totals_[i].first_moment, {jobs[i].q, jobs[i].model->size()});
  }
  return totals_;
}

[[gnu::flatten]] LieBeamPotential lie_beam_potential(const LieBeamModel& model, std::span<const double> q) {
  const Constants beam(model);
  Real strain(0.0), turn(0.0);
  V first_moment{};
  math::Pose<Real> here = load_pose(q.data());
  for (std::size_t b = 0; b <= beam.last_block; ++b) {
    const math::Pose<Real> next = load_pose(q.data() + std::min(b + 1, beam.last_block) * Layout::block);
    const ElementStress<Real> stress = stress_of_block(beam, here, next, matrix(here.q), b);
    strain += stress.energy;
    first_moment += Nodes(model, b).weight * here.r;
    turn = math::max(turn, stress.half_turn_sq);
    here = next;
  }
  const math::Vector3<double> moment{sum(first_moment.x), sum(first_moment.y), sum(first_moment.z)};
  return {sum(strain), dead_load_potential(model, moment, q), largest(turn)};
}

[[gnu::flatten]] double lie_beam_smallest(const LieBeamModel& model, const math::Vector3<double>& direction,
                                          std::span<const double> q) {
  const V n = broadcast(direction);
  const SectionOutline& outline = model.outline;
  const bool thick = outline.half_width > 0.0 || outline.half_height > 0.0 || outline.radius > 0.0;
  const auto reach_of = [&](const math::Pose<Real>& g) {
    const math::Matrix3<Real> axes = matrix(g.q);
    const Real across = dot(n, axes.a), up = dot(n, axes.b);
    return Real(outline.half_width) * math::max(across, -across) + Real(outline.half_height) * math::max(up, -up) +
           Real(outline.radius) * sqrt(across * across + up * up);
  };
  const Real none(std::numeric_limits<double>::infinity());
  Real smallest = none;
  for (std::size_t b = 0; b < model.blocks(); ++b) {
    Real along = dot(n, load(q.data() + b * Layout::block + Layout::position * Layout::lanes));
    if (thick) along -= reach_of(load_pose(q.data() + b * Layout::block));
    if (b == 0 || b + 1 == model.blocks()) along = math::select(Nodes(model, b).clamped(model), none, along);
    smallest = math::select(along.v < smallest.v, along, smallest);
  }
  double value = smallest[0];
  for (int lane = 1; lane < Real::lanes; ++lane) value = std::min(value, smallest[lane]);
  return value;
}

}  // namespace ictus::mechanics
