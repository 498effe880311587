#include <ictus/observe/history/history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ictus/files/csv_text.hpp>
#include <limits>
#include <stdexcept>

namespace ictus::observe {

using dynamics::Snapshot;
using model::Loss;
using model::Store;

namespace {

/// Of what no row has told yet.
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

std::string_view name(Store store) { return model::store_names[static_cast<std::size_t>(store)]; }
std::string_view name(Loss loss) { return model::loss_names[static_cast<std::size_t>(loss)]; }

template <class Index>
bool contains(const std::vector<Index>& list, std::size_t i) {
  return std::find(list.begin(), list.end(), static_cast<Index>(i)) != list.end();
}

/// An energy that the history has no column for would be hidden from it.
void require_columns(const dynamics::Capabilities& can, const Reading& reading) {
  constexpr std::size_t own_columns = 3;  // kinetic, strain, potential
  for (std::size_t i = own_columns; i < model::Stored::size; ++i) {
    if (reading.stored[static_cast<Store>(i)] != 0 && !contains(can.stores, i))
      throw std::logic_error(
          fmt::format("energy is stored as {}, for which there is no column", model::store_names[i]));
  }
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    if (reading.lost[static_cast<Loss>(i)] != 0 && !contains(can.losses, i))
      throw std::logic_error(fmt::format("energy is lost by {}, for which there is no column", model::loss_names[i]));
  }
}

}  // namespace

History::History(const std::filesystem::path& file, const HistoryOptions& options, const dynamics::System& system,
                 const dynamics::Integrator& integrator)
    : capabilities_(integrator.capabilities(system)),
      probes_(options.probes),
      gaps_(system),
      accelerations_(probes_.rates()),
      contacts_(gaps_.size()),
      supported_(supported_bodies(system, integrator)),
      told_(told_bodies(system, options.body_energies)),
      errors_(options.reference, probes_.columns().size(), contacts_),
      schedule_(options.every),
      impulses_(contacts_ + 6 * supported_.size()),
      joints_(system),
      file_(file, header()) {}

bool History::has_column(Loss loss) const { return contains(capabilities_.losses, static_cast<std::size_t>(loss)); }

std::vector<History::Supported> History::supported_bodies(const dynamics::System& system,
                                                          const dynamics::Integrator& integrator) {
  std::vector<Supported> supported;
  const auto bodies = system.nodal_bodies();
  for (std::size_t i = 0; integrator.tells_supports() && i < bodies.size(); ++i) {
    if (!bodies[i]->fixed().empty()) supported.push_back({i, bodies[i]->name()});
  }
  return supported;
}

std::vector<const mechanics::NodalBody*> History::told_bodies(const dynamics::System& system, bool tell) {
  std::vector<const mechanics::NodalBody*> told;
  if (tell) told.assign(system.nodal_bodies().begin(), system.nodal_bodies().end());
  return told;
}

std::string History::header() const {
  std::string line = "time,energy.kinetic,energy.strain,energy.potential";
  const auto column = [&](const std::string& title) {
    line += ',';
    files::append_words(line, title);
  };
  for (const Store store : capabilities_.stores) column(fmt::format("energy.stored.{}", name(store)));
  column("energy.external_work");
  for (const Loss loss : capabilities_.losses) column(fmt::format("energy.loss.{}", name(loss)));
  line += ",energy.total,energy.error,energy.residual,momentum.x,momentum.y,momentum.z";
  line += ",angular_momentum.x,angular_momentum.y,angular_momentum.z,momentum.drift,angular_momentum.drift";
  if (capabilities_.heap)
    line += ",heap.coordination,heap.force_10,heap.force_50,heap.force_90,heap.force_max,heap.solver_error";
  for (std::size_t k = 0; k < contacts_; ++k) line += fmt::format(",contact.{0}.gap,contact.{0}.force", k);
  for (const std::string& title : joints_.columns()) column(title);
  for (const Supported& body : supported_) {
    for (const std::string_view quantity : {"force", "moment"}) {
      for (const char axis : {'x', 'y', 'z'}) column(fmt::format("support.{}.{}.{}", body.name, quantity, axis));
    }
  }
  for (const mechanics::NodalBody* body : told_) {
    for (const std::string_view energy : {"kinetic", "strain", "potential"})
      column(fmt::format("body.{}.energy.{}", body->name(), energy));
  }
  const auto columns = probes_.columns();
  for (const auto& [probe, quantity] : columns) column(fmt::format("probe.{}.{}", probe, quantity));
  for (const ProbeSet::Rate& rate : probes_.rates())
    column(fmt::format("probe.{}.{}", rate.acceleration.probe, rate.acceleration.quantity));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (errors_.knows_probe(i)) column(fmt::format("exact.probe.{}.{}", columns[i].probe, columns[i].quantity));
  }
  for (std::size_t k = 0; k < contacts_; ++k) {
    if (errors_.knows_force(k)) line += fmt::format(",exact.contact.{}.force", k);
  }
  return line;
}

