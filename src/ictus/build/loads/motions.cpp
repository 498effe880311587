#include <ictus/build/loads/motions.hpp>

#include <algorithm>
#include <ictus/build/bodies/bodies.hpp>
#include <ictus/mechanics/solid/solid.hpp>
#include <ictus/model/rigid_frame.hpp>

namespace ictus::build {

using math::Vec3;
using mechanics::FrameMotion;
using mechanics::NodalBody;

namespace {

class MotionMaker : LoadContext {
 public:
  explicit MotionMaker(const LoadContext& context) : LoadContext(context) {}

  void make(const scene::SupportMotionSpec& spec) {
    const SignalPtr signal = make_signal(spec.signal);
    const NodalBody* body = find(spec.on, key_ + ".body");
    if (!body || !signal) return;
    const Vec3 direction = to_vector(spec.direction).normalized();
    const std::vector<double> q = start_of(*body);
    mechanics::SupportMotion motion{signal, {}};
    if (body->turns()) {
      for (const std::size_t first : held_frames(*body, spec.on, spec.at))
        motion.frames.push_back({.first = first, .way = direction});
    } else {
      move_nodes(spec, *body, direction, q, motion);
    }
    add(std::move(motion), direction, spec.on);
  }

  void make(const scene::SupportRotationSpec& spec) {
    const SignalPtr signal = make_signal(spec.signal);
    const NodalBody* body = find(spec.on, key_ + ".body");
    if (!body || !signal) return;
    if (!body->turns())
      return mistakes_.add(
          key_ + ".body", fmt::format("{} has nodes, which do not turn; rigid bodies, ends of beams and planes do, and "
                                      "nodes move by support-motion",
                                      spec.on));
    const Vec3 axis = to_vector(spec.axis).normalized();
    const std::vector<double> q = start_of(*body);
    mechanics::SupportMotion motion{signal, {}};
    for (const std::size_t first : held_frames(*body, spec.on, spec.at)) {
      const Vec3 centre = spec.position ? to_vector(*spec.position) : Vec3(Vec3::Map(&q[first]));
      motion.frames.push_back({.first = first, .axis = axis, .centre = centre});
    }
    add(std::move(motion), axis, spec.on);
  }

 private:
  static std::vector<double> start_of(const NodalBody& body) {
    std::vector<double> q(body.dofs().end()), p(q.size());
    body.initialise(q, p);
    return q;
  }

  /// The first dofs of the rigid bodies, planes or sections that are held, or of those among them that `at` names.
  std::vector<std::size_t> held_frames(const NodalBody& body, const std::string& name,
                                       const std::vector<std::string>& at) {
    constexpr std::size_t stride = model::RigidFrame::dofs;
    const std::size_t begin = body.dofs().begin, last = body.dofs().end() - stride;
    const auto& fixed = body.fixed();
    const auto is_held = [&](std::size_t first) {
      return std::find(fixed.begin(), fixed.end(), static_cast<int>(first)) != fixed.end();
    };
    std::vector<std::size_t> frames;
    const bool is_beam = !body.rigid_bodies() && body.surface().plane_frame() < 0;
    if (!is_beam && !at.empty()) {
      mistakes_.add(key_ + ".at", fmt::format("is for beams and bodies with nodes; {} moves as a whole", name));
      return frames;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::string key = fmt::format("{}.at.{}", key_, i);
      if (at[i] != "start" && at[i] != "end") {
        mistakes_.add(key, fmt::format("must be start or end of the beam {}", name));
        return frames;
      }
      frames.push_back(at[i] == "start" ? begin : last);
      if (is_held(frames.back())) continue;
      mistakes_.add(key,
                    fmt::format("the {} of {} is not held, and only what is held can be moved; hold it first, with "
                                "`supports`",
                                at[i], name));
    }
    if (!at.empty()) return frames;
    for (std::size_t first = begin; first <= last; first += stride) {
      if (is_held(first)) frames.push_back(first);
    }
    if (frames.empty())
      mistakes_.add(key_ + ".body", fmt::format("{} is not held, and only what is held can be moved; hold it first, "
                                                "with `{}`",
                                                name, is_beam ? "supports" : "fixed: true"));
    return frames;
  }

  void move_nodes(const scene::SupportMotionSpec& spec, const NodalBody& body, const Vec3& direction,
                  std::span<const double> q, mechanics::SupportMotion& motion) {
    const auto add = [&](int dof) {
      const double weight = body.support_impulse(dof, 1.0, q).linear.dot(direction);
      if (weight != 0) motion.entries.push_back({dof, weight});
    };
    if (spec.at.empty()) {
      for (const int dof : body.fixed()) add(dof);
    } else {
      for (const int dof : chosen_dofs(spec, body, direction, q)) add(dof);
    }
    if (motion.entries.empty() && mistakes_.empty())
      mistakes_.add(key_ + ".body", fmt::format("{} has no support that could move that way", spec.on));
  }

