#include <ictus/build/loads/loads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/build/bodies/solid.hpp>
#include <ictus/build/loads/load_context.hpp>
#include <ictus/build/loads/motions.hpp>
#include <ictus/build/loads/shell_faces.hpp>
#include <ictus/build/loads/signal_file.hpp>
#include <ictus/mechanics/shell/shell.hpp>

namespace ictus::build {

using math::Vec3;
using mechanics::Load;

namespace {

/// A control that no program sets.
class Unset final : public mechanics::Signal {
 public:
  explicit Unset(double value) : value_(value) {}
  double at(double) const override { return value_; }

 private:
  double value_;
};

struct SignalMaker {
  const Own& own;

  SignalPtr operator()(const scene::HarmonicsSpec& spec) const {
    std::vector<mechanics::Harmonics::Term> terms;
    for (const scene::HarmonicSpec& t : spec.terms) terms.push_back({t.amplitude, t.frequency, t.phase});
    return std::make_shared<mechanics::Harmonics>(std::move(terms), spec.ramp);
  }
  SignalPtr operator()(const scene::HalfSineSpec& spec) const {
    return std::make_shared<mechanics::HalfSine>(spec.amplitude, spec.begin, spec.duration);
  }
  SignalPtr operator()(const scene::RampSpec& spec) const {
    return std::make_shared<mechanics::Ramp>(spec.amplitude, spec.begin, spec.rise);
  }
  SignalPtr operator()(const scene::TableSpec& spec) const {
    return std::make_shared<mechanics::Table>(spec.times, spec.values);
  }
  SignalPtr operator()(const scene::FileSpec&) const { return nullptr; }
  SignalPtr operator()(const scene::ControlSpec& spec) const {
    const auto control = own.controls.find(spec.name);
    return control == own.controls.end() ? std::make_shared<Unset>(spec.initial) : control->second;
  }
};

/// Makes what one entry of the scene's loads stands for.
class LoadMaker : LoadContext {
 public:
  LoadMaker(const LoadContext& context, const SolidParts& parts) : LoadContext(context), parts_(parts) {}

  void operator()(const scene::BaseAccelerationSpec& spec) { inertial(spec, -1.0); }
  void operator()(const scene::BodyForceSpec& spec) { inertial(spec, 1.0); }

  void operator()(const scene::ForceSpec& spec) {
    const SignalPtr signal = make_signal(spec.signal);
    const Vec3 direction = to_vector(spec.direction).normalized();
    if (spec.node && spec.position) mistakes_.add(key_ + ".position", "give either node or position");
    if (const auto pieces = pieces_of(spec.on); !pieces.empty()) {
      if (!spec.node) mistakes_.add(key_, fmt::format("needs a node: a set of {}, which is cut into domains", spec.on));
      if (signal && spec.node) share(pieces, spec, signal, direction);
      return;
    }
    const mechanics::NodalBody* body = find(spec.on, key_ + ".body");
    if (!body || !signal) return;
    if (body->turns()) return push_frames(*body, spec, spec.position, direction, Vec3::Zero(), signal);
    if (spec.follows)
      mistakes_.add(key_ + ".follows",
                    fmt::format("{} has nodes, which do not turn; forces follow rigid bodies and beams", spec.on));
    if (!spec.node && !spec.position)
      return mistakes_.add(key_, "must say where the force acts: node, or the position of a point");
    if (const auto* solid = body->solid()) {
      const auto* nodes = spec.node ? find_set(*solid, *spec.node, key_ + ".node") : nullptr;
      const int nearest = spec.position ? static_cast<int>(nearest_node(*body, to_vector(*spec.position))) : 0;
      if (nodes || spec.position)
        driving_.loads.push_back(
            mechanics::shared_load(*solid, nodes ? *nodes : std::vector{nearest}, signal, direction));
      return;
    }
    if (const auto* shell = body->shell()) {
      if (!spec.position)
        return mistakes_.add(key_ + ".node", fmt::format("{} is a shell: give the position of a point of it", spec.on));
      driving_.loads.push_back(mechanics::shell_load(*shell, to_vector(*spec.position), signal, direction));
      return;
    }
    if (!spec.node)
      return mistakes_.add(key_ + ".position", fmt::format("{} has named nodes: give one as `node`", spec.on));
    const auto point = find_point(*scene_.bodies.find(spec.on), *spec.node, key_ + ".node");
    if (!point) return;
    Load load = mechanics::point_load(*body, *point, signal, direction);
    if (load.force.empty()) mistakes_.add(key_ + ".direction", fmt::format("{} does not move that way", spec.on));
    driving_.loads.push_back(std::move(load));
  }

