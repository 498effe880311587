#pragma once

#include <filesystem>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/observe/history/growing_file.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ictus::observe {

/// Which impulses get a row.
enum class ContactRows {
  merged,    ///< all; beyond ten thousand rows those of one pair and node together, over longer and longer times
  impulses,  ///< all, one by one
  impacts,   ///< those of a pair that carried none in the step before
  none
};

/// contacts.csv: one row per impulse, with the names of the bodies, where and along which normal it acts, the energy
/// lost by it, and, from decomposition contact response, the kinetic energy in the parts of the momentum before it
/// (empty cells from other schemes). Rows of impulses that were merged have the time of the first, the mean position
/// and normal, and the sums of the rest: after every `rows_per_stretch` rows impulses of one pair and node are merged
/// over twice the time, so that a run of N steps writes not many more than rows_per_stretch (1 + log₂ N).
class ContactLog {
 public:
  static constexpr std::int64_t rows_per_stretch = 10000;

  /// Impulses that share a row to come.
  struct Sum {
    int pair = 0;
    int node = -1;  ///< the node that gets the largest share; −1: none
    dynamics::Impulse impulse;
  };
  struct Position {
    TextPosition file;
    std::vector<Sum> gathered{};
    std::vector<double> last{};  ///< as below
    double stretch_end = 0;
    std::int64_t impulses = 0;
  };
  /// What became of the impulses of the run.
  struct Figures {
    std::int64_t impulses = 0;  ///< that acted
    std::int64_t rows = 0;      ///< that tell of them
    double merged_over = 0;     ///< longest time over which impulses of one pair and node share a row (s)
  };

  ContactLog(const std::filesystem::path& file, const dynamics::System& system, ContactRows rows);

  /// The line of the columns' names.
  const std::string& columns() const { return file_.header(); }

  /// `step`: time between two instants at which a pair can carry impulses (s).
  void observe(const dynamics::StepReport& report, double step);
  /// Writes what has gathered: the run is over.
  void finish() { write_gathered(); }
  void publish() { file_.publish(); }

  Figures figures() const;
  Position position() const { return {file_.position(), gathered_, last_, stretch_end_, impulses_}; }
  void go_back(const Position& position);
  void exchange(Archive& archive);

 private:
  void gather(const dynamics::Impulse& impulse);
  void write_gathered();
  void write(const dynamics::Impulse& impulse);
  double stretch() const;
  void find_slots();

  ContactRows rows_;
  double step_ = 0;
  std::int64_t impulses_ = 0;
  std::vector<double> last_;                         // time of the last impulse of each pair
  std::vector<std::string> names_;                   // "first,second" of each pair, quoted where needed
  std::vector<Sum> gathered_;                        // in the order of their first impulses
  std::map<std::pair<int, int>, std::size_t> slot_;  // in gathered_, of each pair and node
  double stretch_end_ = 0;                           // time at which they are written
  GrowingFile file_;
};

}  // namespace ictus::observe