void History::observe(const dynamics::StepReport& report) {
  for (const dynamics::Impulse& impulse : report.impulses)
    impulses_[gaps_.contact_of(impulse.pair)] += impulse.normal_impulse;
  joints_.observe(report);
  for (std::size_t i = 0; i < supported_.size() && !report.supports.empty(); ++i) {
    const mechanics::Momentum& given = report.supports[supported_[i].number];
    math::Vec3::Map(&impulses_[contacts_ + 6 * i]) += given.linear;
    math::Vec3::Map(&impulses_[contacts_ + 6 * i + 3]) += given.angular;
  }
}

bool History::due(const Snapshot& snapshot) const { return schedule_.due(snapshot.state.time, snapshot.step); }

std::int64_t History::patience(const Snapshot& snapshot) const {
  return schedule_.steps_until_due(snapshot.state.step, snapshot.step);
}

void History::write_row(const Snapshot& snapshot, const Reading& reading, const Ledger& ledger) {
  files::append_number(file_.row(), reading.time);
  append_energies(reading, ledger.account().sums);
  append_momenta(reading, ledger);
  if (capabilities_.heap) append_heap(snapshot);
  append_contacts(snapshot);
  of_joints_.clear();
  joints_.take(snapshot.state.time - last_time_, of_joints_);
  for (const double value : of_joints_) append(value);
  append_supports(snapshot);
  append_body_energies(snapshot);
  append_probes(snapshot);
  file_.end_row();
  schedule_.advance(reading.time, snapshot.step);
  std::fill(impulses_.begin(), impulses_.end(), 0.0);
  last_step_ = reading.step;
  last_time_ = reading.time;
}

void History::append(double value) {
  file_.row() += ',';
  files::append_number(file_.row(), value);
}

void History::append_known(double value) {
  if (std::isnan(value))
    file_.row() += ',';
  else
    append(value);
}

void History::append_energies(const Reading& reading, const StepSums& sums) {
  require_columns(capabilities_, reading);
  for (const Store store : {Store::kinetic, Store::strain, Store::potential}) append(reading.stored[store]);
  for (const Store store : capabilities_.stores) append(reading.stored[store]);
  append(sums.external_work.value());
  for (const Loss loss : capabilities_.losses) append(reading.lost[loss]);
  append(reading.total);
  append(reading.error);
  append(reading.residual);
}

void History::append_momenta(const Reading& reading, const Ledger& ledger) {
  for (const double component : reading.momentum.linear) append(component);
  for (const double component : reading.momentum.angular) append(component);
  append(ledger.linear_drift(reading));
  append(ledger.angular_drift(reading));
}

void History::append_heap(const Snapshot& snapshot) {
  const dynamics::HeapFigures figures = snapshot.integrator.heap(snapshot.step);
  append(figures.coordination);
  for (const double force : figures.force) append(force);
  append(figures.solver_error);
}

void History::append_contacts(const Snapshot& snapshot) {
  if (contacts_ == 0) return;
  const std::span<const double> gaps = gaps_.measure(snapshot.system, snapshot.state);
  forces_.resize(contacts_);
  const double duration = snapshot.state.time - last_time_;
  for (std::size_t k = 0; k < contacts_; ++k) {
    append(gaps[k]);
    forces_[k] = duration > 0 ? impulses_[k] / duration : 0;
    append(forces_[k]);
  }
}

void History::append_supports(const Snapshot& snapshot) {
  const double duration = snapshot.state.time - last_time_;
  for (std::size_t k = contacts_; k < impulses_.size(); ++k)
    append_known(duration > 0 ? impulses_[k] / duration : no_value);
}

/// At the instant of the row: ½ v·M v, and the potential energies of the configuration.
void History::append_body_energies(const Snapshot& snapshot) {
  if (told_.empty()) return;
  const std::vector<double> v = velocities(snapshot);
  for (const mechanics::NodalBody* body : told_) {
    const mechanics::Range range = body->dofs();
    double kinetic = 0;
    for (std::size_t k = 0; k < range.size; ++k)
      kinetic += 0.5 * body->mass()[k] * v[range.begin + k] * v[range.begin + k];
    const mechanics::PotentialEnergy potential = body->potential_energy(snapshot.system.exec(), snapshot.state.q);
    append(kinetic);
    append(potential.strain);
    append(potential.gravity);
  }
}

void History::append_probes(const Snapshot& snapshot) {
  const std::vector<double> values = probes_.sample(snapshot);
  errors_.add(snapshot.state.time, values, forces_);
  accelerations_.add(snapshot.state.time, values);
  for (const double value : values) append(value);
  for (const double value : accelerations_.values()) append_known(value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (errors_.knows_probe(i)) append(errors_.exact_probe(i));
  }
  for (std::size_t k = 0; k < contacts_; ++k) {
    if (errors_.knows_force(k)) append(errors_.exact_force(k));
  }
}

void History::exchange(Archive& archive) {
  errors_.exchange(archive);
  accelerations_.exchange(archive);
  archive.number("history.next", schedule_.next());
  archive.number("history.last_step", last_step_);
  archive.number("history.last_time", last_time_);
  archive.numbers("history.impulses", impulses_);
  archive.numbers("history.joints", joints_.numbers());
  file_.exchange(archive, "history");
}

}  // namespace ictus::observe
