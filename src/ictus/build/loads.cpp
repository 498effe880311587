#include <fmt/format.h>

#include <algorithm>
#include <ictus/base/nearest.hpp>
#include <ictus/build/bodies.hpp>
#include <ictus/build/frames.hpp>
#include <ictus/build/loads.hpp>
#include <ictus/build/signal_file.hpp>

namespace ictus::build {

using mechanics::Load;

namespace {

using SignalPtr = std::shared_ptr<const mechanics::Signal>;

struct SignalMaker {
  SignalPtr operator()(const scene::HarmonicsSpec& spec) const {
    std::vector<mechanics::Harmonics::Term> terms;
    for (const scene::HarmonicSpec& t : spec.terms) terms.push_back({t.amplitude, t.frequency, t.phase});
    return std::make_shared<mechanics::Harmonics>(std::move(terms), spec.ramp);
  }
  SignalPtr operator()(const scene::HalfSineSpec& spec) const {
    return std::make_shared<mechanics::HalfSine>(spec.amplitude, spec.start, spec.duration);
  }
  SignalPtr operator()(const scene::RampSpec& spec) const {
    return std::make_shared<mechanics::Ramp>(spec.amplitude, spec.start, spec.rise);
  }
  SignalPtr operator()(const scene::TableSpec& spec) const {
    return std::make_shared<mechanics::Table>(spec.times, spec.values);
  }
  SignalPtr operator()(const scene::FileSpec&) const { return nullptr; }
};

/// Makes the loads that one entry of the scene stands for.
class LoadMaker {
 public:
  LoadMaker(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, std::size_t number,
            Mistakes& mistakes)
      : scene_(scene), bodies_(bodies), key_(fmt::format("loads.{}", number)), mistakes_(mistakes) {}

  std::vector<Load> operator()(const scene::BaseAccelerationSpec& spec) { return inertial(spec, -1.0); }
  std::vector<Load> operator()(const scene::BodyForceSpec& spec) { return inertial(spec, 1.0); }
  std::vector<Load> operator()(const scene::ForceSpec& spec) {
    const SignalPtr signal = make_signal(spec.signal);
    const mechanics::NodalBody* body = find(spec.on, key_ + ".on");
    if (!body || !signal) return {};
    const auto point = find_point(*scene_.bodies.find(spec.on), spec.node);
    if (!point) return {};
    Load load = mechanics::point_load(*body, *point, signal, to_vector(spec.direction).normalized());
    if (load.force.empty()) mistakes_.add(key_ + ".direction", fmt::format("{} does not move that way", spec.on));
    return {std::move(load)};
  }

 private:
  template <class Spec>
  std::vector<Load> inertial(const Spec& spec, double factor) {
    std::vector<Load> loads;
    const SignalPtr signal = make_signal(spec.signal);
    for (std::size_t i = 0; i < spec.on.size(); ++i) {
      const mechanics::NodalBody* body = find(spec.on[i], fmt::format("{}.on.{}", key_, i));
      if (!body || !signal) continue;
      loads.push_back(mechanics::inertial_load(*body, signal, to_vector(spec.direction).normalized(), factor));
    }
    return loads;
  }

  SignalPtr make_signal(const scene::Signal& spec) {
    SignalPtr signal = std::visit(SignalMaker{}, spec);
    if (signal && signal->end() < scene_.time.end) {
      mistakes_.add(key_ + ".signal",
                    fmt::format("ends at {:g} s, before time.end = {:g} s; give a longer signal or end the run earlier",
                                signal->end(), scene_.time.end));
    }
    return signal;
  }

  const mechanics::NodalBody* find(const std::string& name, const std::string& key) {
    for (const dynamics::BodyPtr& body : bodies_) {
      if (body->name() != name) continue;
      const auto* nodal = dynamic_cast<const mechanics::NodalBody*>(body.get());
      if (!nodal) mistakes_.add(key, fmt::format("{} has no masses that a load could act on", name));
      return nodal;
    }
    const auto near = base::nearest(name, scene_.bodies.names());
    mistakes_.add(key, near ? fmt::format("no body is named '{}', did you mean '{}'?", name, *near)
                            : fmt::format("no body is named '{}'", name));
    return nullptr;
  }

  /// The point of a body's surface that a person names.
  std::optional<std::size_t> find_point(const scene::Body& body, const std::string& node) {
    if (const auto* frame = std::get_if<scene::FrameSpec>(&body))
      return find_node(*frame, node, key_ + ".node", mistakes_);
    if (std::holds_alternative<scene::BarSpec>(body) && (node == "start" || node == "end")) return node == "end";
    mistakes_.add(key_ + ".node", "must be a named node of a frame, or start or end of a bar");
    return std::nullopt;
  }

  const scene::Scene& scene_;
  const std::vector<dynamics::BodyPtr>& bodies_;
  std::string key_;
  Mistakes& mistakes_;
};

scene::Dimension dimension_of(const scene::Load& load) {
  return std::holds_alternative<scene::ForceSpec>(load) ? scene::Dimension{1, 1, -2, 0}
                                                        : scene::dimension::acceleration;
}

}  // namespace

void load_signal_files(const scene::Document& document, scene::Scene& scene, Mistakes& mistakes) {
  const std::filesystem::path folder = std::filesystem::path(document.file).parent_path();
  for (std::size_t i = 0; i < scene.loads.size(); ++i) {
    scene::Signal& signal = std::visit([](auto& load) -> scene::Signal& { return load.signal; }, scene.loads[i]);
    const auto* file = std::get_if<scene::FileSpec>(&signal);
    if (!file) continue;
    try {
      signal = read_signal_file(folder / file->path, dimension_of(scene.loads[i]), file->scale);
    } catch (const base::InputError& error) {
      for (const base::Mistake& mistake : error.mistakes())
        mistakes.add(fmt::format("loads.{}.signal.path", i), base::to_string(mistake));
    }
  }
}

std::vector<Load> make_loads(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies,
                             Mistakes& mistakes) {
  std::vector<Load> loads;
  for (std::size_t i = 0; i < scene.loads.size(); ++i) {
    for (Load& load : std::visit(LoadMaker(scene, bodies, i, mistakes), scene.loads[i]))
      loads.push_back(std::move(load));
  }
  return loads;
}

}  // namespace ictus::build
