#include <ictus/observe/history/history.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/files/csv_text.hpp>
#include <stdexcept>

namespace ictus::observe {

using dynamics::Snapshot;
using model::Loss;
using model::Store;

namespace {

std::string_view name(Store store) { return model::store_names[static_cast<std::size_t>(store)]; }
std::string_view name(Loss loss) { return model::loss_names[static_cast<std::size_t>(loss)]; }

template <class Index>
bool contains(const std::vector<Index>& list, std::size_t i) {
  return std::find(list.begin(), list.end(), static_cast<Index>(i)) != list.end();
}

/// An energy that the history has no column for would be hidden from it.
void require_columns(const dynamics::Capabilities& capabilities, const Reading& reading) {
  constexpr std::size_t own_columns = 3;  // kinetic, strain, potential
  for (std::size_t i = own_columns; i < model::Stored::size; ++i) {
    if (reading.stored[static_cast<Store>(i)] != 0 && !contains(capabilities.stores, i))
      throw std::logic_error(
          fmt::format("energy is stored as {}, for which there is no column", model::store_names[i]));
  }
  for (std::size_t i = 0; i < model::Lost::size; ++i) {
    if (reading.lost[static_cast<Loss>(i)] != 0 && !contains(capabilities.losses, i))
      throw std::logic_error(fmt::format("energy is lost by {}, for which there is no column", model::loss_names[i]));
  }
}

}  // namespace

History::History(const std::filesystem::path& file, const HistoryOptions& options, const dynamics::System& system,
                 const dynamics::Integrator& integrator)
    : capabilities_(integrator.capabilities()),
      probes_(options.probes),
      gaps_(system),
      errors_(options.reference, probes_.columns().size(), gaps_.size()),
      schedule_(options.every),
      impulses_(gaps_.size()),
      file_(file, header(gaps_.size())) {}

bool History::has_column(Loss loss) const { return contains(capabilities_.losses, static_cast<std::size_t>(loss)); }

std::string History::header(std::size_t pairs) const {
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
  for (std::size_t k = 0; k < pairs; ++k) line += fmt::format(",contact.{0}.gap,contact.{0}.force", k);
  const auto columns = probes_.columns();
  for (const auto& [probe, quantity] : columns) column(fmt::format("probe.{}.{}", probe, quantity));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (errors_.knows_probe(i)) column(fmt::format("exact.probe.{}.{}", columns[i].probe, columns[i].quantity));
  }
  for (std::size_t k = 0; k < pairs; ++k) {
    if (errors_.knows_force(k)) line += fmt::format(",exact.contact.{}.force", k);
  }
  return line;
}

void History::observe(const dynamics::StepReport& report) {
  for (const dynamics::Impulse& impulse : report.impulses)
    impulses_[gaps_.contact_of(impulse.pair)] += impulse.normal_impulse;
}

bool History::due(const Snapshot& snapshot) const { return schedule_.due(snapshot.state.time, snapshot.step); }

void History::write_row(const Snapshot& snapshot, const Reading& reading, const Ledger& ledger) {
  files::append_number(file_.row(), reading.time);
  append_energies(reading, ledger.account().sums);
  append_momenta(reading, ledger);
  if (capabilities_.heap) append_heap(snapshot);
  append_contacts(snapshot);
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
  if (impulses_.empty()) return;
  const std::span<const double> gaps = gaps_.measure(snapshot.system, snapshot.state);
  forces_.resize(impulses_.size());
  const double duration = snapshot.state.time - last_time_;
  for (std::size_t k = 0; k < impulses_.size(); ++k) {
    append(gaps[k]);
    forces_[k] = duration > 0 ? impulses_[k] / duration : 0;
    append(forces_[k]);
  }
}

void History::append_probes(const Snapshot& snapshot) {
  const std::vector<double> values = probes_.sample(snapshot);
  errors_.add(snapshot.state.time, values, forces_);
  for (const double value : values) append(value);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (errors_.knows_probe(i)) append(errors_.exact_probe(i));
  }
  for (std::size_t k = 0; k < impulses_.size(); ++k) {
    if (errors_.knows_force(k)) append(errors_.exact_force(k));
  }
}

void History::exchange(Archive& archive) {
  errors_.exchange(archive);
  archive.number("history.next", schedule_.next());
  archive.number("history.last_step", last_step_);
  archive.number("history.last_time", last_time_);
  archive.numbers("history.impulses", impulses_);
  file_.exchange(archive, "history");
}

}  // namespace ictus::observe
