#include <ictus/run/resumed_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ictus/base/error.hpp>
#include <string_view>

namespace ictus::run {

namespace {

/// An array of State::memory whose length each step chooses; all others keep that of the start.
struct VaryingArray {
  std::string_view name;
  std::size_t record = 1;        ///< numbers of each thing in it
  bool of_dofs = false;          ///< the values are numbers of dofs
  std::string_view column_of{};  ///< the array that is as long
};
constexpr std::array varying_arrays{
    VaryingArray{"contact.touched", 1, true},
    VaryingArray{"contact.pushed", 1, false, "contact.touched"},
    VaryingArray{"bank.unknown", 1, true},
    VaryingArray{"bank.energy", 1, false, "bank.unknown"},
    VaryingArray{"bank.hit", 1, false, "bank.unknown"},
    VaryingArray{"contact.lasting", 12},  // contact::LastingContacts
    VaryingArray{"contact.anchors"},
    VaryingArray{"contacts", 21},  // dynamics::RigidMemory
};

const VaryingArray* find_varying(std::string_view name) {
  const auto found = std::find_if(varying_arrays.begin(), varying_arrays.end(),
                                  [&](const VaryingArray& array) { return array.name == name; });
  return found == varying_arrays.end() ? nullptr : &*found;
}

class StateCheck {
 public:
  StateCheck(const model::State& fresh, const std::string& file) : fresh_(fresh), file_(file) {}

  void times(const model::State& saved, std::int64_t steps) const {
    if (saved.step < 0 || saved.step > steps)
      refuse(fmt::format("is of step {}, and the run has {}", saved.step, steps));
    if (!std::isfinite(saved.time)) refuse("is of a time that is not a number");
  }

  void dofs(const char* name, const std::vector<double>& saved, const std::vector<double>& fresh) const {
    if (saved.size() != fresh.size())
      refuse(fmt::format("has {} values of {}, where this run has {}", saved.size(), name, fresh.size()));
    for (std::size_t k = 0; k < saved.size(); ++k) {
      if (!std::isfinite(saved[k])) refuse(fmt::format("{} of unknown {} is not a number", name, k));
    }
  }

  void memory(const std::vector<model::Memory>& saved) const {
    if (saved.size() != fresh_.memory.size())
      refuse(fmt::format("has {} arrays in memory, where this run has {}", saved.size(), fresh_.memory.size()));
    for (std::size_t i = 0; i < saved.size(); ++i) {
      const model::Memory &array = saved[i], &like = fresh_.memory[i];
      if (array.name != like.name) refuse(fmt::format("has {} where this run has {}", array.name, like.name));
      extent(array, like, saved);
      values(array);
    }
  }

 private:
  [[noreturn]] void refuse(std::string message) const {
    throw base::InputError({file_, 0, "", std::move(message) + "; it is damaged, or not of this run"});
  }

  void extent(const model::Memory& array, const model::Memory& like, const std::vector<model::Memory>& saved) const {
    const VaryingArray* varying = find_varying(like.name);
    const std::size_t size = array.values.size();
    if (!varying && size != like.values.size())
      refuse(fmt::format("has {} values of {}, where this run has {}", size, like.name, like.values.size()));
    if (varying && size % varying->record != 0)
      refuse(fmt::format("has {} values of {}, which are no records of {}", size, like.name, varying->record));
    if (!varying || varying->column_of.empty()) return;
    const auto other = std::find_if(saved.begin(), saved.end(),
                                    [&](const model::Memory& column) { return column.name == varying->column_of; });
    if (other != saved.end() && other->values.size() != size)
      refuse(fmt::format("has {} values of {}, and {} of {}", size, like.name, other->values.size(), other->name));
  }

  void values(const model::Memory& array) const {
    const VaryingArray* varying = find_varying(array.name);
    const auto dofs = static_cast<double>(fresh_.p.size());
    for (const double value : array.values) {
      if (std::isnan(value)) refuse(fmt::format("{} has a value that is not a number", array.name));
      if (varying && varying->of_dofs && !(value >= 0 && value < dofs && value == std::floor(value)))
        refuse(fmt::format("{} names unknown {:g}, of {:g}", array.name, value, dofs));
    }
  }

  const model::State& fresh_;
  const std::string& file_;
};

}  // namespace

void check_resumed_state(const model::State& fresh, std::int64_t steps, const std::string& file,
                         const model::State& saved) {
  const StateCheck check(fresh, file);
  check.times(saved, steps);
  check.dofs("q", saved.q, fresh.q);
  check.dofs("p", saved.p, fresh.p);
  check.memory(saved.memory);
}

}  // namespace ictus::run
