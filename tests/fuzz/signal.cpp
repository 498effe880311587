#include <ictus/build/loads/signal_file.hpp>

#include "fuzz/attempt.hpp"
#include "fuzz/targets.hpp"

namespace ictus::fuzz {

void signal(std::string_view bytes) {
  static const Scratch scratch;
  const std::filesystem::path file = scratch.put("signal.csv", bytes);
  attempt([&] {
    const scene::TableSpec table = build::read_signal_file(file, scene::dimension::acceleration, 1.0);
    demand(table.times.size() == table.values.size() && table.times.size() >= 2, "a table has rows");
    for (std::size_t i = 1; i < table.times.size(); ++i) demand(table.times[i] > table.times[i - 1], "times grow");
  });
}

}  // namespace ictus::fuzz
