#include <fmt/format.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <ictus/files/result_files.hpp>
#include <ictus/observe/checkpoint/checkpoint.hpp>
#include <ictus/run/session.hpp>
#include <ictus/scene/schema/schema_export.hpp>
#include <map>
#include <regex>
#include <sstream>

#include "structure/keys/scenes.hpp"
#include "structure/keys/variations.hpp"

namespace ictus::testing {
namespace {

namespace fs = std::filesystem;
namespace results = files::result_files;

/// What came of a scene: the contents of its results, or why there are none.
struct Outcome {
  std::vector<base::Mistake> refused{};
  std::string failed{};
  std::map<std::string, std::string> contents{};

  bool ran() const { return refused.empty() && failed.empty(); }
};

std::string read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Everything that a run tells of the motion: not the scene itself, nor how long it took.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = fs::relative(entry.path(), folder).string();
    if (!entry.is_regular_file() || name == results::scene) continue;
    if (name == results::checkpoint) {
      const observe::Checkpoint checkpoint = observe::read_checkpoint(entry.path());
      std::ostringstream state;
      state << std::hexfloat << checkpoint.state.time << ' ' << checkpoint.state.step;
      for (const double x : checkpoint.state.q) state << ' ' << x;
      for (const double x : checkpoint.state.p) state << ' ' << x;
      all[name] = state.str();
    } else if (name == results::summary) {
      auto summary = nlohmann::ordered_json::parse(read_bytes(entry.path()));
      summary.erase("ictus");
      summary["time"].erase("wall_seconds");
      all[name] = summary.dump();
    } else {
      all[name] = name == results::report ? "" : read_bytes(entry.path());
    }
  }
  return all;
}

class Keys : public ::testing::TestWithParam<std::pair<std::size_t, std::size_t>> {
 protected:
  Keys() : folder_(fs::temp_directory_path() / fmt::format("ictus_keys_{}", getpid())) {}
  ~Keys() override { fs::remove_all(folder_); }
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  static const KeyScene& base() { return key_scenes()[GetParam().first]; }
  static std::string text() {
    return base().text + "integrator: " + base().integrators[GetParam().second] +
           "\noutput: {history_every: 0.01, frames_every: none, report: false, checkpoint_every: none}\n";
  }

  static scene::Document document(const std::vector<scene::Override>& overrides) {
    return scene::read_text(text(), "scene.yaml", overrides);
  }

  Outcome run(const std::vector<scene::Override>& overrides) const {
    fs::remove_all(folder_);
    try {
      const run::LoadedScene loaded{document(overrides), ""};
      run::Session::begin(loaded, folder_, 1, true).run([] { return false; }, {});
      return {.contents = contents(folder_)};
    } catch (const base::InputError& error) {
      return {.refused = error.mistakes()};
    } catch (const base::NumericalFailure& failure) {
      return {.failed = failure.what()};
    }
  }

  fs::path folder_;
};

/// Keys that change nothing of some runs, and why.
struct Idle {
  const char* scene;  ///< pattern of names
  const char* path;   ///< pattern of keys
  const char* reason;
};
constexpr std::array idle{
    Idle{".*", "refinements.*", "other runs, which `ictus validate` makes"},
    Idle{".*", "source|about", "text for people, in the report and the resolved scene"},
    Idle{".*", "time\\.allow_unstable", "a permission that these steps do not need"},
    Idle{".*", "output\\.checkpoint_every", "by the clock"},
    Idle{".*", "contacts\\..*\\.overlap", "these bodies do not overlap at the start"},
    Idle{".*", "limits\\..*", "bounds that are not reached"},
    Idle{".*", "bodies\\..*\\.until", "times after the end of these short runs"},
    Idle{".*", "output\\.ledger_every", "fewer readings, which may still hold the one with the largest residual"},
    Idle{"pulled_bar|shaken_bar|loaded_beam|held_solid", "output\\.contacts", "there are none"},
    Idle{".*bar.*", "bodies\\..*\\.(direction|normal)", "its length does not matter, and bars stay in line"},
    Idle{"rigid_on_(floor|heights).*", "integrator\\.control", "rigid bodies have no drift"},
    Idle{"(two_|bar_|mech).*", "integrator\\.control",
         "for nonlinear bodies, whose drift may be too small to hand over"},
    Idle{"(solid|shell|two_s|rigid_on).*", "contacts\\.0\\.self_contact", "these surfaces do not come near themselves"},
    Idle{"(solid|shell|two_s|rigid_on).*", "contacts\\.0\\.continuous", "these surfaces approach slowly"},
    Idle{"sphere|capsule|convex|box|cylinder", "integrator\\.contact_solver.*",
         "few contacts are solved exactly, or at once"},
    Idle{"rigid_on_floor_mesh", "bodies\\.body\\.shape\\.triangles\\.2", "the same face, which has nothing to vary"},
    Idle{"particle", "probes\\.mass\\.at", "a particle is probed as a whole"},
    Idle{"pendulum", "bodies\\.pendulum\\.radius", "what others meet, and there are none"},
    Idle{"slider", "bodies\\.block\\.size", "likewise"},
    Idle{"mechanism", "joints\\.0\\.limits\\.lower", "a stop that is not reached"},
    Idle{"tied_bars", "ties\\.0\\.tolerance", "the nodes lie in one place"},
    Idle{"woodpecker", "bodies\\.toy\\.tangential_restitution", "the sleeve slides whenever it touches"},
    Idle{"two_frames", "bodies\\..*\\.set", "a name that only implicit domains use"},
    Idle{"two_frames", "bodies\\..*\\.poissons_ratio", "of twist, which these members do not have"},
    Idle{"two_shells|rigid_on_shell", "bodies\\.plate\\.mesh\\.(sphere|box|cylinder)",
         "a closed mesh has no edge to hold"},
};