  void operator()(const scene::MomentSpec& spec) {
    const SignalPtr signal = make_signal(spec.signal);
    const mechanics::NodalBody* body = find(spec.on, key_ + ".body");
    if (!body || !signal) return;
    if (const auto* frame = body->beam_frame()) return turn_node(*frame, spec, signal);
    if (!body->turns())
      return mistakes_.add(key_ + ".body", fmt::format("{} has nodes, which do not turn; moments are for rigid bodies, "
                                                       "beams and frames",
                                                       spec.on));
    push_frames(*body, spec, std::nullopt, Vec3::Zero(), to_vector(spec.direction).normalized(), signal);
  }

  void operator()(const scene::PressureLoadSpec& spec) {
    if (const auto* shell = shell_named(spec.on)) {
      refuse_set(spec);
      if (const SignalPtr signal = make_signal(spec.signal)) driving_.loads.push_back(shell_pressure(*shell, signal));
      return;
    }
    load_faces(spec, "pressures",
               [](const mechanics::Solid& solid, std::span<const int> nodes, const SignalPtr& signal) {
                 return mechanics::pressure_load(solid, nodes, signal);
               });
  }
  void operator()(const scene::TractionSpec& spec) {
    if (const auto* shell = shell_named(spec.on)) {
      refuse_set(spec);
      if (const SignalPtr signal = make_signal(spec.signal))
        driving_.loads.push_back(shell_traction(*shell, to_vector(spec.direction).normalized(), signal));
      return;
    }
    load_faces(spec, "tractions",
               [&](const mechanics::Solid& solid, std::span<const int> nodes, const SignalPtr& signal) {
                 return mechanics::traction_load(solid, nodes, signal, to_vector(spec.direction).normalized());
               });
  }

  void operator()(const scene::SupportMotionSpec& spec) { make_motion(*this, spec); }
  void operator()(const scene::SupportRotationSpec& spec) { make_rotation(*this, spec); }

  void operator()(const scene::OwnForceSpec& spec) {
    const auto force = own_.forces.find(spec.name);
    if (force == own_.forces.end() || !force->second)
      return mistakes_.add(key_ + ".name",
                           fmt::format("a program must bring a force named '{}', and this one does not", spec.name));
    mechanics::Range dofs;
    if (spec.on) {
      const mechanics::NodalBody* body = find(*spec.on, key_ + ".body");
      if (!body) return;
      dofs = body->dofs();
    } else {
      for (const dynamics::BodyPtr& body : bodies_) dofs.size = std::max(dofs.size, body->dofs().end());
    }
    driving_.forces.push_back({force->second, dofs});
  }

 private:
  const mechanics::Shell* shell_named(const std::string& name) const {
    for (const dynamics::BodyPtr& body : bodies_) {
      if (body->name() == name) return body->shell();
    }
    return nullptr;
  }
  template <class Spec>
  void refuse_set(const Spec& spec) {
    if (spec.set)
      mistakes_.add(key_ + ".set", fmt::format("{} is a shell, all of which is loaded; leave it out", spec.on));
  }

  /// A moment on a named node of a frame.
  void turn_node(const mechanics::BeamFrame& frame, const scene::MomentSpec& spec, const SignalPtr& signal) {
    if (spec.follows)
      mistakes_.add(key_ + ".follows", fmt::format("{} is linear: its moments keep their axes", spec.on));
    if (!spec.node) return mistakes_.add(key_ + ".node", fmt::format("must name a node of the frame {}", spec.on));
    const auto node = find_point(*scene_.bodies.find(spec.on), *spec.node, key_ + ".node");
    if (!node) return;
    Load load = mechanics::node_moment(frame, *node, signal, to_vector(spec.direction).normalized());
    if (std::all_of(load.force.begin(), load.force.end(), [](double f) { return f == 0; }))
      mistakes_.add(key_ + ".direction", fmt::format("{} does not turn about that axis", spec.on));
    driving_.loads.push_back(std::move(load));
  }

  /// A body that is a part of a solid; none: the whole of it.
  struct Piece {
    const mechanics::Solid* solid;
    const SolidPart* part;
  };
  /// The bodies that a solid was cut into; none where it was not.
  std::vector<Piece> pieces_of(const std::string& name) const {
    std::vector<Piece> pieces;
    for (const dynamics::BodyPtr& body : bodies_) {
      const auto part = parts_.find(body->name());
      if (part != parts_.end() && part->second.whole == name) pieces.push_back({body->solid(), &part->second});
    }
    return pieces;
  }

