#include <ictus/observe/record/summary.hpp>

#include <ictus/base/version.hpp>
#include <ictus/observe/checkpoint/build_identity.hpp>

namespace ictus::observe {

using Json = nlohmann::ordered_json;

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json energy(const SummaryInput& input) {
  const Ledger::Account& account = input.ledger.account();
  Json losses = Json::object();
  for (const model::Loss loss : input.snapshot.integrator.capabilities(input.snapshot.system).losses) {
    losses[std::string(model::loss_names[static_cast<std::size_t>(loss)])] = input.last.lost[loss];
  }
  return {{"error", input.ledger.max_relative_error()},
          {"losses", losses},
          {"residual_max", input.ledger.max_relative_residual()},
          {"initial", account.initial_energy},
          {"final", input.last.total},
          {"external_work", account.sums.external_work.value()},
          {"change_max", input.ledger.max_relative_change()},
          {"scale", input.ledger.scale()}};
}

Json contact(const SummaryInput& input) {
  const StepSums& sums = input.ledger.account().sums;
  const bool possible = !input.snapshot.system.pairs().empty();
  const auto where_possible = [&](auto value) { return possible ? Json(value) : Json(nullptr); };
  const auto audited = [&](std::int64_t Audit::Figures::*figure) {
    return input.audit ? Json((*input.audit).*figure) : Json(nullptr);
  };
  return {{"events", where_possible(sums.closings)},
          {"first_time", or_null(sums.first_impulse_time)},
          {"last_time", or_null(sums.last_impulse_time)},
          {"total_impulse", where_possible(sums.total_impulse.value())},
          {"max_penetration", where_possible(sums.max_penetration)},
          {"fallbacks", sums.fallbacks},
          {"fallback_error", sums.fallback_error},
          {"impulses", input.contacts.impulses},
          {"rows", input.contacts.rows},
          {"rows_merged_over", input.contacts.merged_over},
          {"audited_states", audited(&Audit::Figures::states)},
          {"intersecting_states", audited(&Audit::Figures::intersecting)},
          {"intersecting_pairs_max", audited(&Audit::Figures::max_pairs)}};
}

Json probes(const SummaryInput& input) {
  Json result = Json::object();
  const auto columns = input.probes.columns();
  for (std::size_t i = 0; i < columns.size(); ++i)
    result[columns[i].probe][columns[i].quantity] = input.probe_values[i];
  const auto rates = input.probes.rates();
  for (std::size_t i = 0; i < rates.size(); ++i)
    result[rates[i].acceleration.probe][rates[i].acceleration.quantity] =
        input.accelerations[i];  // null where it is not a number
  return result;
}

Json extra(const SummaryInput& input) {
  Json result = Json::object();
  for (const auto& [name, value] : input.snapshot.integrator.extras(input.snapshot.state)) result[name] = value;
  const bool knows_trapezoid = Ledger::knows_trapezoid(input.snapshot);
  result["energy_trapezoid_error"] = knows_trapezoid ? Json(input.ledger.max_trapezoid_error()) : Json(nullptr);
  result["energy_excess"] = knows_trapezoid ? Json(input.ledger.max_relative_excess()) : Json(nullptr);
  const auto columns = input.probes.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!input.errors.knows_probe(i)) continue;
    result["error"][columns[i].probe][columns[i].quantity] = or_null(input.errors.probe_error(i));
  }
  for (std::size_t k = 0; k < input.snapshot.system.pairs().size(); ++k) {
    if (input.errors.knows_force(k)) result["contact_force_error"].push_back(or_null(input.errors.force_error(k)));
  }
  return result;
}

}  // namespace

Json make_summary(const SummaryInput& input) {
  const model::State& state = input.snapshot.state;
  return {
      {"ictus", {{"version", base::version}, {"schema", base::schema_version}, {"build", build_identity()}}},
      {"scene", {{"title", input.title}, {"case", input.case_name.empty() ? Json(nullptr) : Json(input.case_name)}}},
      {"integrator", input.snapshot.integrator.name()},
      {"status", input.status},
      {"time",
       {{"end", state.time},
        {"step", input.snapshot.step / input.snapshot.integrator.stride()},
        {"steps", state.step * input.snapshot.integrator.stride()},
        {"wall_seconds", input.wall_seconds}}},
      {"energy", energy(input)},
      {"momentum",
       {{"linear_drift", input.ledger.max_linear_drift()}, {"angular_drift", input.ledger.max_angular_drift()}}},
      {"contact", contact(input)},
      {"joints", input.joints},
      {"probes", probes(input)},
      {"extra", extra(input)},
      {"units", input.units}};
}

}  // namespace ictus::observe