bool is_idle(const std::string& scene, const std::string& path) {
  return std::any_of(idle.begin(), idle.end(), [&](const Idle& key) {
    return std::regex_match(scene, std::regex(key.scene)) && std::regex_match(path, std::regex(key.path));
  });
}

/// Whether a refusal is about the key: one of the mistakes is at it, within it, at what it is a part of, or beside it;
/// or, for a key of a body, that this body cannot meet another, or be held by a joint, as it stands.
bool names_key(const std::vector<base::Mistake>& mistakes, const std::string& path) {
  const auto within = [](const std::string& inner, const std::string& outer) {
    return inner == outer || inner.starts_with(outer + ".");
  };
  const std::string around = path.substr(0, path.rfind('.'));
  return std::any_of(mistakes.begin(), mistakes.end(), [&](const base::Mistake& mistake) {
    const bool meeting = (path.starts_with("bodies.") || path == "initial") &&
                         std::regex_match(mistake.key, std::regex("contacts(\\..*(between|gap))?|joints\\..*"));
    const bool is_position =
        path.starts_with("bodies.") && std::regex_match(mistake.key, std::regex("bodies.*position"));
    // A body for which no step is too long may leave a scene without a step to take a fraction of.
    const bool is_step = path.ends_with(".implicit") && mistake.key == "time.courant";
    const bool is_named = mistake.message.find(path.substr(path.rfind('.') + 1) + ":") != std::string::npos;
    return is_named || is_step ||
           (!mistake.key.empty() && (within(mistake.key, path) || within(path, mistake.key) ||
                                     within(mistake.key, around) || meeting || is_position));
  });
}

std::string shown(const std::vector<scene::Override>& setting) {
  std::string text;
  for (const scene::Override& one : setting) text += fmt::format(" {}={}", one.path, one.value);
  return text;
}

TEST_P(Keys, HaveAnEffectOrAreRefused) {
  const Outcome before = run({});
  ASSERT_TRUE(before.ran()) << (before.refused.empty() ? before.failed : base::InputError(before.refused).what());
  ASSERT_EQ(run({}).contents, before.contents) << "the same scene has the same results";
  int effects = 0;
  for (const Variation& variation : variations(document({}).scene)) {
    bool effect = false, named = false;
    std::string ignored, refused;
    for (const auto& setting : variation.settings) {
      const Outcome after = run(setting);
      effect = after.refused.empty() && after.contents != before.contents;
      if (effect) break;
      named = named || names_key(after.refused, variation.path);
      if (after.ran()) ignored = shown(setting);
      if (!after.ran() && refused.empty()) refused = base::InputError(after.refused).what();
    }
    effects += effect ? 1 : 0;
    if (effect || is_idle(base().name, variation.path)) continue;
    EXPECT_TRUE(ignored.empty()) << "accepted and ignored:" << ignored;
    EXPECT_TRUE(named || !ignored.empty()) << variation.path << " is refused without being named: " << refused;
  }
  EXPECT_GT(effects, 15);
}

std::vector<std::pair<std::size_t, std::size_t>> all_runs() {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  for (std::size_t i = 0; i < key_scenes().size(); ++i)
    for (std::size_t k = 0; k < key_scenes()[i].integrators.size(); ++k) runs.emplace_back(i, k);
  return runs;
}

std::string run_name(const ::testing::TestParamInfo<std::pair<std::size_t, std::size_t>>& info) {
  const KeyScene& base = key_scenes()[info.param.first];
  std::string name = base.name + "_" + base.integrators[info.param.second].substr(7);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  while (name.back() == '_') name.pop_back();
  return name;
}

INSTANTIATE_TEST_SUITE_P(Of, Keys, ::testing::ValuesIn(all_runs()), run_name);

/// No family of bodies and no integrator is left out, but what a program brings.
TEST(KeyScenes, CoverEveryBodyAndIntegrator) {
  std::string all;
  for (const KeyScene& base : key_scenes()) {
    all += base.text;
    for (const std::string& integrator : base.integrators) all += integrator + "\n";
  }
  for (const auto& types : {scene::body_types(), scene::integrator_types()})
    for (const scene::TypeDescription& type : types)
      EXPECT_TRUE(type.name.starts_with("own-") || std::regex_search(all, std::regex("type: " + type.name + "[,}\n]")))
          << type.name;
}

}  // namespace
}  // namespace ictus::testing
