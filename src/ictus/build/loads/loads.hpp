#pragma once

#include <ictus/build/bodies/solid_parts.hpp>
#include <ictus/build/mistakes.hpp>
#include <ictus/build/own.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/scene/text/document.hpp>
#include <string>
#include <vector>

namespace ictus::build {

/// Reads the files that signals of a scene name and puts tables in their place, so that the resolved scene stands
/// alone.
void load_signal_files(const scene::Document& document, scene::Scene& scene, Mistakes& mistakes);

/// A signal that is no file, checked to last until `end`; null where it is a mistake.
std::shared_ptr<const mechanics::Signal> make_signal(const scene::Signal& spec, const Own& own, const std::string& key,
                                                     double end, Mistakes& mistakes);

/// What the loads of a scene come to.
struct Driving {
  std::vector<mechanics::Load> loads;
  std::vector<mechanics::SupportMotion> motions;
  std::vector<mechanics::ForceOn> forces;
  /// A motion of the scene's loads.
  struct Moved {
    std::size_t motion;    ///< of the motions above
    math::Vec3 direction;  ///< or axis
    std::string key;       ///< "loads.0"
  };
  std::vector<Moved> moved = {};
};

/// The loads of a scene whose signals are no files any more, checked to last as long as the run.
Driving make_loads(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, const SolidParts& parts,
                   const Own& own, Mistakes& mistakes);

}  // namespace ictus::build
