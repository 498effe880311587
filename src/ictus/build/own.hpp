#pragma once

#include <functional>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/mechanics/load/signal.hpp>
#include <ictus/mechanics/material/material.hpp>
#include <map>
#include <memory>
#include <string>

namespace ictus::build {

/// What a program brings to a scene that no text can say, by the names that the scene gives it.
struct Own {
  /// Makes a body of that name whose dofs begin at `first_dof`; called more than once where the scene must be laid out
  /// again. A GeneralisedBody for `type: own-system`, a NodalBody for `type: own-body`.
  using BodyMaker = std::function<dynamics::BodyPtr(const std::string& name, std::size_t first_dof)>;

  std::map<std::string, BodyMaker, std::less<>> bodies{};                                   ///< by body
  std::map<std::string, std::shared_ptr<const mechanics::Force>, std::less<>> forces{};     ///< of `type: own-force`
  std::map<std::string, std::shared_ptr<const mechanics::Signal>, std::less<>> controls{};  ///< of `type: control`
  /// By material of the scene with `law: own`.
  std::map<std::string, std::shared_ptr<const mechanics::Material>, std::less<>> materials{};
};

}  // namespace ictus::build
