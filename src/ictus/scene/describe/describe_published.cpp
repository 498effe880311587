#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

namespace {

Object<RivalSpec> rival() {
  Object<RivalSpec> object("rival", "What another program is published to give.");
  object.required("by", &RivalSpec::by, text("who published it"), "The program, and where it is published.")
      .required("value", &RivalSpec::value, number(), "Its number, in the same unit.");
  return object;
}

void check_window(const PublishedSpec& spec, const std::string& path, Reading& reading) {
  const auto needs_take = [&](const char* key, bool given) {
    if (given && !spec.take)
      reading.mistake(path + "." + key,
                      "needs take: it chooses rows of history.csv, and without take the number is a "
                      "figure of summary.json");
  };
  needs_take("from", spec.from.has_value());
  needs_take("to", spec.to.has_value());
  if (spec.from && spec.to && *spec.from > *spec.to) reading.mistake(path + ".to", "must not be before from");
}

}  // namespace

Object<PublishedSpec> describe_published() {
  Object<PublishedSpec> object("published", "A number that others published, beside which the run puts its own.");
  object.required("what", &PublishedSpec::what, text("what the number is"), "What it is, in a few words.")
      .required("value", &PublishedSpec::value, number(), "The number, as it was published.")
      .field("unit", &PublishedSpec::unit, text(), "Its unit, for people; none for a pure number.")
      .required("by", &PublishedSpec::by, text("who published it"), "Who published it, and where.")
      .required("of", &PublishedSpec::of, text("a figure of the summary or a column of the history"),
                "Where the own number is: a figure of summary.json by its dotted path, or with `take` a column of "
                "history.csv.")
      .field("minus", &PublishedSpec::minus, text("a figure or column"),
             "Another figure or column, taken likewise, that is subtracted. Absent: none.")
      .field("take", &PublishedSpec::take,
             one_of<Take>({{Take::last, "last", "the last value"},
                           {Take::largest, "largest", "the largest value"},
                           {Take::smallest, "smallest", "the smallest value"},
                           {Take::mean, "mean", "the mean over the rows"},
                           {Take::mean_square, "mean-square", "the mean of the squares over the rows"},
                           {Take::settled, "settled",
                            "the time from which on the column stays within a thousandth of its range of its last "
                            "value"}}),
             "What of the column. Absent: `of` is a figure of summary.json.")
      .field("from", &PublishedSpec::from, quantity(dimension::time).at_least(0),
             "Rows of history.csv before this time do not count. Absent: all count.")
      .field("to", &PublishedSpec::to, quantity(dimension::time).at_least(0),
             "Rows of history.csv after this time do not count. Absent: all count.")
      .field("scale", &PublishedSpec::scale, number(),
             "Factor for the own number: from the unit of the results to that of the published one.")
      .field("plus", &PublishedSpec::plus, number(),
             "Added to the own number last, in the unit of the published one: a length at rest to a displacement.")
      .required("tolerance", &PublishedSpec::tolerance, number().at_least(0),
                "Largest error, as a fraction of the published number; in its unit where that is 0.")
      .required("because", &PublishedSpec::because, text("the reason for the tolerance"),
                "Why this tolerance: what of mesh, step or model it stands for.")
      .field("known_miss", &PublishedSpec::known_miss, text(),
             "Why the number is missed, where that is known. It stays a miss wherever it is told, but no run fails for "
             "it. Absent: it should be met.")
      .field("others", &PublishedSpec::others, list(Typed<RivalSpec>(rival())),
             "What other programs are published to give: shown beside, not judged.")
      .check(check_window);
  return object;
}

}  // namespace ictus::scene