  /// A load on the outer faces of a solid in a set.
  template <class Spec, class Make>
  void load_faces(const Spec& spec, std::string_view what, Make&& make) {
    const SignalPtr signal = make_signal(spec.signal);
    std::vector<Piece> pieces = pieces_of(spec.on);
    if (pieces.empty()) {
      const mechanics::NodalBody* body = find(spec.on, key_ + ".body");
      if (!body) return;
      const auto* solid = body->solid();
      if (!solid)
        return mistakes_.add(key_ + ".body",
                             fmt::format("{} is no solid and no shell; {} are for solids and shells", spec.on, what));
      pieces.push_back({solid, nullptr});
    }
    if (!signal) return;
    if (!spec.set)
      return mistakes_.add(key_ + ".set",
                           fmt::format("is missing: {} is a solid, of whose faces a set is loaded", spec.on));
    bool any = false;
    for (const auto& [solid, part] : pieces) {
      const auto* nodes = find_set(*solid, *spec.set, key_ + ".set");
      if (!nodes) return;
      Load load = make(*solid, *nodes, signal);
      if (std::all_of(load.force.begin(), load.force.end(), [](double f) { return f == 0; })) continue;
      any = true;
      driving_.loads.push_back(std::move(load));
    }
    if (!any)
      mistakes_.add(key_ + ".set", fmt::format("no outer face of {} has all its nodes in '{}'", spec.on, *spec.set));
  }

  /// A force or a moment on rigid bodies, at their centres of mass or a given point, or on a section of a beam.
  template <class Spec>
  void push_frames(const mechanics::NodalBody& body, const Spec& spec, const std::optional<scene::Vec3>& position,
                   const Vec3& force, const Vec3& moment, const SignalPtr& signal) {
    std::vector<double> q(body.dofs().end()), p(q.size());
    body.initialise(q, p);
    const auto centre = [&](std::size_t number) {
      return model::RigidFrame::at(q, body.dofs().begin + model::RigidFrame::dofs * number).x;
    };
    const auto push = [&](std::size_t number) {
      Load load = mechanics::frame_load(body, number, signal, position ? to_vector(*position) : centre(number), force,
                                        moment, spec.follows);
      if (load.on_frames.empty()) mistakes_.add(key_ + ".body", fmt::format("{} is held there", spec.on));
      driving_.loads.push_back(std::move(load));
    };
    const std::size_t count = body.dofs().size / model::RigidFrame::dofs;
    if (body.rigid_bodies()) {
      if (spec.node) mistakes_.add(key_ + ".node", fmt::format("{} is rigid: give a position, or nothing", spec.on));
      if (position && count > 1)
        return mistakes_.add(key_ + ".position",
                             fmt::format("{} are {} bodies; without it the force acts on each at its "
                                         "centre of mass",
                                         spec.on, count));
      for (std::size_t i = 0; i < count; ++i) push(i);
    } else if (spec.node) {
      if (*spec.node != "start" && *spec.node != "end")
        return mistakes_.add(key_ + ".node", fmt::format("must be start or end of the beam {}", spec.on));
      push(*spec.node == "end" ? count - 1 : 0);
    } else if (position) {
      std::vector<double> distance(count);
      for (std::size_t i = 0; i < count; ++i) distance[i] = (centre(i) - to_vector(*position)).norm();
      push(static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin()));
    } else {
      mistakes_.add(key_, fmt::format("must say where it acts on the beam {}: node, start or end{}", spec.on,
                                      std::is_same_v<Spec, scene::ForceSpec> ? ", or a position" : ""));
    }
  }

  /// The node of a body of nodes that is nearest to a point at the start.
  static std::size_t nearest_node(const mechanics::NodalBody& body, const Vec3& point) {
    std::vector<double> q(body.dofs().end()), p(q.size());
    body.initialise(q, p);
    std::vector<double> distance(body.dofs().size / 3);
    for (std::size_t i = 0; i < distance.size(); ++i)
      distance[i] = (Vec3::Map(&q[body.dofs().begin + 3 * i]) - point).norm();
    return static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  }

  /// A force on a set of a solid that was cut, shared evenly by its nodes: each acts on one part.
  void share(const std::vector<Piece>& pieces, const scene::ForceSpec& spec, const SignalPtr& signal,
             const Vec3& direction) {
    std::vector<std::vector<int>> own;
    std::size_t count = 0;
    for (const auto& [solid, part] : pieces) {
      const auto* nodes = find_set(*solid, *spec.node, key_ + ".node");
      if (!nodes) return;
      std::copy_if(nodes->begin(), nodes->end(), std::back_inserter(own.emplace_back()),
                   [part = part](int node) { return part->owns[static_cast<std::size_t>(node)] != 0; });
      count += own.back().size();
    }
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (own[i].empty()) continue;
      const double part_of_force = static_cast<double>(own[i].size()) / static_cast<double>(count);
      driving_.loads.push_back(mechanics::shared_load(*pieces[i].solid, own[i], signal, part_of_force * direction));
    }
  }

