#include <ictus/build/loads/load_context.hpp>

#include <ictus/base/nearest.hpp>
#include <ictus/build/bodies/frames.hpp>
#include <ictus/build/bodies/solid.hpp>

namespace ictus::build {

SignalPtr LoadContext::make_signal(const scene::Signal& spec) const {
  return build::make_signal(spec, own_, key_ + ".signal", scene_.time.end, mistakes_);
}

const mechanics::NodalBody* LoadContext::find(const std::string& name, const std::string& key) const {
  for (const dynamics::BodyPtr& body : bodies_) {
    if (body->name() != name) continue;
    const auto* nodal = body->nodal();
    if (nodal && !nodal->surface().meets_surroundings()) return nodal;  // those have coordinates of their own
    mistakes_.add(key, fmt::format("{} has no nodes that a load could act on", name));
    return nullptr;
  }
  const auto near = base::nearest(name, scene_.bodies.names());
  mistakes_.add(key, near ? fmt::format("no body is named '{}', did you mean '{}'?", name, *near)
                          : fmt::format("no body is named '{}'", name));
  return nullptr;
}

const std::vector<int>* LoadContext::find_set(const mechanics::Solid& solid, const std::string& set,
                                              const std::string& key) const {
  const std::vector<int>* nodes = solid.node_set(set);
  if (!nodes) mistakes_.add(key, unknown_set(solid.node_sets(), set));
  return nodes;
}

std::optional<std::size_t> LoadContext::find_point(const scene::Body& body, const std::string& node,
                                                   const std::string& key) const {
  if (const auto* frame = std::get_if<scene::FrameSpec>(&body)) return find_node(*frame, node, key, mistakes_);
  if (std::holds_alternative<scene::BarSpec>(body) && (node == "start" || node == "end")) return node == "end";
  mistakes_.add(key, "must be a named node of a frame, a set of a solid, or start or end of a bar");
  return std::nullopt;
}

}  // namespace ictus::build
