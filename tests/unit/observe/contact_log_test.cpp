#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ictus/files/csv_table.hpp>
#include <ictus/files/run_files.hpp>
#include <ictus/observe/history/contact_log.hpp>

#include "structure/two_bars.hpp"
#include "support/temporary_folder.hpp"

namespace ictus::observe {
namespace {

using ictus::testing::read;
using ictus::testing::TemporaryFolder;

constexpr double log_step = 1e-3;

/// Two impulses in every step, on nodes of their own, and a third one now and then.
std::vector<dynamics::Impulse> impulses_of(int step) {
  std::vector<dynamics::Impulse> impulses;
  const double time = step * log_step;
  for (int node = 0; node < (step % 7 == 0 ? 3 : 2); ++node) {
    dynamics::Impulse impulse{time, 0, {0.1 * node, 0, 1e-4 * step}, {0, 0, 1}, 1 + 1e-3 * node, 0.5, 0.25};
    impulse.node[0] = 3 * node;
    impulse.share[0] = 1;
    impulses.push_back(impulse);
  }
  return impulses;
}

void feed(ContactLog& log, int from, int to) {
  for (int step = from; step < to; ++step) {
    const std::vector<dynamics::Impulse> impulses = impulses_of(step);
    dynamics::StepReport report;
    report.impulses = impulses;
    log.observe(report, log_step);
  }
}

double total(const files::CsvTable& table, std::string_view column) {
  double sum = 0;
  for (const double value : table.find(column)->numbers) sum += value;
  return sum;
}

TEST(ContactLog, GrowsWithTheLogarithmOfTheRunAndKeepsItsSums) {
  const TemporaryFolder folder;
  const dynamics::System system = ictus::testing::bars_in_a_row(ictus::testing::steel_bars(2));
  ContactLog log(folder.path() / "contacts.csv", system, ContactRows::merged);
  constexpr int steps = 60000;
  feed(log, 0, steps);
  log.finish();
  log.publish();
  double normal = 0, tangential = 0, lost = 0;
  std::int64_t count = 0;
  for (int step = 0; step < steps; ++step) {
    for (const dynamics::Impulse& impulse : impulses_of(step)) {
      normal += impulse.normal_impulse;
      tangential += impulse.tangential_impulse;
      lost += impulse.energy_lost;
      ++count;
    }
  }
  const files::CsvTable table = files::read_contacts(folder.path() / "contacts.csv");
  EXPECT_EQ(log.figures().impulses, count);
  EXPECT_EQ(log.figures().rows, static_cast<std::int64_t>(table.rows));
  EXPECT_GT(log.figures().merged_over, log_step);
  EXPECT_LT(static_cast<double>(table.rows), ContactLog::rows_per_stretch * (1 + std::log2(steps)));
  EXPECT_LT(table.rows, static_cast<std::size_t>(count) / 2);
  EXPECT_NEAR(total(table, "normal_impulse"), normal, 1e-12 * normal);
  EXPECT_NEAR(total(table, "tangential_impulse"), tangential, 1e-12 * tangential);
  EXPECT_NEAR(total(table, "energy_lost"), lost, 1e-12 * lost);
  // One by one at first, then each where it acts.
  EXPECT_EQ(table.find("normal_impulse")->numbers[1], 1.001);
  for (const double x : table.find("x")->numbers) EXPECT_LT(std::abs(x - 0.1 * std::round(10 * x)), 1e-12);
}

/// Impulses of two pairs in turns of different lengths, each with a size of its own.
TEST(ContactLog, EachPairKeepsItsImpulsesInTheOrderOfTime) {
  const TemporaryFolder folder;
  auto bars = ictus::testing::steel_bars(2);
  bars.push_back(bars[1]);
  const dynamics::System system = ictus::testing::bars_in_a_row(bars);
  ASSERT_EQ(system.pairs().size(), 2U);
  constexpr int steps = 50000;
  const auto run = [&](ContactRows rows) {
    const auto file = folder.path() / "pairs.csv";
    ContactLog log(file, system, rows);
    for (int step = 0; step < steps; ++step) {
      std::vector<dynamics::Impulse> impulses;
      for (int pair = 0; pair < 2; ++pair)
        if (step % (2 + 3 * pair) < 1 + pair)
          impulses.push_back({step * log_step, pair, {}, {1, 0, 0}, 1.0 + 2 * pair});
      dynamics::StepReport report;
      report.impulses = impulses;
      log.observe(report, log_step);
    }
    log.finish();
    log.publish();
    return files::read_contacts(file);
  };
  const files::CsvTable merged = run(ContactRows::merged), all = run(ContactRows::impulses);
  EXPECT_EQ(all.rows, static_cast<std::size_t>(steps / 2 + 2 * steps / 5));
  EXPECT_GT(merged.rows, static_cast<std::size_t>(ContactLog::rows_per_stretch));
  EXPECT_LT(merged.rows, all.rows);
  for (const files::CsvTable* table : {&merged, &all}) {
    const auto& time = table->find("time")->numbers;
    EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
    for (const auto& [name, expected] : {std::pair{std::string("bar0"), 0.5 * steps}, {"bar1", 3.0 * 2 * steps / 5}}) {
      const files::CsvColumn& first = *table->find("first");
      double sum = 0;
      for (std::size_t i = 0; i < table->rows; ++i)
        if (first.words[first.text[i]] == name) sum += table->find("normal_impulse")->numbers[i];
      EXPECT_NEAR(sum, expected, 1e-9 * expected) << name;
    }
  }
}

TEST(ContactLog, GoesOnAfterAnInterruptionAsIfThereWasNone) {
  const TemporaryFolder folder;
  const dynamics::System system = ictus::testing::bars_in_a_row(ictus::testing::steel_bars(2));
  const auto whole = folder.path() / "whole.csv", parts = folder.path() / "parts.csv";
  ContactLog log(whole, system, ContactRows::merged);
  feed(log, 0, 20000);
  log.finish();
  log.publish();
  Archive saved;
  {
    ContactLog first(parts, system, ContactRows::merged);
    feed(first, 0, 13001);
    first.publish();
    first.exchange(saved);
  }
  ContactLog second(parts, system, ContactRows::merged);
  Archive restored(saved.saved(), "checkpoint");
  second.exchange(restored);
  feed(second, 13001, 15000);
  const ContactLog::Position position = second.position();
  feed(second, 15000, 15100);
  second.go_back(position);
  feed(second, 15000, 20000);
  second.finish();
  second.publish();
  EXPECT_EQ(read(parts), read(whole));
}

}  // namespace
}  // namespace ictus::observe
