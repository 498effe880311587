#pragma once

#include <filesystem>
#include <ictus/observe/history/growing_file.hpp>
#include <ictus/observe/history/joint_log.hpp>
#include <ictus/observe/history/schedule.hpp>
#include <ictus/observe/ledger/ledger.hpp>
#include <ictus/observe/probe/contact_gaps.hpp>
#include <ictus/observe/probe/probe.hpp>
#include <ictus/observe/probe/reference_errors.hpp>
#include <span>
#include <string>
#include <vector>

namespace ictus::observe {

struct HistoryOptions {
  double every = 0;  ///< s between rows, > 0
  std::vector<Probe> probes;
  std::shared_ptr<const Reference> reference{};  ///< may be empty
  bool body_energies = false;                    ///< the energies of each body with lumped masses
};

/// history.csv: energies (J), momenta (N s, N m s) and their drift, gap (m) and mean force since the last row (N) of
/// each contact of the scene, joints, mean force and moment of the supports of each body that has some, energies of
/// bodies, probes with their accelerations, and the reference solution beside them. The columns are fixed from the
/// start: those of the energies by what the integrator can store and lose.
class History {
 public:
  History(const std::filesystem::path& file, const HistoryOptions& options, const dynamics::System& system,
          const dynamics::Integrator& integrator);

  /// The line of the columns' names.
  const std::string& columns() const { return file_.header(); }

  /// Every step: takes note of the impulses.
  void observe(const dynamics::StepReport& report);
  bool due(const dynamics::Snapshot& snapshot) const;
  /// Steps until it is.
  std::int64_t patience(const dynamics::Snapshot& snapshot) const;
  void write_row(const dynamics::Snapshot& snapshot, const Reading& reading, const Ledger& ledger);
  /// Whether the last row is that of this step.
  bool has_row(const dynamics::Snapshot& snapshot) const { return last_step_ == snapshot.state.step; }
  bool has_column(model::Loss loss) const;
  void publish() { file_.publish(); }

  const ProbeSet& probes() const { return probes_; }
  const ReferenceErrors& errors() const { return errors_; }
  const Accelerations& accelerations() const { return accelerations_; }

  const JointLog& joints() const { return joints_; }

  /// What has gathered since the last row: the impulse of each contact, then impulse and its moment of the
  /// supports of each body, and what joints did.
  struct Gathered {
    std::vector<double> impulses, joints;
  };
  Gathered gathered() const { return {impulses_, joints_.numbers()}; }
  void restore(const Gathered& gathered) {
    impulses_ = gathered.impulses;
    joints_.numbers() = gathered.joints;
  }

  void exchange(Archive& archive);

 private:
  std::string header() const;
  void append_energies(const Reading& reading, const StepSums& sums);
  void append_momenta(const Reading& reading, const Ledger& ledger);
  void append_heap(const dynamics::Snapshot& snapshot);
  void append_contacts(const dynamics::Snapshot& snapshot);
  void append_supports(const dynamics::Snapshot& snapshot);
  void append_body_energies(const dynamics::Snapshot& snapshot);
  void append_probes(const dynamics::Snapshot& snapshot);
  void append(double value);
  /// Leaves the cell empty where there is no number.
  void append_known(double value);

  /// A body whose supports the reports tell of, by its number among those with lumped masses.
  struct Supported {
    std::size_t number;
    std::string name;
  };
  static std::vector<Supported> supported_bodies(const dynamics::System& system,
                                                 const dynamics::Integrator& integrator);
  static std::vector<const mechanics::NodalBody*> told_bodies(const dynamics::System& system, bool tell);

  dynamics::Capabilities capabilities_;
  ProbeSet probes_;
  ContactGaps gaps_;
  Accelerations accelerations_;
  std::size_t contacts_;  // of the scene
  std::vector<Supported> supported_;
  std::vector<const mechanics::NodalBody*> told_;  // with their energies
  ReferenceErrors errors_;
  Schedule schedule_;
  std::int64_t last_step_ = -1;
  double last_time_ = 0;
  std::vector<double> impulses_;
  std::vector<double> forces_;  // at a row
  JointLog joints_;
  std::vector<double> of_joints_;  // at a row
  GrowingFile file_;
};

}  // namespace ictus::observe
