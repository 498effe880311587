#include <gmock/gmock.h>

#include <ictus/build/size_limits.hpp>

namespace ictus::build {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// What is said of a scene with this body where there is so much memory (bytes); "" where it fits.
std::string refusal_of_body(const std::string& body, const std::string& integrator = "", double memory = 1e9) {
  std::string text = "time: {end: 1, step: 1e-3}\nbodies:\n  b: " + body + "\n";
  if (!integrator.empty()) text += "integrator: " + integrator + "\n";
  const scene::Document document = scene::read_text(text, "scene.yaml");
  Mistakes mistakes(document);
  check_sizes(document.scene, memory, mistakes);
  try {
    mistakes.throw_if_any();
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

std::string shell(const std::string& shape) {
  return "{type: shell, thickness: 1, youngs_modulus: 1, density: 1, shape: " + shape + "}";
}
std::string solid(const std::string& shape) {
  return "{type: solid, density: 1, youngs_modulus: 1, shape: " + shape + "}";
}
std::string beam(const std::string& elements) {
  return "{type: beam, length: 1, cells: " + elements +
         ", density: 1, youngs_modulus: 1, section: {type: rectangle, height: 1, width: 1}}";
}

TEST(SizeLimits, SayWhatItWouldTakeAndHowMuchFits) {
  EXPECT_EQ(refusal_of_body(solid("{type: box, size: [1, 1, 1], cells: [5, 4, 1e9], element: hexahedron}")),
            "scene.yaml:3: bodies.b.shape.cells: 2e+10 cells would take about 36 TB of memory, of which there are 1 GB "
            "here; at most 555555 fit");
}

struct Asked {
  std::string body;      ///< with N where the number goes
  const char* key;       ///< that is named
  const char* fits;      ///< a number that fits into 1 GB
  const char* too_many;  ///< one that does not
};

TEST(SizeLimits, HoldForEveryKeyThatCounts) {
  const std::vector<Asked> asked{
      {"{type: bar, length: 1, cells: N, density: 1, youngs_modulus: 1}", "bodies.b.cells", "1e6", "1e9"},
      {beam("N"), "bodies.b.cells", "1e5", "1e9"},
      {solid("{type: box, size: [1, 1, 1], cells: [1, 1, N]}"), "bodies.b.shape.cells", "1e5", "2147483647"},
      {solid("{type: cylinder, radius: 1, length: 1, cells: [N, 1]}"), "bodies.b.shape", "100", "100000"},
      {solid("{type: cylinder, radius: 1, length: 1, cells: [4, N]}"), "bodies.b.shape", "100", "1e9"},
      {shell("{type: sphere, radius: 1, cells: N}"), "bodies.b.shape", "32", "512"},
      {shell("{type: box, size: [1, 1, 1], cells: [N, N, 1]}"), "bodies.b.shape", "100", "1e9"},
      {shell("{type: disc, radius: 1, cells: N}"), "bodies.b.shape", "100", "1e9"},
      {shell("{type: plate, size: [1, 1], cells: [N, 8]}"), "bodies.b.shape", "1000", "1e9"},
      {shell("{type: tube, radius: 1, length: 1, cells: [24, N]}"), "bodies.b.shape", "100", "1e9"},
      {shell("{type: cylinder, radius: 1, length: 1, cells: [N, 8]}"), "bodies.b.shape", "60", "6e6"},
      {shell("{type: sphere, radius: 1}, refine: N"), "bodies.b.shape", "1", "6"},
      {shell("{type: sphere, radius: 1}, copies: {type: grid, count: [N, N, 1], spacing: [3, 3, 3]}"), "bodies.b.shape",
       "2", "1e9"},
      {"{type: rigid, shape: {type: sphere, radius: 1}, copies: {type: grid, count: [N, 1, 1], spacing: [3, 3, 3]}}",
       "bodies.b.copies.count", "1e5", "1e9"},
      {"{type: rigid, shape: {type: sphere, radius: 1}, copies: {type: random, count: N, from: [0, 0, 0], to: [1, 1, "
       "1]}}",
       "bodies.b.copies.count", "1e5", "1e9"},
      {"{type: frame, nodes: {p: [0, 0, 0], q: [1, 0, 0]}, sections: {s: {type: rectangle, height: 1, width: 1}}, "
       "materials: {m: {youngs_modulus: 1, density: 1}}, members: [{from: p, to: q, section: s, material: m, "
       "element_size: N}]}",
       "bodies.b.members", "0.001", "1e-300"},
  };
  const auto with = [](std::string body, const char* number) {
    for (std::size_t at = body.find('N'); at != std::string::npos; at = body.find('N')) body.replace(at, 1, number);
    return body;
  };
  for (const Asked& a : asked) {
    EXPECT_EQ(refusal_of_body(with(a.body, a.fits)), "") << a.body;
    EXPECT_THAT(refusal_of_body(with(a.body, a.too_many)),
                AllOf(HasSubstr(std::string("scene.yaml:3: ") + a.key + ": "), HasSubstr("would take about")))
        << a.body;
  }
}

TEST(SizeLimits, HoldForWhatIsWatchedAndForAllBodiesTogether) {
  EXPECT_THAT(refusal_of_body(beam("10"), "{type: multisymplectic-beam, noether: 2147483647}"),
              HasSubstr("scene.yaml:4: integrator.noether: 2.14748e+09 rectangles would take about 429 GB"));
  const std::string bar = "{type: bar, length: 1, cells: 1e6, density: 1, youngs_modulus: 1}";
  EXPECT_THAT(refusal_of_body(bar + "\n  c: " + bar),
              HasSubstr("bodies: 2e+06 parts of all bodies would take about 1.5 GB of memory"));
}

TEST(SizeLimits, HoldForNumbersThatCannotBeCounted) {
  EXPECT_THAT(refusal_of_body(solid("{type: box, size: [1, 1, 1], cells: [1000, 1000, 1000]}"), "", 1e15),
              HasSubstr("1e+09 cells are more than can be numbered; at most 7.15828e+08 can"));
}

}  // namespace
}  // namespace ictus::build
