#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <ictus/base/text_file.hpp>
#include <ictus/files/column_units.hpp>
#include <ictus/files/csv_table.hpp>

namespace ictus::files {
namespace {

using ::testing::HasSubstr;

TEST(ColumnUnits, AreAllInTheirPage) {
  const std::string page = base::read_whole_file(std::filesystem::path(ICTUS_SOURCE_DIR) / "docs" / "results.md");
  for (const auto& known : {described_history(), described_contacts(), described_summary()}) {
    for (const auto& [name, unit, meaning] : known)
      EXPECT_THAT(page, HasSubstr(fmt::format("| `{}` | {} | {} |\n", name, unit, meaning)));
  }
}

TEST(ColumnUnits, FollowNames) {
  EXPECT_EQ(unit_of(described_history(), "probe.a.b.velocity_x"), "m/s");
  EXPECT_EQ(unit_of(described_history(), "probe.top.angular_velocity"), "rad/s");
  EXPECT_EQ(unit_of(described_history(), "probe.velocity.x"), "m") << "a probe of that name";
  EXPECT_EQ(unit_of(described_history(), "angular_momentum.drift"), "1");
  EXPECT_EQ(unit_of(described_history(), "energy.loss.impact"), "J");
  EXPECT_EQ(unit_of(described_history(), "energy.loss.impact", true), "J/m");
  EXPECT_EQ(unit_of(described_history(), "time", true), "m");
  EXPECT_EQ(unit_of(described_history(), "probe.tip.colour"), std::nullopt);
  EXPECT_EQ(units_of_header(described_contacts(), "time,first,\"nx\"", false).dump(),
            R"({"time":"s","first":"text","nx":"1"})");
  EXPECT_THROW(units_of_header(described_history(), "time,mood", false), std::logic_error);
}

}  // namespace
}  // namespace ictus::files
