#include <ictus/observe/probe/probe.hpp>

#include <ictus/contact/law/layer_load.hpp>

namespace ictus::observe {

ProbeSet::ProbeSet(std::vector<Probe> probes) : probes_(std::move(probes)) {
  for (const Probe& probe : probes_) {
    for (const std::string_view quantity : probe.body->probe_quantities())
      columns_.push_back({probe.name, std::string(quantity)});
  }
}

std::vector<double> ProbeSet::sample(const dynamics::Snapshot& snapshot) const {
  std::vector<double> values(columns_.size());
  if (values.empty()) return values;
  const std::vector<double> v = velocities(snapshot);
  const std::vector<model::LayerLoad> layers = contact::layer_loads(snapshot.system.pairs(), snapshot.state.q, v);
  std::size_t begin = 0;
  for (const Probe& probe : probes_) {
    const std::size_t size = probe.body->probe_quantities().size();
    probe.body->probe(probe.fraction, {snapshot.state.q, v, layers}, std::span(values).subspan(begin, size));
    begin += size;
  }
  return values;
}

std::vector<double> velocities(const dynamics::Snapshot& snapshot) {
  std::vector<double> v(snapshot.state.p.size());
  snapshot.integrator.velocity(snapshot.system, snapshot.step, snapshot.state, v);
  return v;
}

}  // namespace ictus::observe
