#include <gtest/gtest.h>

#include <ictus/base/error.hpp>

namespace ictus::base {
namespace {

TEST(InputError, ListsEveryMistakeWithItsLocation) {
  const InputError error({{"scene.yaml", 3, "bodies.left.length", "must be positive"}, {"", 0, "time", "is missing"}});
  EXPECT_STREQ(error.what(), "scene.yaml:3: bodies.left.length: must be positive\ntime: is missing");
  EXPECT_EQ(error.mistakes().size(), 2u);
}

}  // namespace
}  // namespace ictus::base
