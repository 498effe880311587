#include <ictus/scene/text/document.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace ictus::scene {
namespace {

std::vector<std::filesystem::path> shipped_cases() {
  std::vector<std::filesystem::path> cases;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(ICTUS_SOURCE_DIR) / "cases"))
    if (entry.path().extension() == ".yaml") cases.push_back(entry.path());
  std::ranges::sort(cases);
  return cases;
}

/// Whether a case says what a figure of its summary must be: a lower bound alone says nothing of an error.
bool bounds(const Scene& scene, std::string_view path) {
  return std::ranges::any_of(scene.expect, [&](const Expectation& expectation) {
    const Condition& wanted = expectation.condition;
    return expectation.path == path && (wanted.max || wanted.near || wanted.equals);
  });
}

bool is_surface(const Scene& scene, const std::string& name) {
  const Body* body = scene.bodies.find(name);
  return body == nullptr || std::holds_alternative<ShellSpec>(*body) || std::holds_alternative<SolidSpec>(*body);
}

/// Whether triangles of two surfaces, or of one with itself, may meet.
bool has_surfaces_in_contact(const Scene& scene) {
  return std::ranges::any_of(scene.contacts, [&](const ContactSpec& contact) {
    return contact.self_contact || (is_surface(scene, contact.between[0]) && is_surface(scene, contact.between[1]));
  });
}

TEST(ShippedCases, EachBoundsTheErrorOfItsEnergyAndWhatItsLedgerCannotExplain) {
  const auto cases = shipped_cases();
  ASSERT_GE(cases.size(), 40U);
  for (const auto& path : cases) {
    const Scene scene = read_file(path.string()).scene;
    for (const std::string_view figure : {"energy.error", "energy.residual_max"})
      EXPECT_TRUE(bounds(scene, figure)) << path << " does not bound " << figure;
  }
}

TEST(ShippedCases, EachWithSurfacesInContactCountsThePairsThatCross) {
  for (const auto& path : shipped_cases()) {
    const Scene scene = read_file(path.string()).scene;
    EXPECT_TRUE(!has_surfaces_in_contact(scene) || bounds(scene, "contact.intersecting_pairs_max")) << path;
  }
}

}  // namespace
}  // namespace ictus::scene
