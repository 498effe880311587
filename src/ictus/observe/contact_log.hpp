#pragma once

#include <filesystem>
#include <ictus/dynamics/step_report.hpp>
#include <ictus/dynamics/system.hpp>
#include <ictus/observe/growing_file.hpp>
#include <string>
#include <vector>

namespace ictus::observe {

/// contacts.csv: one row per impulse (surfaces: one per pair of bodies and step), with the names of the bodies, where
/// and along which normal it acts, the energy lost by it, and, from decomposition contact response, the kinetic energy
/// in the parts of the momentum before it.
class ContactLog {
 public:
  ContactLog(const std::filesystem::path& file, const dynamics::System& system);

  void observe(const dynamics::StepReport& report);
  void publish(Flush flush) { file_.publish(flush); }

  TextPosition position() const { return file_.position(); }
  void go_back(const TextPosition& position) { file_.go_back(position); }
  void exchange(Archive& archive);

 private:
  std::vector<std::string> names_;  // "first,second" of each pair, quoted where needed
  GrowingFile file_;
};

}  // namespace ictus::observe
