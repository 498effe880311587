#pragma once

#include <filesystem>
#include <ictus/dynamics/step_report.hpp>
#include <ictus/dynamics/system.hpp>
#include <ictus/observe/growing_file.hpp>
#include <string>
#include <vector>

namespace ictus::observe {

/// Which impulses get a row.
enum class ContactRows {
  impulses,
  impacts,  ///< those of a pair that carried none in the step before
  none
};

/// contacts.csv: one row per impulse (surfaces: one per pair of bodies and step), with the names of the bodies, where
/// and along which normal it acts, the energy lost by it, and, from decomposition contact response, the kinetic energy
/// in the parts of the momentum before it (empty cells from other schemes).
class ContactLog {
 public:
  ContactLog(const std::filesystem::path& file, const dynamics::System& system, ContactRows rows);

  /// `step`: time between two instants at which a pair can carry impulses (s).
  void observe(const dynamics::StepReport& report, double step);
  void publish(Flush flush) { file_.publish(flush); }

  TextPosition position() const { return file_.position(); }
  void go_back(const TextPosition& position) { file_.go_back(position); }
  void exchange(Archive& archive);

 private:
  void write(const dynamics::Impulse& impulse);

  ContactRows rows_;
  std::vector<double> last_;        // time of the last impulse of each pair
  std::vector<std::string> names_;  // "first,second" of each pair, quoted where needed
  GrowingFile file_;
};

}  // namespace ictus::observe
