#include <ictus/dynamics/scheme/require_layers.hpp>

#include <fmt/format.h>

#include <ictus/base/error.hpp>
#include <ictus/contact/detect/detect.hpp>

namespace ictus::dynamics {

void require_layers(const System& system, std::string_view scheme) {
  model::ConstraintSet constraints;
  contact::detect(system.pairs(), system.initial_state().q, constraints);
  std::vector<base::Mistake> mistakes;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints.compliance(i) > 0 || constraints.onset(i) == model::ConstraintSet::Onset::ahead) continue;
    const contact::ContactPair& pair = system.pairs()[static_cast<std::size_t>(constraints.contact(i).pair)];
    if (pair.rigid && pair.direction) continue;  // stops of joints get layers of their own
    mistakes.push_back({"", 0, "contacts",
                        fmt::format("{} and {} touch without an elastic layer, which {} needs: ends of bars have one, "
                                    "nodes of frames do not",
                                    pair.first, pair.second, scheme)});
  }
  if (!mistakes.empty()) throw base::InputError(std::move(mistakes));
}

}  // namespace ictus::dynamics
