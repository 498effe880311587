#pragma once

#include <fmt/format.h>

#include <ictus/build/loads/loads.hpp>

namespace ictus::build {

using SignalPtr = std::shared_ptr<const mechanics::Signal>;

/// What is known while one entry of the scene's loads is made into what it stands for, and how its words are found.
class LoadContext {
 public:
  LoadContext(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, const Own& own,
              std::size_t number, Driving& driving, Mistakes& mistakes)
      : scene_(scene),
        bodies_(bodies),
        own_(own),
        key_(fmt::format("loads.{}", number)),
        driving_(driving),
        mistakes_(mistakes) {}

 protected:
  SignalPtr make_signal(const scene::Signal& spec) const;
  /// A body with dofs that loads and motions may act on; null with a mistake.
  const mechanics::NodalBody* find(const std::string& name, const std::string& key) const;
  const std::vector<int>* find_set(const mechanics::Solid& solid, const std::string& set, const std::string& key) const;
  /// The point of a body's surface that a person names.
  std::optional<std::size_t> find_point(const scene::Body& body, const std::string& node, const std::string& key) const;

  const scene::Scene& scene_;
  const std::vector<dynamics::BodyPtr>& bodies_;
  const Own& own_;
  std::string key_;
  Driving& driving_;
  Mistakes& mistakes_;
};

}  // namespace ictus::build
