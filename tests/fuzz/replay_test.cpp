#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/targets.hpp"

namespace ictus::fuzz {
namespace {

namespace fs = std::filesystem;

class Replay : public ::testing::TestWithParam<Target> {};

/// Inputs that once led to a defect, and what the fuzzers reached most of the code with. A defect ends the process.
TEST_P(Replay, OfWhatWasFoundGoesWell) {
  int inputs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(ICTUS_FUZZ_DATA) / GetParam().name)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    SCOPED_TRACE(entry.path());
    GetParam().read(bytes);
    ++inputs;
  }
  EXPECT_GT(inputs, 3);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Replay, ::testing::ValuesIn(targets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace ictus::fuzz
