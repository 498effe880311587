#include <gtest/gtest.h>

#include <ictus/study/figure_table.hpp>

namespace ictus::study {
namespace {

const FigureTable figures{{"name", "error", "events", "why, if refused"},
                          {{std::string("cd-lagrange"), 0.1 + 0.2, std::int64_t{1}, Cell()},
                           {std::string("dcr"), Cell(), Cell(), std::string("a \"step\" too large")}}};

TEST(FigureTable, CsvKeepsEveryDigitAndQuotesWhatItMust) {
  EXPECT_EQ(to_csv(figures),
            "name,error,events,\"why, if refused\"\n"
            "cd-lagrange,0.30000000000000004,1,\n"
            "dcr,,,\"a \"\"step\"\" too large\"\n");
}

TEST(FigureTable, TextAlignsWordsLeftAndNumbersRight) {
  EXPECT_EQ(to_text(figures),
            "name         error  events  why, if refused\n"
            "cd-lagrange    0.3       1  -\n"
            "dcr              -       -  a \"step\" too large\n");
}

TEST(FigureTable, WithoutRowsThereAreOnlyTheHeadings) {
  EXPECT_EQ(to_csv({{"a", "b"}, {}}), "a,b\n");
  EXPECT_EQ(to_text({{"a", "b"}, {}}), "a  b\n");
}

}  // namespace
}  // namespace ictus::study