  template <class Spec>
  void inertial(const Spec& spec, double factor) {
    const SignalPtr signal = make_signal(spec.signal);
    for (std::size_t i = 0; i < spec.on.size(); ++i) {
      const mechanics::NodalBody* body = find(spec.on[i], fmt::format("{}.bodies.{}", key_, i));
      if (!body || !signal) continue;
      driving_.loads.push_back(mechanics::inertial_load(*body, signal, to_vector(spec.direction).normalized(), factor));
    }
  }

  const SolidParts& parts_;
};

/// Of the signal of a load.
struct DimensionOf {
  scene::Dimension operator()(const scene::ForceSpec&) const { return scene::dimension::force; }
  scene::Dimension operator()(const scene::MomentSpec&) const { return scene::dimension::moment; }
  scene::Dimension operator()(const scene::TractionSpec&) const { return scene::dimension::stress; }
  scene::Dimension operator()(const scene::PressureLoadSpec&) const { return scene::dimension::stress; }
  scene::Dimension operator()(const scene::SupportMotionSpec&) const { return scene::dimension::length; }
  scene::Dimension operator()(const scene::SupportRotationSpec&) const { return scene::dimension::angle; }
  scene::Dimension operator()(const scene::BaseAccelerationSpec&) const { return scene::dimension::acceleration; }
  scene::Dimension operator()(const scene::BodyForceSpec&) const { return scene::dimension::acceleration; }
  scene::Dimension operator()(const scene::OwnForceSpec&) const { return scene::dimension::none; }
};

}  // namespace

SignalPtr make_signal(const scene::Signal& spec, const Own& own, const std::string& key, double end,
                      Mistakes& mistakes) {
  SignalPtr signal = std::visit(SignalMaker{own}, spec);
  if (signal && signal->end() < end) {
    mistakes.add(key,
                 fmt::format("ends at {:g} s, before time.end = {:g} s; give a longer signal or end the run earlier",
                             signal->end(), end));
  }
  return signal;
}

void load_signal_files(const scene::Document& document, scene::Scene& scene, Mistakes& mistakes) {
  const std::filesystem::path folder = std::filesystem::path(document.file).parent_path();
  const auto load = [&](scene::Signal& signal, const scene::Dimension& dimension, const std::string& key) {
    const auto* file = std::get_if<scene::FileSpec>(&signal);
    if (!file) return;
    try {
      signal = read_signal_file(folder / file->file, dimension, file->scale);
    } catch (const base::InputError& error) {
      for (const base::Mistake& mistake : error.mistakes()) mistakes.add(key + ".file", base::to_string(mistake));
    }
  };
  for (std::size_t i = 0; i < scene.loads.size(); ++i) {
    if (scene::Signal* signal = scene::signal_of(scene.loads[i]))
      load(*signal, std::visit(DimensionOf{}, scene.loads[i]), fmt::format("loads.{}.signal", i));
  }
  for (std::size_t i = 0; i < scene.joints.size(); ++i) {
    const auto of_motor = [&](auto& joint) {
      if constexpr (std::derived_from<std::decay_t<decltype(joint)>, scene::DrivenJointSpec>) {
        constexpr bool turns = std::same_as<std::decay_t<decltype(joint)>, scene::RevoluteJointSpec>;
        if (!joint.motor) return;
        namespace d = scene::dimension;
        const std::array<scene::Dimension, 3> dimensions{turns ? d::moment : d::force, turns ? d::angle : d::length,
                                                         turns ? d::angular_velocity : d::velocity};
        const scene::Dimension dimension = dimensions[joint.motor->index()];
        load(std::visit([](auto& motor) -> scene::Signal& { return motor.signal; }, *joint.motor), dimension,
             fmt::format("joints.{}.motor.signal", i));
      }
    };
    std::visit(of_motor, scene.joints[i]);
  }
}

Driving make_loads(const scene::Scene& scene, const std::vector<dynamics::BodyPtr>& bodies, const SolidParts& parts,
                   const Own& own, Mistakes& mistakes) {
  Driving driving;
  for (std::size_t i = 0; i < scene.loads.size(); ++i)
    std::visit(LoadMaker({scene, bodies, own, i, driving, mistakes}, parts), scene.loads[i]);
  return driving;
}

}  // namespace ictus::build
