#include <ictus/observe/probe/probe.hpp>

#include <ictus/contact/law/layer_load.hpp>

namespace ictus::observe {

ProbeSet::ProbeSet(std::vector<Probe> probes) : probes_(std::move(probes)) {
  for (const Probe& probe : probes_) {
    for (const std::string_view quantity : probe.quantities()) {
      constexpr std::string_view velocity = "velocity";
      if (quantity.starts_with(velocity))
        rates_.push_back(
            {columns_.size(), {probe.name, "acceleration" + std::string(quantity.substr(velocity.size()))}});
      columns_.push_back({probe.name, std::string(quantity)});
    }
  }
}

std::vector<double> ProbeSet::sample(const dynamics::Snapshot& snapshot) const {
  std::vector<double> values(columns_.size());
  if (values.empty()) return values;
  const std::vector<double> v = velocities(snapshot);
  const std::vector<model::LayerLoad> layers = contact::layer_loads(snapshot.system.pairs(), snapshot.state.q, v);
  std::size_t begin = 0;
  for (const Probe& probe : probes_) {
    const std::size_t size = probe.quantities().size();
    probe.read({snapshot.state.q, v, layers}, std::span(values).subspan(begin, size));
    begin += size;
  }
  return values;
}

Accelerations::Accelerations(std::span<const ProbeSet::Rate> rates)
    : velocities_(rates.size(), std::numeric_limits<double>::quiet_NaN()), values_(velocities_) {
  for (const ProbeSet::Rate& rate : rates) columns_.push_back(rate.velocity);
}

void Accelerations::add(double time, std::span<const double> probe_values) {
  const double duration = time - time_;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const double velocity = probe_values[columns_[i]];
    if (duration > 0) values_[i] = (velocity - velocities_[i]) / duration;
    velocities_[i] = velocity;
  }
  time_ = time;
}

void Accelerations::exchange(Archive& archive) {
  archive.number("history.accelerations.time", time_);
  archive.numbers("history.accelerations.velocities", velocities_);
  archive.numbers("history.accelerations.values", values_);
}

std::vector<double> velocities(const dynamics::Snapshot& snapshot) {
  std::vector<double> v(snapshot.state.p.size());
  snapshot.integrator.velocity(snapshot.system, snapshot.step, snapshot.state, v);
  return v;
}

}  // namespace ictus::observe
