#include <ictus/observe/checkpoint/build_identity.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>
#include <ictus/observe/history/growing_file.hpp>
#include <ictus/run/resumed_state.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

namespace {

std::vector<double> some_values(Bytes& bytes) {
  std::vector<double> values(bytes.byte() % 8);
  for (double& value : values) value = bytes.byte() < 200 ? bytes.byte() % 8 : bytes.value<double>();
  return values;
}

model::State first_state() {
  model::State state{0, 0, {1, 2, 3, 4}, {5, 6, 7, 8}, {}};
  state.memory = {{"closed", {0, 0}},
                  {"contact.touched", {}},
                  {"contact.pushed", {}},
                  {"contact.lasting", {}},
                  {"contact.anchors", {}}};
  return state;
}

/// A state as a file might hold it: that of the run with some of its arrays replaced.
model::State any_state(Bytes& bytes) {
  model::State state = first_state();
  state.step = bytes.byte() < 128 ? bytes.byte() % 12 : bytes.value<std::int64_t>();
  state.time = bytes.byte() < 128 ? 0.5 : bytes.value<double>();
  if (bytes.byte() % 4 == 0) state.q = some_values(bytes);
  if (bytes.byte() % 4 == 0) state.p = some_values(bytes);
  for (model::Memory& array : state.memory) {
    if (bytes.byte() % 2 == 0) array.values = some_values(bytes);
    if (bytes.byte() == 255) array.name = "other";
  }
  return state;
}

/// A state that is taken can be used: its indices lead to unknowns.
void take_up(const model::State& state) {
  run::check_resumed_state(first_state(), 10, "checkpoint.h5", state);
  for (const double unknown : state.memory[1].values) demand(unknown >= 0 && unknown < 4, "an index is of an unknown");
  demand(state.memory[1].values.size() == state.memory[2].values.size(), "columns of a table are equally long");
}

}  // namespace

void checkpoint(std::string_view input) {
  static const Scratch scratch;
  static const std::filesystem::path rows = scratch.put("history.csv", "time,energy\n0,1\n1,2\n");
  Bytes bytes(input);
  if (bytes.byte() % 2 == 0) {
    const std::filesystem::path file = scratch.put("checkpoint.h5", bytes.rest());
    return attempt([&] { observe::read_checkpoint(file); });
  }
  observe::Checkpoint made{{}, std::string(observe::build_identity()), "title: x\n", any_state(bytes), {}};
  for (const char* name : {"history.bytes", "history.rows", "history.digest.high", "history.digest.low"})
    made.record.push_back({name, some_values(bytes)});
  attempt([&] { take_up(made.state); });
  attempt([&] {
    observe::Archive archive(made.record, "checkpoint.h5");
    observe::GrowingFile(rows, "time,energy").exchange(archive, "history");
  });
}

}  // namespace ictus::fuzz