  /// Dofs of the nodes that a motion names, each once; those along it must be held.
  std::vector<int> chosen_dofs(const scene::SupportMotionSpec& spec, const NodalBody& body, const Vec3& direction,
                               std::span<const double> q) {
    std::vector<int> dofs;
    for (std::size_t i = 0; i < spec.at.size(); ++i) {
      const std::string key = fmt::format("{}.at.{}", key_, i);
      if (const auto* solid = dynamic_cast<const mechanics::Solid*>(&body)) {
        const auto* nodes = find_set(*solid, spec.at[i], key);
        if (!nodes) continue;
        for (const int node : *nodes) {
          for (int c = 0; c < 3; ++c) dofs.push_back(static_cast<int>(body.dofs().begin) + 3 * node + c);
        }
      } else if (const auto point = find_point(*scene_.bodies.find(spec.on), spec.at[i], key)) {
        std::vector<model::RowEntry> row;
        body.surface().pull_back(*point, q, direction, 1.0, row);
        for (const model::RowEntry& entry : row) dofs.push_back(entry.dof);
      }
    }
    std::sort(dofs.begin(), dofs.end());
    dofs.erase(std::unique(dofs.begin(), dofs.end()), dofs.end());
    std::vector<int> held(body.fixed().begin(), body.fixed().end());
    std::sort(held.begin(), held.end());
    const auto loose = std::find_if(dofs.begin(), dofs.end(), [&](int k) {
      return body.support_impulse(k, 1.0, q).linear.dot(direction) != 0 &&
             !std::binary_search(held.begin(), held.end(), k);
    });
    if (loose != dofs.end())
      mistakes_.add(key_ + ".at", fmt::format("{} of {} is not held, and only what is held can be moved; hold it first",
                                              body.dof_name(static_cast<std::size_t>(*loose)), spec.on));
    return dofs;
  }

  /// What two motions along one direction, or about one axis, move would follow their sum, which nobody means.
  void add(mechanics::SupportMotion motion, const Vec3& direction, const std::string& name) {
    constexpr double same_way = 1e-9;
    const auto is_along = [](const Vec3& a, const Vec3& b) { return a.cross(b).norm() <= same_way; };
    const auto moves_same = [&](const FrameMotion& one, const FrameMotion& other) {
      if (one.first != other.first || one.axis.isZero() != other.axis.isZero()) return false;
      if (one.axis.isZero()) return is_along(one.way, other.way);
      return is_along(one.axis, other.axis) &&
             (one.centre - other.centre).cross(one.axis).norm() <= same_way * (1 + one.centre.norm());
    };
    const auto is_same = [&](const Driving::Moved& before) {
      const mechanics::SupportMotion& made = driving_.motions[before.motion];
      for (const auto& [dof, weight] : motion.entries) {
        const auto shares = [dof = dof](const auto& entry) { return entry.dof == dof; };
        if (is_along(direction, before.direction) && std::any_of(made.entries.begin(), made.entries.end(), shares))
          return true;
      }
      return std::any_of(motion.frames.begin(), motion.frames.end(), [&](const FrameMotion& one) {
        return std::any_of(made.frames.begin(), made.frames.end(),
                           [&](const FrameMotion& other) { return moves_same(one, other); });
      });
    };
    const auto before = std::find_if(driving_.moved.begin(), driving_.moved.end(), is_same);
    if (before != driving_.moved.end())
      mistakes_.add(key_ + ".body",
                    fmt::format("{} is moved that way by {} already; give one signal for both", name, before->key));
    driving_.moved.push_back({driving_.motions.size(), direction, key_});
    driving_.motions.push_back(std::move(motion));
  }
};

}  // namespace

void make_motion(const LoadContext& context, const scene::SupportMotionSpec& spec) { MotionMaker(context).make(spec); }

void make_rotation(const LoadContext& context, const scene::SupportRotationSpec& spec) {
  MotionMaker(context).make(spec);
}

std::vector<std::string> moved_bodies(const scene::Scene& scene) {
  std::vector<std::string> names;
  for (const scene::Load& load : scene.loads) {
    if (const auto* motion = std::get_if<scene::SupportMotionSpec>(&load)) names.push_back(motion->on);
    if (const auto* rotation = std::get_if<scene::SupportRotationSpec>(&load)) names.push_back(rotation->on);
  }
  return names;
}

}  // namespace ictus::build
