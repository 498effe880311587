#pragma once

#include <ictus/contact/audit/crossing_audit.hpp>
#include <ictus/dynamics/system/observer.hpp>
#include <ictus/observe/checkpoint/archive.hpp>
#include <optional>

namespace ictus::observe {

/// Counts, every few steps, triangles of surfaces in contact that pass through each other.
class Audit {
 public:
  struct Figures {
    std::int64_t states = 0;        ///< looked at
    std::int64_t intersecting = 0;  ///< with a crossing
    std::int64_t max_pairs = 0;     ///< crossing triangle pairs in one state
  };

  /// `every` steps; none: never.
  Audit(const dynamics::System& system, std::optional<int> every) : skins_(system.pairs()), every_(every) {}

  void observe(const dynamics::Snapshot& snapshot);
  /// Steps until the next audit.
  std::int64_t patience(const dynamics::Snapshot& snapshot) const;
  /// None where nothing is audited.
  std::optional<Figures> figures() const { return every_ ? std::optional(figures_) : std::nullopt; }
  void exchange(Archive& archive);

 private:
  contact::Skins skins_;
  contact::CrossingAudit audit_;
  std::vector<contact::Crossing> crossings_;
  std::optional<int> every_;
  Figures figures_;
};

}  // namespace ictus::observe
