#pragma once

#include <ictus/observe/history/contact_log.hpp>
#include <ictus/observe/ledger/audit.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference_errors.hpp>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace ictus::observe {

/// What a summary tells of.
struct SummaryInput {
  std::string_view title;
  std::string_view case_name;  ///< empty: null
  std::string_view status;
  double wall_seconds;
  const dynamics::Snapshot& snapshot;
  const Ledger& ledger;
  const Reading& last;  ///< of the state in the snapshot
  const ProbeSet& probes;
  std::span<const double> probe_values;
  std::span<const double> accelerations;  ///< in the order of ProbeSet::rates
  const ReferenceErrors& errors;
  std::optional<Audit::Figures> audit = std::nullopt;
  ContactLog::Figures contacts = {};
  nlohmann::ordered_json joints = nlohmann::ordered_json::object();  ///< as JointLog tells of them
  nlohmann::ordered_json units = {};                                 ///< of the columns of history.csv and contacts.csv
};

/// summary.json. A value without meaning is null, as what speaks of contact in a scene that has none.
nlohmann::ordered_json make_summary(const SummaryInput& input);

}  // namespace ictus::observe
